#pragma once
// When the fault status_overwritten replaces the status word.

#include <cstdint>

#include "core/hd.hpp"
#include "pagestorm/status.hpp"

namespace pagestorm::fault {

/// Whether bits replace what the word holds: something from before the call, which shows where it is none of its own.
template <class Memory>
PAGESTORM_HD bool replaces_status(const Memory& memory, const std::uint32_t* status, std::uint32_t bits) {
  constexpr std::uint32_t of_calls = (1u << flash_status_bit_count) - 1;
  if (bits == 0) return false;
  return (static_cast<std::uint32_t>(memory.load(reinterpret_cast<const std::int32_t*>(status))) & ~of_calls) != 0;
}

}  // namespace pagestorm::fault
