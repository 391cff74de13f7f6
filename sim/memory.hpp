#pragma once
// Memory that is reserved as a whole and costs only where it is touched.

#include <cstdint>

#include "pagestorm/builder.hpp"

namespace pagestorm::sim {

/// Zero-filled pages of the system, reserved but not committed. Moves, never copies.
class Memory {
 public:
  Memory() = default;
  ~Memory();
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;

  /// Makes at least `below` bytes before and `above` bytes after the base usable. Returns true when it had to reserve
  /// anew: everything reads as zero then. Throws std::runtime_error when the system refuses.
  bool reserve(std::int64_t below, std::int64_t above);

  /// Gives every touched page back; everything reads as zero again.
  void forget();

  std::byte* base() const { return base_; }

  /// The part of the memory that the last reserve() asked for.
  Region region() const { return {base_, below_, above_}; }

 private:
  void release();

  std::byte* base_ = nullptr;
  std::int64_t below_ = 0, above_ = 0;
  std::int64_t reserved_below_ = 0, reserved_above_ = 0;
};

}  // namespace pagestorm::sim
