#pragma once
// Every law, by name.

#include <memory>
#include <string_view>
#include <vector>

#include "pagestorm/device_reader.hpp"
#include "pagestorm/fault.hpp"
#include "sim/law.hpp"

namespace pagestorm::props {

std::unique_ptr<sim::Law> agrees_with_reference();
std::unique_ptr<sim::Law> writes_only_live_cells();
std::unique_ptr<sim::Law> swa_slots_are_valid();
std::unique_ptr<sim::Law> reads_only_live_cells();
std::unique_ptr<sim::Law> lane_order_is_irrelevant();
std::unique_ptr<sim::Law> replay_equals_fresh();
std::unique_ptr<sim::Law> padding_is_inert();
std::unique_ptr<sim::Law> paths_agree();
std::unique_ptr<sim::Law> status_is_ored_in();
std::unique_ptr<sim::Law> metadata_needs_no_host_sync();
std::unique_ptr<sim::Law> attention_reads_what_was_written();
std::unique_ptr<sim::Law> draft_tokens_see_their_ancestors();
std::unique_ptr<sim::Law> merged_rows_keep_the_window();
std::unique_ptr<sim::Law> passes_share_out_the_keys();
std::unique_ptr<sim::Law> local_blocks_stay_in_their_chunk();
std::unique_ptr<sim::Law> schedule_follows_lengths();
std::unique_ptr<sim::Law> pools_conserve_pages();
std::unique_ptr<sim::Law> pages_are_contiguous();
std::unique_ptr<sim::Law> swa_map_is_exact();
std::unique_ptr<sim::Law> window_is_backed();
std::unique_ptr<sim::Law> padded_rows_touch_only_the_sink();
std::unique_ptr<sim::Law> reserve_suffices();
std::unique_ptr<sim::Law> lengths_follow_acceptance();
std::unique_ptr<sim::Law> reads_finish_before_reuse();
std::unique_ptr<sim::Law> tables_are_of_one_generation();
std::unique_ptr<sim::Law> host_sees_only_completed_copies();
std::unique_ptr<sim::Law> rows_are_reissued_after_their_last_reader();
std::unique_ptr<sim::Law> sync_free_paths_ignore_the_mirror();

/// attention_reads_what_was_written, the reading done by `reader`, which must outlive the law and be no other's while a
/// scenario is played.
std::unique_ptr<sim::Law> attention_reads_on_device(DeviceReader& reader);

/// That `reader`, as above, reads every pass as the host does. Not in the catalogue: it judges a reader, not a builder.
std::unique_ptr<sim::Law> readers_agree(DeviceReader& reader);

inline constexpr std::string_view readers_agree_name = "readers_agree";

/// A law as the catalogue has it.
struct LawEntry {
  std::string_view name;
  std::unique_ptr<sim::Law> (*make)();
  Fault seen_to_find;  ///< a fault that this law, alone, finds (tests/props/faults_test.cpp)

  /// Whether it judges nothing but what scenarios of the FlashAttention family have.
  bool flash_only() const { return needs_flash(seen_to_find); }
};

/// All laws in the order in which violations are reported: the most telling first.
const std::vector<LawEntry>& law_catalogue();

/// LawEntry::flash_only of the law of that name; false where there is none.
bool is_flash_only(std::string_view name);

/// One object of each law.
std::vector<std::unique_ptr<sim::Law>> all_laws();

}  // namespace pagestorm::props
