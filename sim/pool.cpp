#include "pool.hpp"

#include <algorithm>
#include <cassert>

namespace pagestorm::sim {

void PagePool::reset(std::int64_t pages, std::uint64_t seed, FreeOrder order) {
  reset(std::span<const std::int32_t>(), 0, order);
  fresh_.reset(pages, seed);
}

void PagePool::reset(std::span<const std::int32_t> list, std::int64_t pages, FreeOrder order) {
  order_ = order;
  fresh_.exhaust(pages);
  list_.assign(list.begin(), list.end());
  if (order_ == FreeOrder::last_in_first_out) std::ranges::reverse(list_);
  aside_.clear();
  group_.clear();
  grouping_ = false;
  back_.clear();
  for (const std::int32_t page : list) {
    assert(is_out(page));
    back_.insert(page);
  }
}

void PagePool::take(std::span<std::int32_t> to) {
  assert(static_cast<std::int64_t>(to.size()) <= free());
  expect(static_cast<std::int64_t>(to.size()));
  if (order_ == FreeOrder::last_in_first_out) {
    const std::size_t listed = std::min(to.size(), list_.size());
    take_last(to.first(listed));
    fresh_.take(to.subspan(listed));
  } else {
    const std::size_t fresh = std::min(to.size(), static_cast<std::size_t>(fresh_.left()));
    fresh_.take(to.first(fresh));
    take_first(to.subspan(fresh));
  }
}

void PagePool::take_last(std::span<std::int32_t> to) {
  for (std::int32_t& page : to) {
    page = list_.back();
    list_.pop_back();
    back_.erase(page);
  }
}

void PagePool::take_first(std::span<std::int32_t> to) {
  for (std::int32_t& page : to) {
    page = list_.front();
    list_.pop_front();
    back_.erase(page);
  }
}

void PagePool::expect(std::int64_t wanted) {
  if (aside_.empty() || wanted <= fresh_.left() + static_cast<std::int64_t>(list_.size())) return;
  std::vector<std::int32_t> fresh(static_cast<std::size_t>(fresh_.left()));
  fresh_.take(fresh);
  for (const std::int32_t page : fresh) back_.insert(page);
  list_.insert(list_.end(), fresh.begin(), fresh.end());
  list_.insert(list_.end(), aside_.begin(), aside_.end());
  std::ranges::sort(list_);
  aside_.clear();
}

Given PagePool::give(std::int64_t page) {
  if (page == 0) return Given::sink;
  if (page < 0 || page > pages()) return Given::outside;
  if (!is_out(page)) return Given::not_out;
  back_.insert(page);
  const auto id = static_cast<std::int32_t>(page);
  if (grouping_) {
    group_.push_back(id);
  } else {
    put(id);
  }
  return Given::accepted;
}

void PagePool::begin_group() {
  assert(!grouping_);
  grouping_ = true;
}

void PagePool::end_group() {
  assert(grouping_);
  grouping_ = false;
  for (const std::int32_t page : group_) put(page);
  group_.clear();
}

void PagePool::put(std::int32_t page) {
  if (order_ == FreeOrder::sort_when_short) {
    aside_.push_back(page);
  } else {
    list_.push_back(page);
  }
}

}  // namespace pagestorm::sim
