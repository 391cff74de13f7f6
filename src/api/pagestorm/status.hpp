#pragma once
// The device status word: what a launch met that it had to guard against.

#include <cstdint>

namespace pagestorm {

/// Bits that a launch ORs into the status word. No bit is ever cleared by a launch
/// (docs/contract.md, "Status word").
enum class Status : std::uint32_t {
  none = 0,
  row_clamped = 1u << 0,           ///< a length needs more pages than the table is wide
  negative_length = 1u << 1,       ///< a length or an extend length below 0 was taken as 0
  absent_slot = 1u << 2,           ///< the live prefix of a row holds a negative slot
  row_outside_pool = 1u << 3,      ///< a request row is not a row of req_to_token
  position_outside_row = 1u << 4,  ///< a position lies beyond the columns of req_to_token
  slot_outside_map = 1u << 5,      ///< a slot lies beyond the full-to-SWA map
  length_saturated = 1u << 6,      ///< a length does not fit in int32
  sum_saturated = 1u << 7,         ///< a cumulative length does not fit in int32
  write_slots_clamped = 1u << 8,   ///< more write slots than swa_out_cache_loc has room for
  rows_clamped = 1u << 9,          ///< more blocks of local attention than there are rows for them
  mask_outside = 1u << 10,         ///< a line of the tree mask reaches beyond its end
  queries_clamped = 1u << 11,      ///< a row has more queries than keys
};

inline constexpr int status_bit_count = 9;         ///< bits that an operation on a Batch may raise: the first ones
inline constexpr int flash_status_bit_count = 12;  ///< and one of the FlashAttention family

constexpr Status operator|(Status a, Status b) {
  return static_cast<Status>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}

}  // namespace pagestorm
