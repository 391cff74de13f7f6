#pragma once
// Host memory that is moved as a device moves it, so that the ways through src/core that only devices take run here too;
// and that logs every access.

#include <cstdint>

#include "host/audit.hpp"
#include "mutated/memory.hpp"

namespace pagestorm::mutant {

/// One cell after the other.
struct LoggedMemory : host::AuditedMemory {
  mutated::Four load_four(const std::int32_t* address, bool) const {
    require_aligned(address);
    mutated::Four four;
    for (int i = 0; i < mutated::Four::width; ++i) four.cell[i] = load(address + i);
    return four;
  }
  void store_four(std::int32_t* address, const mutated::Four& four) const {
    require_aligned(address);
    for (int i = 0; i < mutated::Four::width; ++i) store(address + i, four.cell[i]);
  }

 private:
  // A device faults.
  static void require_aligned(const std::int32_t* address) {
    if (reinterpret_cast<std::uintptr_t>(address) % sizeof(mutated::Four) != 0) __builtin_trap();
  }
};

/// Several cells and fours under way; `overflows` where rows are longer than a few cells.
struct BatchedMemory : LoggedMemory {
  static constexpr int cells = 4;
  static constexpr int fours = 4;
  static constexpr int mapped_fours = 2;
  static constexpr std::int64_t four_alignment = sizeof(mutated::Four);

  static constexpr bool overflows(std::int64_t live) { return live > 6; }
};

/// Looks up one region of the map after the other; regions are small, so that small maps have several.
struct RegionMemory : BatchedMemory {
  static constexpr int mapped_fours = 8;
  static constexpr bool by_region = true;
  static constexpr std::uint32_t region_slots = 24;
};

}  // namespace pagestorm::mutant
