#pragma once
// What a draft token sees, as a word of bits.

#include <cstdint>

#include "hd.hpp"
#include "memory.hpp"

namespace pagestorm::core {

/// Bit t says what `says(t)` is, for t below `count`, which is at most 64. All lanes of a row must ask together: a device
/// lets each lane find some of the bits.
template <class Memory, class Predicate>
PAGESTORM_HD std::uint64_t bits_together(const Memory&, Lane, std::int64_t count, const Predicate& says) {
  std::uint64_t bits = 0;
  for (std::int64_t t = 0; t < count; ++t) bits |= std::uint64_t{says(t) ? 1u : 0u} << t;
  return bits;
}

PAGESTORM_HD std::int64_t ones(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __popcll(bits);
#else
  return __builtin_popcountll(bits);
#endif
}

}  // namespace pagestorm::core
