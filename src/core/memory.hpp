#pragma once
// How a body touches memory: every load, store and status bit goes through one of these.

#include <cstdint>

#include "hd.hpp"
#include "pagestorm/status.hpp"

namespace pagestorm::core {

/// A share of the work of a row: lane `index` of `count` visits cells index, index + count, ...
struct Lane {
  std::int64_t index = 0;
  std::int64_t count = 1;
};

/// Saturates to the range of int32 from above. `value` is not negative.
PAGESTORM_HD std::int32_t saturate(std::int64_t value) {
  return value > INT32_MAX ? INT32_MAX : static_cast<std::int32_t>(value);
}

/// Bits of `bit` where `met` holds.
PAGESTORM_HD std::uint32_t bits_if(bool met, Status bit) { return met ? static_cast<std::uint32_t>(bit) : 0u; }

/// Plain host memory, one lane at a time.
struct PlainMemory {
  template <class T>
  PAGESTORM_HD T load(const T* address) const {
    return *address;
  }
  template <class T>
  PAGESTORM_HD void store(T* address, T value) const {
    *address = value;
  }
  PAGESTORM_HD void raise(std::uint32_t* status, std::uint32_t bits) const {
    if (bits != 0) *status |= bits;
  }
};

}  // namespace pagestorm::core
