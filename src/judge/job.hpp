#pragma once
// All that a judge knows of one forward pass: its inputs, its two images, and the truth.

#include <bit>
#include <cstdint>

#include "hd.hpp"
#include "pagestorm/device_judge.hpp"

namespace pagestorm::judge {

/// One `apply`. All views and pointers are of the side that judges.
struct Job {
  Batch in;
  ImageShape image;
  std::int32_t* first = nullptr;   ///< word 0 of the image over first_poison
  std::int32_t* second = nullptr;  ///< of the one over second_poison
  std::int64_t write_slots = 0;    ///< elements of swa_out_cache_loc that the call has
  const RowTruth* rows = nullptr;  ///< of each row of the batch; null without SWA
  Matrix<const std::int32_t> owned;
  std::int64_t window = 0;       ///< tokens
  std::int32_t page_shift = -1;  ///< log2 of the page size, or -1

  PAGESTORM_JUDGE_HD bool swa() const { return in.full_to_swa.data != nullptr; }
};

/// -1 for a page size that is no power of two.
inline std::int32_t page_shift_of(std::int32_t page_size) {
  const auto size = static_cast<std::uint32_t>(page_size);
  return std::has_single_bit(size) ? std::countr_zero(size) : -1;
}

/// A share of work: lane `index` of `count` does items index, index + count, ...
struct Lane {
  std::int32_t index = 0;
  std::int32_t count = 1;
};

}  // namespace pagestorm::judge
