#pragma once
// What an engine decides about its memory, one small function each. A named fault bends the one decision that it is about.

#include <algorithm>
#include <cstdint>

#include "pagestorm/fault.hpp"

namespace pagestorm::sim {

struct EngineRules {
  Fault fault = Fault::none;

  bool is(Fault which) const { return fault == which; }

  /// Length that decides which pages have left the window: what is processed, not what is under way.
  std::int64_t eviction_length(std::int64_t processed, std::int64_t scheduled) const {
    return is(Fault::evicted_by_scheduled_length) ? scheduled : processed;
  }
  std::int64_t window(std::int64_t tokens) const {
    // One more than a query needs is kept, so the oldest key is lost two tokens later.
    return is(Fault::window_one_too_short) ? std::max<std::int64_t>(0, tokens - 2) : tokens;
  }
  /// The first column that an eviction keeps, when the window begins in column `windowed` of `whole` full ones.
  std::int64_t first_kept(std::int64_t windowed, std::int64_t whole) const {
    return is(Fault::window_ignored_by_eviction) ? whole : windowed;
  }
  bool evicts_between_verifies() const { return !is(Fault::window_kept_while_speculating); }

  /// Tokens that a speculative step makes sure of, when the host knows `known` of them and a loop touches `ahead`:
  /// the device may already be `ahead` further than the host knows.
  std::int64_t reserve(std::int64_t known, std::int64_t ahead) const {
    return known + (is(Fault::reserve_ignores_lag) ? 1 : 2) * ahead;
  }

  /// The first column of its own that a request gives back, when `shared` columns belong to the prefix cache.
  std::int64_t first_owned_column(std::int64_t shared) const {
    return is(Fault::shared_page_freed_by_owner) ? 0 : shared;
  }
  /// Columns of a request that covers `tokens` with `pages` pages.
  std::int64_t released_columns(std::int64_t pages, std::int64_t tokens, std::int64_t page_size) const {
    return is(Fault::reserved_tail_lost) ? std::min(pages, tokens / page_size) : pages;
  }
  bool frees_tail_twice() const { return is(Fault::tail_page_freed_twice); }
  bool frees_on_retract() const { return !is(Fault::retracted_pages_kept); }

  /// Slots of a freed page whose mapping is taken away.
  std::int64_t unmapped_slots(std::int64_t page_size) const {
    if (is(Fault::freed_slots_stay_mapped)) return 0;
    return is(Fault::map_cleared_for_one_token) ? 1 : page_size;
  }
  bool unmaps_evicted() const { return !is(Fault::evicted_pages_stay_mapped); }
  bool unmaps_tombstones() const { return !is(Fault::tombstone_stays_mapped); }
  bool frees_unmapped_pages() const { return is(Fault::sink_page_freed); }
  bool doubles_mappings() const { return is(Fault::two_pages_one_swa_page); }

  /// The row that is handed out `turn`th to last of `rows`.
  std::int64_t free_row(std::int64_t turn, std::int64_t rows) const {
    return is(Fault::row_zero_handed_out) ? rows - 1 - turn : 1 + turn;
  }
  bool refreshes_padded_indices() const { return !is(Fault::padded_row_keeps_index); }
  bool refreshes_padded_write_slots() const { return !is(Fault::padded_row_keeps_write_slots); }
  std::int64_t padded_length(std::int64_t fill, std::int64_t draft_step) const {
    return is(Fault::padded_rows_grow) ? fill + draft_step : fill;
  }

  bool rewrites_rows_on_dedup() const { return !is(Fault::dedup_forgets_row); }
  /// Tokens that must have SWA pages where a prefix is reused.
  std::int64_t matched_window(std::int64_t window) const { return is(Fault::match_ignores_window) ? 1 : window; }
  bool remaps_on_recovery() const { return !is(Fault::recovery_leaves_map); }
  /// Tokens that the prefix cache is told are there.
  std::int64_t shared_tokens(std::int64_t committed) const {
    return committed + (is(Fault::committed_one_too_many) ? 1 : 0);
  }
  bool shares_before_written() const { return is(Fault::shared_before_written); }
  /// Tokens that a new request counts as computed when `tokens` were loaded.
  std::int64_t loaded_tokens(std::int64_t tokens, std::int64_t page_size) const {
    return is(Fault::load_rounded_up_to_page) ? (tokens + page_size - 1) / page_size * page_size : tokens;
  }
  /// Tokens that arrived of a load of `tokens`.
  std::int64_t arrived_tokens(std::int64_t tokens) const { return is(Fault::failed_load_counts) ? tokens / 2 : tokens; }
  /// Pages that a request gets when it asks for `wanted`.
  std::int64_t granted_pages(std::int64_t wanted) const {
    return is(Fault::one_page_at_most) ? std::min<std::int64_t>(wanted, 1) : wanted;
  }
  std::int64_t readmitted_row(std::int64_t next, std::int64_t before) const {
    return is(Fault::readmitted_to_old_row) ? before : next;
  }
  bool copies_tails() const { return !is(Fault::branch_tail_not_copied); }
  bool moves_accepted() const { return !is(Fault::accepted_path_not_moved); }
  bool extrapolates_slots() const { return is(Fault::slots_extrapolated); }
  /// The row of the batch whose accepted tokens a row is given.
  std::int64_t accepted_row(std::int64_t row) const {
    return is(Fault::accepted_of_the_row_before) && row > 0 ? row - 1 : row;
  }
};

}  // namespace pagestorm::sim
