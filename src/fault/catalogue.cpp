#include <array>

#include "pagestorm/fault.hpp"

namespace pagestorm {
namespace {

constexpr FaultSite engine = FaultSite::engine;

constexpr std::array catalogue = {
    FaultEntry{Fault::one_page_too_many, FaultSite::builder, "one_page_too_many",
               "a row gets a page more than its length needs"},
    FaultEntry{Fault::last_row_skipped, FaultSite::builder, "last_row_skipped",
               "the last row of the batch is not filled"},
    FaultEntry{Fault::stale_page_kept, FaultSite::builder, "stale_page_kept",
               "a cell that already holds a page is not written again"},
    FaultEntry{Fault::translated_after_dividing, FaultSite::builder, "translated_after_dividing",
               "the page, not the slot, is looked up in the full-to-SWA map"},
    FaultEntry{Fault::tail_not_zeroed, FaultSite::builder, "tail_not_zeroed",
               "swa_out_cache_loc keeps its old content after the last slot"},
    FaultEntry{Fault::spills_past_width, FaultSite::builder, "spills_past_width",
               "a row is not cut at the width of the table"},
    FaultEntry{Fault::offset_in_32_bits, FaultSite::builder, "offset_in_32_bits",
               "row times stride is computed in 32 bits"},
    FaultEntry{Fault::negative_slot_divided, FaultSite::builder, "negative_slot_divided",
               "an absent slot is divided like any other"},
    FaultEntry{Fault::padding_row_hits_live_slot, FaultSite::builder, "padding_row_hits_live_slot",
               "a padded row reads request row 1"},
    FaultEntry{Fault::cumulative_sum_off_by_a_row, FaultSite::builder, "cumulative_sum_off_by_a_row",
               "cumulative lengths are stored a row too early"},
    FaultEntry{Fault::cumulative_zero_unwritten, FaultSite::builder, "cumulative_zero_unwritten",
               "element 0 of the cumulative lengths is assumed to be 0 already"},
    FaultEntry{Fault::end_of_page_read, FaultSite::builder, "end_of_page_read",
               "the last slot of a page is read instead of the first"},
    FaultEntry{Fault::neighbour_awaited, FaultSite::builder, "neighbour_awaited",
               "a cell is only filled when its left neighbour holds a page"},
    FaultEntry{Fault::build_rounds_down, FaultSite::builder, "build_rounds_down",
               "build, unlike apply, drops the page that is not full"},
    FaultEntry{Fault::lengths_read_on_host, FaultSite::builder, "lengths_read_on_host",
               "the host reads the longest length when the work is enqueued, and cuts the table there"},
    FaultEntry{Fault::draft_step_ignored, FaultSite::builder, "draft_step_ignored",
               "every draft step counts the tokens of step 0"},
    FaultEntry{Fault::verify_tokens_ignored, FaultSite::builder, "verify_tokens_ignored",
               "the draft tokens under verification are not counted"},
    FaultEntry{Fault::swa_stride_borrowed, FaultSite::builder, "swa_stride_borrowed",
               "swa_page_table is written with the row stride of page_table"},
    FaultEntry{Fault::inner_stride_ignored, FaultSite::builder, "inner_stride_ignored",
               "the columns of both tables are taken as adjacent"},
    FaultEntry{Fault::length_cut_to_32_bits, FaultSite::builder, "length_cut_to_32_bits",
               "an int64 length is cut to its low 32 bits"},
    FaultEntry{Fault::page_size_rounded_to_power_of_two, FaultSite::builder, "page_size_rounded_to_power_of_two",
               "a page size that is no power of two is rounded down to one"},
    FaultEntry{Fault::swa_table_untranslated, FaultSite::builder, "swa_table_untranslated",
               "swa_page_table holds pages of the full pool"},
    FaultEntry{Fault::swa_skipped_in_draft_extend, FaultSite::builder, "swa_skipped_in_draft_extend",
               "draft extend alone leaves swa_page_table with pages of the full pool"},
    FaultEntry{Fault::extend_lengths_always_used, FaultSite::builder, "extend_lengths_always_used",
               "queries are summed from extend_seq_lens where every row has the same number"},
    FaultEntry{Fault::queries_one_short, FaultSite::builder, "queries_one_short",
               "a row of a verify or draft extend counts one query too few"},
    FaultEntry{Fault::padded_rows_skipped, FaultSite::builder, "padded_rows_skipped",
               "the tables of padded rows are not filled"},
    FaultEntry{Fault::padded_rows_not_summed, FaultSite::builder, "padded_rows_not_summed",
               "cumulative lengths end with the real rows"},
    FaultEntry{Fault::last_length_unwritten, FaultSite::builder, "last_length_unwritten",
               "the length of the last row is not written"},
    FaultEntry{Fault::last_sum_unwritten, FaultSite::builder, "last_sum_unwritten",
               "the last element of the cumulative lengths is not written"},
    FaultEntry{Fault::empty_batch_skipped, FaultSite::builder, "empty_batch_skipped",
               "nothing at all is written for a batch without rows"},
    FaultEntry{Fault::write_slots_read_past_end, FaultSite::builder, "write_slots_read_past_end",
               "two write slots more than given are translated"},
    FaultEntry{Fault::clamped_one_late, FaultSite::builder, "clamped_one_late",
               "a row is cut one column behind the width of the table"},
    FaultEntry{Fault::pages_taken_as_consecutive, FaultSite::builder, "pages_taken_as_consecutive",
               "the pages of a row are counted on from its first"},
    FaultEntry{Fault::slots_not_divided, FaultSite::builder, "slots_not_divided", "page_table holds slots"},
    FaultEntry{Fault::divided_twice, FaultSite::builder, "divided_twice", "a slot is divided by the page size twice"},
    FaultEntry{Fault::page_size_doubled, FaultSite::builder, "page_size_doubled",
               "pages are taken to be twice as large as they are"},
    FaultEntry{Fault::evicted_by_scheduled_length, engine, "evicted_by_scheduled_length",
               "the window moves on with draft tokens that are still to be verified"},
    FaultEntry{Fault::window_one_too_short, engine, "window_one_too_short", "the oldest key of the window is evicted"},
    FaultEntry{Fault::window_kept_while_speculating, engine, "window_kept_while_speculating",
               "a request that speculates is never evicted from"},
    FaultEntry{Fault::shared_page_freed_by_owner, engine, "shared_page_freed_by_owner",
               "a request that ends frees the pages that it has from the prefix cache"},
    FaultEntry{Fault::freed_slots_stay_mapped, engine, "freed_slots_stay_mapped",
               "freed slots keep their entries in the full-to-SWA map"},
    FaultEntry{Fault::map_cleared_for_one_token, engine, "map_cleared_for_one_token",
               "of a freed page only the first slot leaves the full-to-SWA map"},
    FaultEntry{Fault::sink_page_freed, engine, "sink_page_freed", "a page without an SWA page gives SWA page 0 back"},
    FaultEntry{Fault::two_pages_one_swa_page, engine, "two_pages_one_swa_page",
               "two full pages are mapped to one SWA page"},
    FaultEntry{Fault::reserve_ignores_lag, engine, "reserve_ignores_lag",
               "slots are reserved as if the host knew what the last verify accepted"},
    FaultEntry{Fault::reserved_tail_lost, engine, "reserved_tail_lost",
               "the last page of a reservation that ends within it is never given back"},
    FaultEntry{Fault::tail_page_freed_twice, engine, "tail_page_freed_twice",
               "the page that is not full is freed with the tokens and with the reservation"},
    FaultEntry{Fault::retracted_pages_kept, engine, "retracted_pages_kept", "a retracted request keeps its pages"},
    FaultEntry{Fault::row_zero_handed_out, engine, "row_zero_handed_out", "a request may get request row 0"},
    FaultEntry{Fault::padded_row_keeps_index, engine, "padded_row_keeps_index",
               "padded rows keep the request row of the last batch"},
    FaultEntry{Fault::padded_row_keeps_write_slots, engine, "padded_row_keeps_write_slots",
               "padded rows keep the write slots of the last batch"},
    FaultEntry{Fault::padded_rows_grow, engine, "padded_rows_grow",
               "the lengths of padded rows grow with the draft steps"},
    FaultEntry{Fault::dedup_forgets_row, engine, "dedup_forgets_row",
               "a page that the prefix cache had already is freed, but the row still names it"},
    FaultEntry{Fault::match_ignores_window, engine, "match_ignores_window",
               "a prefix is reused although tombstones stand in its window"},
    FaultEntry{Fault::recovery_leaves_map, engine, "recovery_leaves_map",
               "a tombstone that gets an SWA page again is not mapped to it"},
    FaultEntry{Fault::tombstone_stays_mapped, engine, "tombstone_stays_mapped",
               "a page whose SWA page the prefix cache gave back stays mapped to it"},
    FaultEntry{Fault::committed_one_too_many, engine, "committed_one_too_many",
               "a token that is not computed yet goes to the prefix cache"},
    FaultEntry{Fault::shared_before_written, engine, "shared_before_written",
               "a prompt goes to the prefix cache before it is computed"},
    FaultEntry{Fault::load_rounded_up_to_page, engine, "load_rounded_up_to_page",
               "a load that ends within a page counts as a whole page"},
    FaultEntry{Fault::slots_extrapolated, engine, "slots_extrapolated",
               "write slots are counted on from the first instead of looked up"},
    FaultEntry{Fault::accepted_of_the_row_before, engine, "accepted_of_the_row_before",
               "a request is given what the row before it accepted"},
    FaultEntry{Fault::one_page_at_most, engine, "one_page_at_most", "a step gets a request one more page at most"},
    FaultEntry{Fault::window_ignored_by_eviction, engine, "window_ignored_by_eviction",
               "an eviction gives back every whole page up to the end of the sequence"},
    FaultEntry{Fault::evicted_pages_stay_mapped, engine, "evicted_pages_stay_mapped",
               "pages that left the window stay mapped to the SWA pages that they gave back"},
    FaultEntry{Fault::failed_load_counts, engine, "failed_load_counts",
               "a load that failed half way counts as complete"},
    FaultEntry{Fault::readmitted_to_old_row, engine, "readmitted_to_old_row",
               "a request that comes back goes to the request row that it had"},
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

FaultSite fault_site(Fault fault) {
  for (const FaultEntry& entry : catalogue)
    if (entry.fault == fault) return entry.site;
  return FaultSite::builder;
}

}  // namespace pagestorm
