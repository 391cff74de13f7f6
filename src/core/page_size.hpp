#pragma once
// Division by a page size that is only known at run time.

#include <cstdint>

#include "hd.hpp"

namespace pagestorm::core {

/// A page size, and what divides by it. Operands of all functions are non-negative.
struct PageSize {
  std::int32_t tokens = 1;
  std::int32_t shift = 0;                             ///< -1: not a power of two
  std::uint32_t reciprocal = std::uint32_t{1} << 31;  ///< 2^(31 + power) / tokens, rounded up
  std::int32_t power = 0;                             ///< 2^power is the least power of two that is not below tokens

  /// `tokens` from 1 to page_size_max.
  PAGESTORM_HD static PageSize of(std::int32_t tokens) {
    PageSize size{tokens, -1};
    while ((1 << size.power) < tokens) ++size.power;
    if (1 << size.power == tokens) size.shift = size.power;
    const std::uint64_t scaled = std::uint64_t{1} << (31 + size.power);
    const auto by = static_cast<std::uint64_t>(tokens);
    size.reciprocal = static_cast<std::uint32_t>((scaled + by - 1) / by);
    return size;
  }

  /// The page that holds slot `slot`. Exact: rounding up adds less than 2^power / 2^(31 + power) of `slot`, below 1.
  PAGESTORM_HD std::int32_t page_of(std::int32_t slot) const {
    const std::uint64_t product = std::uint64_t{static_cast<std::uint32_t>(slot) << 1} * reciprocal;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(product >> 32) >> power);
  }
  PAGESTORM_HD std::int64_t page_of(std::int64_t slot) const {
    return slot <= INT32_MAX ? page_of(static_cast<std::int32_t>(slot)) : slot / tokens;
  }

  /// Pages that `length` tokens need.
  PAGESTORM_HD std::int64_t pages(std::int64_t length) const { return length == 0 ? 0 : page_of(length - 1) + 1; }

  /// The same for a length that fits in int32, without a wider number.
  PAGESTORM_HD std::uint32_t pages_of_saturated(std::uint32_t length) const {
    return length == 0 ? 0 : static_cast<std::uint32_t>(page_of(static_cast<std::int32_t>(length - 1))) + 1;
  }
};

}  // namespace pagestorm::core
