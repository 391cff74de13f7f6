#include "pool.hpp"

#include <cassert>
#include <numeric>

#include "rng.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t run = 64;  // ids that are scattered together when high ids come first

std::int64_t coprime_near(std::int64_t wanted, std::int64_t to) {
  while (std::gcd(wanted, to) != 1) ++wanted;
  return wanted;
}

}  // namespace

void PagePool::reset(std::int64_t pages, std::uint64_t seed) {
  Rng rng(seed);
  pages_ = pages;
  fresh_ = 0;
  returned_.clear();
  high_first_ = rng.one_in(2);
  const std::int64_t together = high_first_ ? run : pages;
  stride_ = together <= 2 ? 1 : coprime_near(rng.between(2, together - 1), together);
  shift_ = rng.between(0, together - 1);
}

std::int32_t PagePool::take() {
  assert(free() > 0);
  if (!returned_.empty()) {
    const std::int32_t page = returned_.back();
    returned_.pop_back();
    return page;
  }
  return static_cast<std::int32_t>(1 + scattered(fresh_++));
}

void PagePool::give(std::int32_t page) {
  assert(page >= 1 && page <= pages_);
  returned_.push_back(page);
}

std::int64_t PagePool::scattered(std::int64_t index) const {
  if (!high_first_) return (index * stride_ + shift_) % pages_;
  const std::int64_t block = index / run * run;
  const std::int64_t within = index % run;
  // The last, incomplete run is handed out as it is: scattering it needs a stride of its own.
  const bool whole = block + run <= pages_;
  return pages_ - 1 - (whole ? block + (within * stride_ + shift_) % run : index);
}

}  // namespace pagestorm::sim
