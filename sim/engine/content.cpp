#include "content.hpp"

#include <algorithm>
#include <cassert>

namespace pagestorm::sim {

void Content::append(std::int64_t count, std::uint64_t base) {
  assert(count >= 0 && count <= position_end - end_);
  if (count == 0) return;
  if (runs_.empty() || runs_.back().base != base) runs_.push_back({end_, base});
  end_ += count;
}

void Content::truncate(std::int64_t size) {
  assert(size >= 0);
  end_ = std::min(end_, first_ + size);
  while (!runs_.empty() && runs_.back().first >= end_) runs_.pop_back();
}

std::uint64_t Content::at(std::int64_t position) const {
  const std::uint64_t base = base_at(position);
  return base == unknown_base ? 0 : base + static_cast<std::uint64_t>(position);
}

Content::Stretch Content::stretch_at(std::int64_t position) const {
  if (position < first_ || position >= end_) return {};
  const std::size_t run = run_of(position);
  return {runs_[run].base, end_of(run)};
}

std::uint64_t Content::base_at(std::int64_t position) const { return stretch_at(position).base; }

std::int64_t Content::common(const Content& other, std::int64_t from, std::int64_t to) const {
  const std::int64_t stop = std::min({to, end_, other.end_});
  if (from < std::max(first_, other.first_) || from >= stop) return 0;
  std::size_t mine = run_of(from);
  std::size_t theirs = other.run_of(from);
  std::int64_t position = from;
  while (position < stop && runs_[mine].base == other.runs_[theirs].base && runs_[mine].base != unknown_base) {
    position = std::min({stop, end_of(mine), other.end_of(theirs)});
    mine += position == end_of(mine) ? 1 : 0;
    theirs += position == other.end_of(theirs) ? 1 : 0;
  }
  return position - from;
}

std::int64_t Content::known() const {
  const auto unknown = std::ranges::find(runs_, unknown_base, &TokenRun::base);
  return (unknown == runs_.end() ? end_ : unknown->first) - first_;
}

Content Content::slice(std::int64_t from, std::int64_t to) const {
  assert(from >= first_ && from <= to && to <= end_);
  Content part(from);
  if (from == to) return part;
  part.runs_.assign(runs_.begin() + static_cast<std::ptrdiff_t>(run_of(from)),
                    runs_.begin() + static_cast<std::ptrdiff_t>(run_of(to - 1)) + 1);
  part.runs_.front().first = from;
  part.end_ = to;
  return part;
}

std::strong_ordering Content::compare(const Content& whole, std::int64_t from, std::int64_t to) const {
  assert(from >= whole.first_ && from < to && to <= whole.end_);
  if (const auto order = std::tie(first_, end_) <=> std::tie(from, to); std::is_neq(order)) return order;
  const auto part = std::span(whole.runs_).subspan(whole.run_of(from));
  std::size_t i = 0;
  for (; i < runs_.size() && i < part.size() && part[i].first < to; ++i) {
    const std::int64_t begins = std::max(from, part[i].first);
    const auto order = std::tie(runs_[i].first, runs_[i].base) <=> std::tie(begins, part[i].base);
    if (std::is_neq(order)) return order;
  }
  // Where one description goes on, it is the greater.
  const bool goes_on = i < part.size() && part[i].first < to;
  return (i < runs_.size()) <=> goes_on;
}

// The run that the token at `position` belongs to.
std::size_t Content::run_of(std::int64_t position) const {
  const auto after = std::ranges::upper_bound(runs_, position, {}, &TokenRun::first);
  return static_cast<std::size_t>(after - runs_.begin()) - 1;
}

std::int64_t Content::end_of(std::size_t run) const { return run + 1 < runs_.size() ? runs_[run + 1].first : end_; }

}  // namespace pagestorm::sim
