#include "trace_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>

#include "scenario.hpp"

namespace pagestorm::sim {

Timeline::Timeline(std::int64_t every, std::size_t most)
    : every_(std::max<std::int64_t>(1, every)), most_(every > 0 ? 0 : most) {
  assert(every >= 0 && most >= 2);
}

void Timeline::add(const TimelineRow& row) {
  if (++seen_ % every_ != 0) return;
  rows_.push_back(row);
  if (most_ == 0 || rows_.size() <= most_) return;
  // Of the multiples of k, those of 2k stay.
  std::size_t kept = 0;
  for (std::size_t i = 1; i < rows_.size(); i += 2) rows_[kept++] = rows_[i];
  rows_.resize(kept);
  every_ *= 2;
}

std::string Timeline::csv() const {
  fmt::memory_buffer text;
  const auto to = std::back_inserter(text);
  fmt::format_to(to, "virtual_s,step,mode,rows,live,waiting,free_pages,cached_pages,hit_tokens,retractions\n");
  for (const TimelineRow& row : rows_)
    fmt::format_to(to, "{:.3f},{},{},{},{},{},{},{},{},{}\n", row.virtual_s, row.step, name_of(row.mode), row.rows,
                   row.live, row.waiting, row.free_pages, row.cached_pages, row.hit_tokens, row.retractions);
  return fmt::to_string(text);
}

}  // namespace pagestorm::sim
