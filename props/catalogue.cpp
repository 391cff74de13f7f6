#include "laws.hpp"

namespace pagestorm::props {

const std::vector<LawEntry>& law_catalogue() {
  static const std::vector<LawEntry> catalogue = {
      {"writes_only_live_cells", writes_only_live_cells, Fault::spills_past_width},
      {"agrees_with_reference", agrees_with_reference, Fault::verify_tokens_ignored},
      {"swa_slots_are_valid", swa_slots_are_valid, Fault::translated_after_dividing},
      {"reads_only_live_cells", reads_only_live_cells, Fault::end_of_page_read},
      {"lane_order_is_irrelevant", lane_order_is_irrelevant, Fault::neighbour_awaited},
      {"replay_equals_fresh", replay_equals_fresh, Fault::stale_page_kept},
      {"padding_is_inert", padding_is_inert, Fault::padding_row_hits_live_slot},
      {"paths_agree", paths_agree, Fault::build_rounds_down},
      {"status_is_ored_in", status_is_ored_in, Fault::status_overwritten},
      {"metadata_needs_no_host_sync", metadata_needs_no_host_sync, Fault::lengths_read_on_host},
      {"draft_tokens_see_their_ancestors", draft_tokens_see_their_ancestors, Fault::tree_taken_as_chain},
      {"merged_rows_keep_the_window", merged_rows_keep_the_window, Fault::merged_prefix_untrimmed},
      {"passes_share_out_the_keys", passes_share_out_the_keys, Fault::prefix_keeps_tail},
      {"local_blocks_stay_in_their_chunk", local_blocks_stay_in_their_chunk, Fault::chunks_from_first_query},
      {"schedule_follows_lengths", schedule_follows_lengths, Fault::schedule_of_step_before},
      {"pools_conserve_pages", pools_conserve_pages, Fault::shared_page_freed_by_owner},
      {"pages_are_contiguous", pages_are_contiguous, Fault::dedup_forgets_row},
      {"swa_map_is_exact", swa_map_is_exact, Fault::freed_slots_stay_mapped},
      {"window_is_backed", window_is_backed, Fault::evicted_by_scheduled_length},
      {"padded_rows_touch_only_the_sink", padded_rows_touch_only_the_sink, Fault::padded_row_keeps_index},
      {"reserve_suffices", reserve_suffices, Fault::reserve_ignores_lag},
      {"lengths_follow_acceptance", lengths_follow_acceptance, Fault::accepted_of_the_row_before},
      {"attention_reads_what_was_written", attention_reads_what_was_written, Fault::load_rounded_up_to_page},
      {"reads_finish_before_reuse", reads_finish_before_reuse, Fault::read_done_one_point_early},
      {"tables_are_of_one_generation", tables_are_of_one_generation, Fault::buffer_reused_without_event},
      {"host_sees_only_completed_copies", host_sees_only_completed_copies, Fault::staging_overwritten},
      {"rows_are_reissued_after_their_last_reader", rows_are_reissued_after_their_last_reader,
       Fault::row_reissued_in_flight},
      {"sync_free_paths_ignore_the_mirror", sync_free_paths_ignore_the_mirror, Fault::host_maximum_taken},
  };
  return catalogue;
}

bool is_flash_only(std::string_view name) {
  for (const LawEntry& entry : law_catalogue())
    if (entry.name == name) return entry.flash_only();
  return false;
}

std::vector<std::unique_ptr<sim::Law>> all_laws() {
  std::vector<std::unique_ptr<sim::Law>> laws;
  for (const LawEntry& entry : law_catalogue()) laws.push_back(entry.make());
  return laws;
}

}  // namespace pagestorm::props
