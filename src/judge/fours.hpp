#pragma once
// Neighbouring words four at a time: one access where all four lie in a range and begin at a multiple of 16 bytes.

#include <cstdint>

#include "hd.hpp"

namespace pagestorm::judge {

inline constexpr std::int32_t four = 4;

struct alignas(16) Four {
  std::int32_t word[four];
};

PAGESTORM_JUDGE_HD bool is_aligned(const std::int32_t* words) {
  return (reinterpret_cast<std::uintptr_t>(words) & (four * sizeof(std::int32_t) - 1)) == 0;
}

/// words[at] to words[at + 3]; `otherwise` in place of those outside of [first, last), which are not touched.
template <class Index>
PAGESTORM_JUDGE_HD Four load_four(const std::int32_t* words, Index at, Index first, Index last,
                                  std::int32_t otherwise) {
  if (at >= first && at + four <= last && is_aligned(words + at)) return *reinterpret_cast<const Four*>(words + at);
  Four got;
  PAGESTORM_JUDGE_UNROLL
  for (std::int32_t i = 0; i < four; ++i) got.word[i] = at + i >= first && at + i < last ? words[at + i] : otherwise;
  return got;
}

/// `value` to those of words[at] to words[at + 3] that lie in [first, last).
template <class Index>
PAGESTORM_JUDGE_HD void store_four(std::int32_t* words, Index at, Index first, Index last, std::int32_t value) {
  if (at >= first && at + four <= last && is_aligned(words + at)) {
    *reinterpret_cast<Four*>(words + at) = {{value, value, value, value}};
    return;
  }
  PAGESTORM_JUDGE_UNROLL
  for (std::int32_t i = 0; i < four; ++i)
    if (at + i >= first && at + i < last) words[at + i] = value;
}

/// The last multiple of four that is not above `at`, which may be negative.
template <class Index>
PAGESTORM_JUDGE_HD Index down_to_four(Index at) {
  return at & ~Index{four - 1};
}

}  // namespace pagestorm::judge
