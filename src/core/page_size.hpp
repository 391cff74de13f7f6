#pragma once
// Division by a page size that is only known at run time.

#include <cstdint>

#include "hd.hpp"

namespace pagestorm::core {

/// A page size with its shift, when it is a power of two. Operands of all functions are non-negative.
struct PageSize {
  std::int32_t tokens = 1;
  std::int32_t shift = 0;  ///< -1: not a power of two

  /// `tokens` from 1 to page_size_max.
  PAGESTORM_HD static PageSize of(std::int32_t tokens) {
    PageSize size{tokens, -1};
    if ((tokens & (tokens - 1)) == 0)
      for (size.shift = 0; (1 << size.shift) < tokens;) ++size.shift;
    return size;
  }

  /// The page that holds slot `slot`.
  PAGESTORM_HD std::int32_t page_of(std::int32_t slot) const { return shift >= 0 ? slot >> shift : slot / tokens; }
  PAGESTORM_HD std::int64_t page_of(std::int64_t slot) const { return shift >= 0 ? slot >> shift : slot / tokens; }

  /// Pages that `length` tokens need.
  PAGESTORM_HD std::int64_t pages(std::int64_t length) const { return page_of(length + tokens - 1); }
};

}  // namespace pagestorm::core
