#include "pool.hpp"

#include <algorithm>
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
  base_ += together_;
  together_ = high_first_ ? std::min(run, pages_ - base_) : pages_ - base_;
  cursor_ = 0;
  stride_ = 0;
  if (together_ <= 1) return;
  stride_ = 1 + wanted_stride_ % (together_ - 1);
  while (std::gcd(stride_, together_) != 1) --stride_;
}

void PagePool::give(std::int32_t page) {
  assert(page >= 1 && page <= pages_);
  returned_.push_back(page);
}

}  // namespace pagestorm::sim
