#include "zone.hpp"

#include <algorithm>

namespace pagestorm::sim {

void Zone::judge(std::int64_t first, std::int64_t last) {
  last = std::min(last, end_);
  if (!judged_.empty() && first <= judged_.back().last) {
    judged_.back().last = std::max(judged_.back().last, last);
    return;
  }
  judged_.push_back({first, last});
}

void Zone::add_vector(const Section& section, std::int64_t used, bool written) {
  const std::int64_t end = used == 0 ? section.first : section.at(0, used - 1) + section.cell_words;
  judge(section.first - ImageLayout::fence, end + ImageLayout::fence);
  if (!written) return;
  if (section.col_stride == section.cell_words) {
    live_.push_back({section.first, end});
    return;
  }
  for (std::int64_t i = 0; i < used; ++i) live_.push_back({section.at(0, i), section.at(0, i) + section.cell_words});
}

template <class Expected>
void Zone::add_table(const ImageLayout& layout, const Section& table, const Expected& expected) {
  if (layout.sweeps()) judge(table.first - ImageLayout::fence, table.last() + ImageLayout::fence);
  for (std::int64_t row = 0; row < expected.rows(); ++row) {
    const std::int64_t start = table.at(row, 0);
    const std::int64_t cells = expected.live(row);
    judge(start - margin, start + (cells + margin) * table.col_stride);
    if (table.col_stride == 1)
      live_.push_back({start, start + cells});
    else
      for (std::int64_t c = 0; c < cells; ++c) live_.push_back({table.at(row, c), table.at(row, c) + 1});
  }
  if (expected.rows() == table.rows) return;
  const std::int64_t next = table.at(expected.rows(), 0);
  judge(next - margin, next + margin);
}

void Zone::subtract() {
  auto live = live_.begin();
  for (const Range& range : judged_) {
    std::int64_t at = range.first;
    for (; live != live_.end() && live->first < range.last; ++live) {
      if (at < live->first) untouchable_.push_back({at, live->first});
      at = std::max(at, live->last);
    }
    if (at < range.last) untouchable_.push_back({at, range.last});
  }
}

void Zone::begin(const ImageLayout& layout) {
  end_ = layout.words();
  judged_.clear();
  live_.clear();
  untouchable_.clear();
  left_out_.clear();
  windows_.clear();
}

void Zone::end() {
  subtract();
  for (const Range& range : judged_) windows_.push_back({range.first * 4, (range.last - range.first) * 4});
}

void Zone::compute(const ImageLayout& layout, const FlashReference& expected) {
  begin(layout);
  add_vector(layout.section(Part::status), 1, true);
  add_vector(layout.section(Part::prefix_seqlens), layout.section(Part::prefix_seqlens).cols, expected.prefixes() > 0);
  add_vector(layout.section(Part::cache_seqlens), expected.rows(), true);
  add_vector(layout.section(Part::cu_seqlens_q), expected.rows() + 1, true);
  add_vector(layout.section(Part::cu_seqlens_k), expected.rows() + 1, true);
  add_vector(layout.section(Part::schedule), layout.section(Part::schedule).cols,
             layout.section(Part::schedule).cols > 0);
  add_table(layout, layout.section(Part::page_table), expected);
  end();
}

void Zone::compute(const ImageLayout& layout, const Extent& extent, Reference& expected) {
  begin(layout);
  const bool sums = expected.sums();
  add_vector(layout.section(Part::status), 1, true);
  add_vector(layout.section(Part::cache_seqlens), extent.rows, sums);
  add_vector(layout.section(Part::cu_seqlens_q), extent.rows + 1, sums);
  add_vector(layout.section(Part::cu_seqlens_k), extent.rows + 1, sums);
  if (layout.swa()) add_table(layout, layout.section(Part::swa_page_table), expected);
  add_table(layout, layout.section(Part::page_table), expected);
  if (layout.swa()) add_vector(layout.section(Part::swa_out_cache_loc), extent.write_slots, sums);
  if (expected.promise() != Promise{}) leave_out(layout, extent, expected);
  end();
}

std::int64_t Zone::size() const {
  std::int64_t words = 0;
  for (const Range& range : judged_) words += range.last - range.first;
  return words;
}

}  // namespace pagestorm::sim
