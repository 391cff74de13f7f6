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
  swa_table_untranslated,
  swa_skipped_in_draft_extend,
  extend_lengths_always_used,
  queries_one_short,
  padded_rows_skipped,
  padded_rows_not_summed,
  last_length_unwritten,
  last_sum_unwritten,
  empty_batch_skipped,
  write_slots_read_past_end,
  clamped_one_late,
  pages_taken_as_consecutive,
  slots_not_divided,
  divided_twice,
  page_size_doubled,
  status_overwritten,
  // in the operations of the FlashAttention family
  expands_all_steps,
  expand_without_tail,
  expand_taken_as_consecutive,
  prefix_keeps_tail,
  tree_taken_as_chain,
  draft_token_misses_itself,
  unseen_tokens_read,
  mask_lines_alike,
  merged_prefix_untrimmed,
  window_from_prefix_end,
  chunk_cut_to_row,
  chunks_from_first_query,
  local_table_in_tokens,
  prompt_forgotten,
  rest_rows_unwritten,
  shorter_keys_unwritten,
  text_after_longest_encoder,
  text_counts_encoder,
  schedule_of_step_before,
  schedule_tail_kept,
  expand_table_untranslated,
  branch_tail_not_copied,
  accepted_path_not_moved,
  // in the engine around the builder
  evicted_by_scheduled_length,
  window_one_too_short,
  window_kept_while_speculating,
  shared_page_freed_by_owner,
  freed_slots_stay_mapped,
  map_cleared_for_one_token,
  sink_page_freed,
  two_pages_one_swa_page,
  reserve_ignores_lag,
  reserved_tail_lost,
  tail_page_freed_twice,
  retracted_pages_kept,
  row_zero_handed_out,
  padded_row_keeps_index,
  padded_row_keeps_write_slots,
  padded_rows_grow,
  dedup_forgets_row,
  match_ignores_window,
  recovery_leaves_map,
  tombstone_stays_mapped,
  committed_one_too_many,
  shared_before_written,
  load_rounded_up_to_page,
  slots_extrapolated,
  accepted_of_the_row_before,
  one_page_at_most,
  window_ignored_by_eviction,
  evicted_pages_stay_mapped,
  failed_load_counts,
  readmitted_to_old_row,
  // in what the engine waits for
  read_done_one_point_early,
  graph_event_before_replay,
  read_done_of_the_forward_before,
  buffer_reused_without_event,
  table_freed_to_its_stream,
  plan_not_joined,
  plan_ahead_of_schedule,
  live_map_read_again,
  staging_overwritten,
  staging_guarded_in_part,
  mirror_read_before_copy,
  mirror_copied_before_publish,
  lengths_gathered_before_publish,
  row_reissued_in_flight,
  page_reissued_in_flight,
  load_awaited_by_prefill_only,
  host_maximum_taken,
  absent_mirror_read,
  mirror_left_behind,
  free_waits_for_device,
};

/// Where a fault is: in the builder under test, or in the engine that the simulator models.
enum class FaultSite : std::uint8_t { builder, engine };

/// What a fault is called and what is wrong.
struct FaultEntry {
  Fault fault = Fault::none;
  FaultSite site = FaultSite::builder;
  std::string_view name;
  std::string_view what;
};

/// Every fault but none, in the order of the enumeration.
std::span<const FaultEntry> fault_catalogue();

/// "none" for Fault::none.
std::string_view fault_name(Fault fault);

std::optional<Fault> fault_by_name(std::string_view name);

/// FaultSite::builder for Fault::none.
FaultSite fault_site(Fault fault);

/// Whether only scenarios of the FlashAttention family can show it.
constexpr bool needs_flash(Fault fault) {
  return fault >= Fault::expands_all_steps && fault <= Fault::accepted_path_not_moved;
}

/// `fault` where it is at `site`; none elsewhere.
inline Fault fault_at(FaultSite site, Fault fault) { return fault_site(fault) == site ? fault : Fault::none; }

}  // namespace pagestorm
