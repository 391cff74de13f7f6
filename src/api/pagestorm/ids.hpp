#pragma once
// Sentinels of page tables and slot maps.

#include <cstdint>

namespace pagestorm {

/// What both tables hold where the row names no slot (docs/contract.md, "Absent slots").
inline constexpr std::int32_t absent_page = -1;

/// A write slot that names nothing.
inline constexpr std::int64_t absent_slot = -1;

/// Page, slot and request row 0 are reserved: padded rows read and write there.
inline constexpr std::int32_t sink = 0;

/// Page sizes that the builder accepts, in tokens.
inline constexpr std::int64_t page_size_max = 4096;

}  // namespace pagestorm
