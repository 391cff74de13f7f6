#pragma once
// Faults: a builder with one thing wrong, switched on by name at run time.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace pagestorm {

/// One thing wrong. Each is described by fault_catalogue().
enum class Fault : std::uint8_t {
  none,
  one_page_too_many,
  last_row_skipped,
  stale_page_kept,
  translated_after_dividing,
  tail_not_zeroed,
  spills_past_width,
  offset_in_32_bits,
  negative_slot_divided,
  padding_row_hits_live_slot,
  cumulative_sum_off_by_a_row,
  cumulative_zero_unwritten,
  end_of_page_read,
  neighbour_awaited,
  build_rounds_down,
  lengths_read_on_host,
  draft_step_ignored,
  verify_tokens_ignored,
  swa_stride_borrowed,
  inner_stride_ignored,
  length_cut_to_32_bits,
  page_size_rounded_to_power_of_two,
};

/// What a fault is called and what is wrong.
struct FaultEntry {
  Fault fault = Fault::none;
  std::string_view name;
  std::string_view what;
};

/// Every fault but none, in the order of the enumeration.
std::span<const FaultEntry> fault_catalogue();

/// "none" for Fault::none.
std::string_view fault_name(Fault fault);

std::optional<Fault> fault_by_name(std::string_view name);

}  // namespace pagestorm
