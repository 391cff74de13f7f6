#include "pool.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "rng.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t run = 64;  // ids that are scattered together when high ids come first

}  // namespace

void PagePool::reset(std::int64_t pages, std::uint64_t seed) {
  Rng rng(seed);
  pages_ = pages;
  fresh_ = 0;
  returned_.clear();
  high_first_ = rng.one_in(2);
  wanted_stride_ = rng.between(2, std::max<std::int64_t>(2, high_first_ ? run - 1 : pages - 1));
  base_ = together_ = 0;
  next_run();
}

void PagePool::next_run() {
  const std::int64_t before = together_;
  base_ += together_;
  together_ = high_first_ ? std::min(run, pages_ - base_) : pages_ - base_;
  cursor_ = 0;
  if (together_ == before) return;
  stride_ = 0;
  if (together_ <= 1) return;
  stride_ = 1 + wanted_stride_ % (together_ - 1);
  while (std::gcd(stride_, together_) != 1) --stride_;
}

void PagePool::take(std::span<std::int32_t> to) {
  assert(static_cast<std::int64_t>(to.size()) <= free());
  auto at = to.begin();
  for (; at != to.end() && !returned_.empty(); returned_.pop_back()) *at++ = returned_.back();
  while (at != to.end()) {
    const std::int64_t count = std::min(to.end() - at, base_ + together_ - fresh_);
    take_fresh(std::span(at, static_cast<std::size_t>(count)));
    at += count;
  }
}

// Once `known` of the ids stand there, as many follow, each moved on by the distance from the first of them to the next.
void PagePool::take_fresh(std::span<std::int32_t> to) {
  const auto together = static_cast<std::int32_t>(together_);
  to[0] = static_cast<std::int32_t>(cursor_);
  const auto moved = [together](std::int32_t offset, std::int32_t by) {
    const std::int32_t sum = offset + by;
    return sum < together ? sum : sum - together;
  };
  auto distance = static_cast<std::int32_t>(stride_);
  for (std::size_t known = 1; known < to.size(); known *= 2, distance = moved(distance, distance))
    for (std::size_t i = known; i < std::min(2 * known, to.size()); ++i) to[i] = moved(to[i - known], distance);
  cursor_ = moved(to.back(), static_cast<std::int32_t>(stride_));
  for (std::int32_t& page : to)
    page = static_cast<std::int32_t>(high_first_ ? pages_ - base_ - page : 1 + base_ + page);
  fresh_ += static_cast<std::int64_t>(to.size());
  if (fresh_ == base_ + together_) next_run();
}

void PagePool::give(std::int32_t page) {
  assert(page >= 1 && page <= pages_);
  returned_.push_back(page);
}

}  // namespace pagestorm::sim
