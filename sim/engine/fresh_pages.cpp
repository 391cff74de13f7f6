#include "fresh_pages.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "../rng.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t run = 64;  // ids that are scattered together when high ids come first

// The number whose product with `value` is 1 modulo `modulus`, two coprime numbers: Euclid, keeping the coefficients.
std::int64_t inverse_of(std::int64_t value, std::int64_t modulus) {
  std::int64_t remainder = modulus, next = value, coefficient = 0, next_coefficient = 1;
  while (next != 0) {
    const std::int64_t quotient = remainder / next;
    remainder = std::exchange(next, remainder - quotient * next);
    coefficient = std::exchange(next_coefficient, coefficient - quotient * next_coefficient);
  }
  return coefficient < 0 ? coefficient + modulus : coefficient;
}

}  // namespace

void FreshPages::reset(std::int64_t pages, std::uint64_t seed) {
  Rng rng(seed);
  pages_ = pages;
  taken_ = 0;
  high_first_ = rng.one_in(2);
  wanted_stride_ = rng.between(2, std::max<std::int64_t>(2, high_first_ ? run - 1 : pages - 1));
  base_ = together_ = 0;
  scatter_next();
}

void FreshPages::exhaust(std::int64_t pages) {
  pages_ = taken_ = base_ = pages;
  high_first_ = false;
  together_ = 0;
}

void FreshPages::scatter_next() {
  const std::int64_t before = together_;
  base_ += together_;
  together_ = high_first_ ? std::min(run, pages_ - base_) : pages_ - base_;
  cursor_ = 0;
  if (together_ == before) return;
  stride_ = inverse_ = 0;
  if (together_ <= 1) return;
  stride_ = 1 + wanted_stride_ % (together_ - 1);
  while (std::gcd(stride_, together_) != 1) --stride_;
  inverse_ = inverse_of(stride_, together_);
}

bool FreshPages::contains(std::int64_t page) const {
  assert(page >= 1 && page <= pages_);
  const std::int64_t rank = high_first_ ? pages_ - page : page - 1;
  if (rank < base_ || rank >= base_ + together_) return rank >= base_;
  return (rank - base_) * inverse_ % together_ >= taken_ - base_;
}

void FreshPages::take(std::span<std::int32_t> to) {
  assert(static_cast<std::int64_t>(to.size()) <= left());
  const auto fresh = to.begin();
  for (auto at = fresh; at != to.end();) {
    const std::int64_t count = std::min(to.end() - at, base_ + together_ - taken_);
    // A whole run after a whole run is the same, lower.
    if (high_first_ && count == run && at - fresh >= run) {
      std::transform(at - run, at, at, [](std::int32_t page) { return page - static_cast<std::int32_t>(run); });
      taken_ += run;
      scatter_next();
    } else {
      take_together(std::span(at, static_cast<std::size_t>(count)));
    }
    at += count;
  }
}

// Ids go round in steps within the run. Once `known` of them stand there, as many follow, each moved on by the distance
// from the first of them to the next.
void FreshPages::take_together(std::span<std::int32_t> to) {
  constexpr std::size_t one_by_one = 8;
  const auto together = static_cast<std::int32_t>(together_);
  const auto first = static_cast<std::int32_t>(high_first_ ? pages_ - base_ - together_ + 1 : 1 + base_);
  const std::int32_t last = first + together - 1;
  const auto stride = static_cast<std::int32_t>(stride_);
  const auto offset = static_cast<std::int32_t>(cursor_);
  const auto moved = [=](std::int32_t page, std::int32_t by) {
    const std::int32_t sum = page + by;
    return sum - (sum > last ? together : 0);
  };
  const auto twice = [=](std::int32_t by) { return 2 * by < together ? 2 * by : 2 * by - together; };
  std::int32_t distance = high_first_ ? together - stride : stride;
  std::int32_t page = high_first_ ? last - offset : first + offset;
  std::size_t known = 0;
  for (; known < std::min(one_by_one, to.size()); ++known, page = moved(page, distance)) to[known] = page;
  const std::int32_t step = distance;
  for (std::size_t n = 1; n < known; n *= 2) distance = twice(distance);
  for (; known < to.size(); known *= 2, distance = twice(distance))
    for (std::size_t i = known; i < std::min(2 * known, to.size()); ++i) to[i] = moved(to[i - known], distance);
  const std::int32_t next = moved(to.back(), step);
  cursor_ = high_first_ ? last - next : next - first;
  taken_ += static_cast<std::int64_t>(to.size());
  if (taken_ == base_ + together_) scatter_next();
}

}  // namespace pagestorm::sim
