#include <array>

#include "pagestorm/fault.hpp"

namespace pagestorm {
namespace {

constexpr std::array catalogue = {
    FaultEntry{Fault::one_page_too_many, "one_page_too_many", "a row gets a page more than its length needs"},
    FaultEntry{Fault::last_row_skipped, "last_row_skipped", "the last row of the batch is not filled"},
    FaultEntry{Fault::stale_page_kept, "stale_page_kept", "a cell that already holds a page is not written again"},
    FaultEntry{Fault::translated_after_dividing, "translated_after_dividing",
               "the page, not the slot, is looked up in the full-to-SWA map"},
    FaultEntry{Fault::tail_not_zeroed, "tail_not_zeroed",
               "swa_out_cache_loc keeps its old content after the last slot"},
    FaultEntry{Fault::spills_past_width, "spills_past_width", "a row is not cut at the width of the table"},
    FaultEntry{Fault::offset_in_32_bits, "offset_in_32_bits", "row times stride is computed in 32 bits"},
    FaultEntry{Fault::negative_slot_divided, "negative_slot_divided", "an absent slot is divided like any other"},
    FaultEntry{Fault::padding_row_hits_live_slot, "padding_row_hits_live_slot", "a padded row reads request row 1"},
    FaultEntry{Fault::cumulative_sum_off_by_a_row, "cumulative_sum_off_by_a_row",
               "cumulative lengths are stored a row too early"},
    FaultEntry{Fault::cumulative_zero_unwritten, "cumulative_zero_unwritten",
               "element 0 of the cumulative lengths is assumed to be 0 already"},
    FaultEntry{Fault::end_of_page_read, "end_of_page_read", "the last slot of a page is read instead of the first"},
    FaultEntry{Fault::neighbour_awaited, "neighbour_awaited",
               "a cell is only filled when its left neighbour holds a page"},
    FaultEntry{Fault::build_rounds_down, "build_rounds_down", "build, unlike apply, drops the page that is not full"},
    FaultEntry{Fault::lengths_read_on_host, "lengths_read_on_host",
               "the host reads the longest length when the work is enqueued, and cuts the table there"},
    FaultEntry{Fault::draft_step_ignored, "draft_step_ignored", "every draft step counts the tokens of step 0"},
    FaultEntry{Fault::verify_tokens_ignored, "verify_tokens_ignored",
               "the draft tokens under verification are not counted"},
    FaultEntry{Fault::swa_stride_borrowed, "swa_stride_borrowed",
               "swa_page_table is written with the row stride of page_table"},
    FaultEntry{Fault::inner_stride_ignored, "inner_stride_ignored", "the columns of both tables are taken as adjacent"},
    FaultEntry{Fault::length_cut_to_32_bits, "length_cut_to_32_bits", "an int64 length is cut to its low 32 bits"},
    FaultEntry{Fault::page_size_rounded_to_power_of_two, "page_size_rounded_to_power_of_two",
               "a page size that is no power of two is rounded down to one"},
};

}  // namespace

std::span<const FaultEntry> fault_catalogue() { return catalogue; }

std::string_view fault_name(Fault fault) {
  for (const FaultEntry& entry : catalogue)
    if (entry.fault == fault) return entry.name;
  return "none";
}

std::optional<Fault> fault_by_name(std::string_view name) {
  for (const FaultEntry& entry : catalogue)
    if (entry.name == name) return entry.fault;
  return name == "none" ? std::optional(Fault::none) : std::nullopt;
}

}  // namespace pagestorm
