#pragma once
// What a builder accepts and promises, where that is not the whole contract.

#include <array>
#include <cstdint>

#include "pagestorm/batch.hpp"
#include "pagestorm/ids.hpp"

namespace pagestorm {

/// What a value becomes where the contract gives another.
enum class Becomes : std::uint8_t {
  contract,   ///< absent slots: -1 (C7.1); tombstones: page 0 (C6.4)
  zero,       ///< page 0
  minus_one,  ///< -1
  anything,   ///< not looked at
  never,      ///< the builder is given none
};

/// What kinds of calls a builder accepts, and which clauses it is excused from. The default is the whole contract; the
/// fields are those of pagestorm_capabilities (pagestorm/abi.h), which says what each means.
struct Promise {
  std::array<bool, mode_count> modes = {true, true, true, true, true, true, true};
  std::int64_t page_size_low = 1;
  std::int64_t page_size_high = page_size_max;
  bool page_size_power_of_two = false;
  std::int64_t rows_high = 0;                      ///< most rows of a batch; 0 = no limit
  std::array<bool, 2> index_types = {true, true};  ///< by IntType
  std::array<bool, 2> length_types = {true, true};
  std::array<bool, 2> location_types = {true, true};
  std::array<bool, 2> map_types = {true, true};
  bool builds = true;
  bool swa = true;
  bool status = true;
  bool element_zero = true;
  bool clamps = true;
  bool bad_indices = true;
  bool bad_lengths = true;
  bool empty_batch = true;
  bool write_slots = true;
  bool tail_zeros = true;
  bool input_strides = true;
  bool output_strides = true;
  bool own_swa_stride = true;
  bool padded_tables = true;
  bool far_rows = true;
  bool refusals = true;
  bool full_width = false;  ///< columns after the live prefix may be written
  Becomes absent = Becomes::contract;
  Becomes tombstone = Becomes::contract;

  bool operator==(const Promise&) const = default;
};

}  // namespace pagestorm
