#pragma once
// What an overlapped engine waits for, one small function each. A named fault bends the one decision that it is about.

#include <algorithm>

#include "../timing.hpp"
#include "pagestorm/fault.hpp"
#include "queue.hpp"

namespace pagestorm::sim::time {

struct TimeRules {
  Fault fault = Fault::none;

  bool is(Fault which) const { return fault == which; }

  /// The point of a forward pass where it says that its reads are done, 0 (its launch) to 4 (its end).
  int read_done_point(ReadEnd end) const {
    return 1 + static_cast<int>(end) - (is(Fault::read_done_one_point_early) ? 1 : 0);
  }
  /// What becomes of an event inside a graph where such events are not supported.
  GraphEvents without_graph_events() const {
    return is(Fault::graph_event_before_replay) ? GraphEvents::before : GraphEvents::after;
  }
  bool awaits_the_last_forward() const { return !is(Fault::read_done_of_the_forward_before); }

  bool awaits_readers_of_slot() const { return !is(Fault::buffer_reused_without_event); }
  bool records_streams_of_tables() const { return !is(Fault::table_freed_to_its_stream); }
  bool forward_awaits_plan() const { return !is(Fault::plan_not_joined); }
  bool plan_awaits_schedule() const { return !is(Fault::plan_ahead_of_schedule); }
  bool translates_once() const { return !is(Fault::live_map_read_again); }

  bool awaits_staged_copies() const { return !is(Fault::staging_overwritten); }
  bool guards_all_staging() const { return !is(Fault::staging_guarded_in_part); }
  bool awaits_mirror() const { return !is(Fault::mirror_read_before_copy); }
  bool copies_after_publish() const { return !is(Fault::mirror_copied_before_publish); }
  bool copies_out(bool ragged) const { return !ragged || !is(Fault::mirror_left_behind); }
  bool gathers_after_publish() const { return !is(Fault::lengths_gathered_before_publish); }

  bool fences_new_rows() const { return !is(Fault::row_reissued_in_flight); }
  bool fences_new_pages() const { return !is(Fault::page_reissued_in_flight); }
  bool awaits_load(bool prefills) const { return prefills || !is(Fault::load_awaited_by_prefill_only); }

  bool takes_static_bound() const { return !is(Fault::host_maximum_taken); }
  bool leaves_absent_mirror_alone() const { return !is(Fault::absent_mirror_read); }
  bool frees_without_sync() const { return !is(Fault::free_waits_for_device); }
};

}  // namespace pagestorm::sim::time
