#include "pagestorm/fault_facts.hpp"

#include <array>

namespace pagestorm {
namespace {

using enum FaultClass;

constexpr std::array facts = {
    FaultFacts{Fault::one_page_too_many, off_by_one, "", "every row fills the table"},
    FaultFacts{Fault::last_row_skipped, stale_buffer, "", "the last row needs no page"},
    FaultFacts{Fault::stale_page_kept, stale_buffer, "sglang-28569", "no cell holds another page from before"},
    FaultFacts{Fault::translated_after_dividing, swa_translation, "sglang-16267", "no SWA, or pages hold one token"},
    FaultFacts{Fault::tail_not_zeroed, stale_buffer, "", "no SWA, or there are as many write slots as room for them"},
    FaultFacts{Fault::spills_past_width, bounds, "nano-vllm-258 sglang-19016 sglang-35985",
               "no row needs more pages than the table is wide"},
    FaultFacts{Fault::offset_in_32_bits, overflow,
               "aiter-4474 tokenspeed-501 vllm-1486 vllm-50427 vllm-xpu-kernels-445", "row times stride is below 2^31"},
    FaultFacts{Fault::negative_slot_divided, bounds, "sglang-34613", "no slot is absent"},
    FaultFacts{Fault::padding_row_hits_live_slot, padded_row, "", "no row is padded"},
    FaultFacts{Fault::cumulative_sum_off_by_a_row, off_by_one, "", "the batch has no rows"},
    FaultFacts{Fault::cumulative_zero_unwritten, stale_buffer, "", "element 0 is 0 from before"},
    FaultFacts{Fault::end_of_page_read, off_by_one, "", "pages hold one token"},
    FaultFacts{Fault::neighbour_awaited, order, "", "columns are filled from left to right, and no slot is absent"},
    FaultFacts{Fault::build_rounds_down, off_by_one, "", "build is never called, or lengths are whole pages"},
    FaultFacts{Fault::lengths_read_on_host, host_sync, "sglang-28106 sglang-31364",
               "lengths are there when work is enqueued"},
    FaultFacts{Fault::draft_step_ignored, speculation, "", "drafts have one step"},
    FaultFacts{Fault::verify_tokens_ignored, speculation, "", "nothing is drafted or verified"},
    FaultFacts{Fault::swa_stride_borrowed, stride, "", "no SWA, one row, or both tables have the same row stride"},
    FaultFacts{Fault::inner_stride_ignored, stride, "", "columns are adjacent"},
    FaultFacts{Fault::length_cut_to_32_bits, type, "flaggems-5345", "lengths fit 32 bits"},
    FaultFacts{Fault::page_size_rounded_to_power_of_two, stride, "vllm-53906", "the page size is a power of two"},
    FaultFacts{Fault::swa_table_untranslated, swa_translation, "",
               "no SWA, or each page has the same number in both pools"},
    FaultFacts{Fault::swa_skipped_in_draft_extend, swa_translation, "sglang-29858", "no SWA, or no draft extend"},
    FaultFacts{Fault::extend_lengths_always_used, stride, "sglang-21987",
               "a row has one query, or as many as its extend length says"},
    FaultFacts{Fault::queries_one_short, configuration, "sglang-30555", "a row has one query"},
    FaultFacts{Fault::padded_rows_skipped, stale_buffer, "lmdeploy-4569", "no row is padded"},
    FaultFacts{Fault::padded_rows_not_summed, padded_row, "sglang-1789 vllm-ascend-14714", "no row is padded"},
    FaultFacts{Fault::last_length_unwritten, stale_buffer, "sglang-26655", "the batch has no rows"},
    FaultFacts{Fault::last_sum_unwritten, bounds, "sglang-30916", "the batch has no rows"},
    FaultFacts{Fault::empty_batch_skipped, padded_row, "sglang-33892", "the batch has rows"},
    FaultFacts{Fault::write_slots_read_past_end, padded_row, "vllm-13922",
               "no SWA, or there are as many write slots as room for them"},
    FaultFacts{Fault::clamped_one_late, off_by_one, "vllm-ascend-9139",
               "no row needs more pages than the table is wide"},
    FaultFacts{Fault::pages_taken_as_consecutive, off_by_one, "", "the pages of a row follow one another"},
    FaultFacts{Fault::slots_not_divided, stride, "sglang-25556", "pages hold one token"},
    FaultFacts{Fault::divided_twice, stride, "atom-234", "pages hold one token"},
    FaultFacts{Fault::page_size_doubled, type, "sglang-jax-1075", "twice the page size is more than pages may hold"},
    FaultFacts{Fault::status_overwritten, stale_buffer, "", "the caller clears the status word before each call"},
    FaultFacts{Fault::expands_all_steps, bounds, "sglang-25077", "the last step, or one page for every step"},
    FaultFacts{Fault::expand_without_tail, off_by_one, "sglang-15469",
               "pages hold one token, or prefixes end with a page"},
    FaultFacts{Fault::expand_taken_as_consecutive, off_by_one, "", "a branch has one page, or pages that neighbour"},
    FaultFacts{Fault::prefix_keeps_tail, off_by_one, "", "pages hold one token, or prefixes end with a page"},
    FaultFacts{Fault::tree_taken_as_chain, speculation, "", "the draft is a chain"},
    FaultFacts{Fault::draft_token_misses_itself, off_by_one, "", "nothing is verified"},
    FaultFacts{Fault::unseen_tokens_read, bounds, "", "no slot is absent"},
    FaultFacts{Fault::mask_lines_alike, stride, "", "masks have no prefix columns, or rows are of one length"},
    FaultFacts{Fault::merged_prefix_untrimmed, swa_eviction, "", "no SWA, or everything is within the window"},
    FaultFacts{Fault::window_from_prefix_end, off_by_one, "", "no SWA, or the prefix is within the window"},
    FaultFacts{Fault::chunk_cut_to_row, off_by_one, "", "no local attention, or rows are no shorter than a chunk"},
    FaultFacts{Fault::chunks_from_first_query, off_by_one, "", "queries begin with a chunk"},
    FaultFacts{Fault::local_table_in_tokens, stride, "sglang-32902", "pages hold one token"},
    FaultFacts{Fault::prompt_forgotten, swa_eviction, "", "no SWA, or the window holds the whole row"},
    FaultFacts{Fault::rest_rows_unwritten, stale_buffer, "", "there are as many blocks as rows for them"},
    FaultFacts{Fault::shorter_keys_unwritten, stale_buffer, "", "no expanded row gets shorter"},
    FaultFacts{Fault::text_after_longest_encoder, off_by_one, "", "rows have as many tokens of the encoder"},
    FaultFacts{Fault::text_counts_encoder, off_by_one, "", "no row has tokens of an encoder"},
    FaultFacts{Fault::schedule_of_step_before, stale_buffer, "", "no row begins a split"},
    FaultFacts{Fault::schedule_tail_kept, stale_buffer, "", "the schedule is as long as the batch"},
    FaultFacts{Fault::expand_table_untranslated, swa_translation, "sglang-24617",
               "no SWA, or each page has the same number in both pools"},
    FaultFacts{Fault::branch_tail_not_copied, speculation, "sglang-7725",
               "pages hold one token, or prefixes end with a page"},
    FaultFacts{Fault::accepted_path_not_moved, speculation, "", "the draft is a chain"},
    FaultFacts{Fault::evicted_by_scheduled_length, swa_eviction, "vllm-47728", "no SWA, or nothing is drafted"},
    FaultFacts{Fault::window_one_too_short, off_by_one, "sglang-32087", "no SWA, or nothing leaves the window"},
    FaultFacts{Fault::window_kept_while_speculating, swa_eviction, "sglang-33805", "no SWA, or nothing is drafted"},
    FaultFacts{Fault::shared_page_freed_by_owner, sharing, "", "there is no prefix cache"},
    FaultFacts{Fault::freed_slots_stay_mapped, swa_eviction, "sglang-25805", "no SWA"},
    FaultFacts{Fault::map_cleared_for_one_token, swa_eviction, "sglang-27779", "no SWA, or pages hold one token"},
    FaultFacts{Fault::sink_page_freed, swa_eviction, "sglang-38519", "every page that is freed has an SWA page"},
    FaultFacts{Fault::two_pages_one_swa_page, swa_eviction, "sglang-35501", "no SWA, or a window of one page"},
    FaultFacts{Fault::reserve_ignores_lag, bounds, "vllm-16370", "the host is never behind the device"},
    FaultFacts{Fault::reserved_tail_lost, allocation, "sglang-31616 sglang-jax-1147",
               "what was reserved ends with a page"},
    FaultFacts{Fault::tail_page_freed_twice, allocation, "sglang-jax-994", "a request ends with a page"},
    FaultFacts{Fault::retracted_pages_kept, allocation, "", "nobody is retracted"},
    FaultFacts{Fault::row_zero_handed_out, padded_row, "sglang-24243", ""},
    FaultFacts{Fault::padded_row_keeps_index, padded_row, "sglang-26292 vllm-37728", "no row is padded"},
    FaultFacts{Fault::padded_row_keeps_write_slots, padded_row, "sglang-24743 tensorrt-llm-13278", "no row is padded"},
    FaultFacts{Fault::padded_rows_grow, padded_row, "vllm-43682", "no row is padded, or drafts have one step"},
    FaultFacts{Fault::dedup_forgets_row, sharing, "", "the prefix cache never has a page already"},
    FaultFacts{Fault::match_ignores_window, sharing, "tensorrt-llm-10875", "no SWA, or there are no tombstones"},
    FaultFacts{Fault::recovery_leaves_map, sharing, "", "no SWA, or there are no tombstones"},
    FaultFacts{Fault::tombstone_stays_mapped, swa_eviction, "", "no SWA, or there are no tombstones"},
    FaultFacts{Fault::committed_one_too_many, off_by_one, "sglang-24590", "the token ahead completes no page"},
    FaultFacts{Fault::shared_before_written, sharing, "tgi-2489", "prompts are computed as they come"},
    FaultFacts{Fault::load_rounded_up_to_page, sharing, "vllm-34616", "loads end with a page"},
    FaultFacts{Fault::slots_extrapolated, sharing, "tgi-2711", "the pages of a request follow one another"},
    FaultFacts{Fault::accepted_of_the_row_before, speculation, "sglang-18647", "all rows accept the same number"},
    FaultFacts{Fault::one_page_at_most, allocation, "atom-250", "no step needs two pages more"},
    FaultFacts{Fault::window_ignored_by_eviction, swa_eviction, "sglang-22470",
               "no SWA, or the window begins in the page that is not full"},
    FaultFacts{Fault::evicted_pages_stay_mapped, swa_eviction, "vllm-42273", "no SWA, or nothing leaves the window"},
    FaultFacts{Fault::failed_load_counts, sharing, "dynamo-15079", "nothing is loaded"},
    FaultFacts{Fault::readmitted_to_old_row, stale_buffer, "tensorrt-llm-13592",
               "nobody comes back to a row that another has"},
    FaultFacts{Fault::read_done_one_point_early, order, "", "nothing is written between the two points"},
    FaultFacts{Fault::graph_event_before_replay, order, "", "graphs can hold events, or reads end before the replay"},
    FaultFacts{Fault::read_done_of_the_forward_before, order, "", "the host waits for each pass before the next"},
    FaultFacts{Fault::buffer_reused_without_event, order, "", "each pass has a buffer that no pass under way reads"},
    FaultFacts{Fault::table_freed_to_its_stream, order, "",
               "tables are read on the stream that they were made on, or the lag is 1"},
    FaultFacts{Fault::plan_not_joined, order, "", "there is no plan stream"},
    FaultFacts{Fault::plan_ahead_of_schedule, order, "", "there is no plan stream"},
    FaultFacts{Fault::live_map_read_again, order, "sglang-33587", "no SWA, or reads end with the pass"},
    FaultFacts{Fault::staging_overwritten, stale_buffer, "tensorrt-llm-15546", "pinned inputs are fresh in each pass"},
    FaultFacts{Fault::staging_guarded_in_part, stale_buffer, "vllm-24527", "pinned inputs are fresh in each pass"},
    FaultFacts{Fault::mirror_read_before_copy, host_sync, "vllm-36013", "no lengths are read on the host"},
    FaultFacts{Fault::mirror_copied_before_publish, host_sync, "", "no lengths are read on the host"},
    FaultFacts{Fault::lengths_gathered_before_publish, order, "", "nothing is verified"},
    FaultFacts{Fault::row_reissued_in_flight, order, "sglang-18803", "no row is given out again while a pass reads it"},
    FaultFacts{Fault::page_reissued_in_flight, order, "vllm-45357", "no page is filled from elsewhere"},
    FaultFacts{Fault::load_awaited_by_prefill_only, order, "sglang-19177",
               "nothing is filled from elsewhere, or all of it is prefilled after"},
    FaultFacts{Fault::host_maximum_taken, host_sync, "sglang-29343", "the path needs lengths on the host"},
    FaultFacts{Fault::absent_mirror_read, host_sync, "", "lengths are copied to the host"},
    FaultFacts{Fault::mirror_left_behind, host_sync, "", "nothing is verified ragged"},
    FaultFacts{Fault::free_waits_for_device, host_sync, "sglang-36751", "no SWA pages are freed by an eviction"},
};

}  // namespace

std::string_view name_of(FaultClass kind) {
  switch (kind) {
    case unclassed: return "unclassed";
    case bounds: return "bounds";
    case off_by_one: return "off by one";
    case stale_buffer: return "stale buffer";
    case padded_row: return "padded row";
    case swa_translation: return "SWA translation";
    case swa_eviction: return "SWA eviction";
    case allocation: return "allocation";
    case speculation: return "speculation";
    case overflow: return "overflow";
    case stride: return "stride";
    case sharing: return "sharing";
    case order: return "order";
    case host_sync: return "host sync";
    case type: return "type";
    case configuration: return "configuration";
  }
  return "";
}

FaultFacts fault_facts(Fault fault) {
  for (const FaultFacts& known : facts)
    if (known.fault == fault) return known;
  return {.fault = fault};
}

std::span<const FaultFacts> fault_fact_list() { return facts; }

}  // namespace pagestorm
