#pragma once
// How a body touches memory: every load, store and status bit goes through one of these.

#include <cstdint>
#include <cstring>

#include "hd.hpp"
#include "pagestorm/status.hpp"

namespace pagestorm::core {

/// A share of the work of a row: lane `index` of `count` visits cells index, index + count, ..., or fours of cells.
struct Lane {
  std::int64_t index = 0;
  std::int64_t count = 1;
};

/// Four neighbouring cells that are moved as one. In memory they begin at a multiple of 16 bytes.
struct alignas(16) Four {
  static constexpr int width = 4;
  std::int32_t cell[width];
};

/// Saturates to the range of int32 from above. `value` is not negative.
PAGESTORM_HD std::int32_t saturate(std::int64_t value) {
  return value > INT32_MAX ? INT32_MAX : static_cast<std::int32_t>(value);
}

/// Bits of `bit` where `met` holds.
PAGESTORM_HD std::uint32_t bits_if(bool met, Status bit) { return met ? static_cast<std::uint32_t>(bit) : 0u; }

/// Plain host memory, one lane at a time. Names say what a body knows about an access, for memories that can use it.
struct PlainMemory {
  /// Independent accesses that a lane shall have under way: cells, fours of a row without SWA, and with it.
  static constexpr int cells = 1;
  static constexpr int fours = 1;
  static constexpr int mapped_fours = 1;
  /// Bytes that the address of a four is a multiple of.
  static constexpr std::int64_t four_alignment = sizeof(std::int32_t);
  /// Whether a batch of fours looks up one region of the map after the other.
  static constexpr bool by_region = false;

  /// Whether a row with so many live columns belongs to a call that reads more than a cache holds.
  PAGESTORM_HD static constexpr bool overflows(std::int64_t) { return false; }

  template <class T>
  PAGESTORM_HD T load(const T* address) const {
    return *address;
  }
  /// A slot, or an entry of the map, among many that lie apart. `overflowing`: more than a cache holds.
  template <bool overflowing, class T>
  PAGESTORM_HD T load_apart(const T* address) const {
    return *address;
  }
  /// Four slots of a row. `mapped`: look-ups follow, and the map deserves the cache more.
  PAGESTORM_HD Four load_four(const std::int32_t* address, [[maybe_unused]] bool mapped) const {
    Four four;
    std::memcpy(&four, address, sizeof(four));
    return four;
  }
  template <class T>
  PAGESTORM_HD void store(T* address, T value) const {
    *address = value;
  }
  PAGESTORM_HD void store_four(std::int32_t* address, const Four& four) const {
    std::memcpy(address, &four, sizeof(four));
  }
  PAGESTORM_HD void raise(std::uint32_t* status, std::uint32_t bits) const {
    if (bits != 0) *status |= bits;
  }
};

}  // namespace pagestorm::core
