// What the scheduler's stream is given between two forward passes.

#include "plan.hpp"

#include <algorithm>

namespace pagestorm::sim::time {

void Plan::start(const Timing& timing, Fault fault) {
  timing_ = timing;
  rules_ = {fault};
  queue_.start();
  tables_.start(timing, rules_);
  forwards_ = 0;
  fenced_ = true;
  for (Event* event :
       {&read_done_, &read_done_before_, &done_, &published_, &loaded_, &staged_, &mirrored_, &planned_, &scheduled_})
    *event = {};
  results_.clear();
  relayed_.clear();
}

void Plan::play(const StepWork& work) {
  queue_.next_step();
  schedule(work);
  if (work.has_forward) launch(work);
}

void Plan::schedule(const StepWork& work) {
  const bool idle = work.rows_written.empty() && work.maps_written.empty() && work.rows_issued.empty();
  if (idle && !work.has_forward && !work.frees_by_window) return;
  if (rules_.awaits_load(work.prefills) || !work.has_forward) queue_.wait(Actor::schedule, loaded_);
  if (!rules_.fences_new_rows()) write_rows(work, true);
  fence(work);
  if (rules_.fences_new_rows()) write_rows(work, true);
  write_rows(work, false);
  if (!work.maps_written.empty()) {
    queue_.run(Actor::schedule, work.name);
    write(Kind::map, work.maps_written);
  }
  free_window(work);
  seed(work);
  load(work);
}

// Enqueued with the first work after a launch: on one stream that is as good as right behind it.
void Plan::fence(const StepWork& work) {
  if (fenced_ || (timing_.barrier == Barrier::loop_top && !work.plans_batch)) return;
  const Event& reads = rules_.awaits_the_last_forward() ? read_done_ : read_done_before_;
  const bool whole = timing_.barrier == Barrier::coarse && rules_.awaits_the_last_forward();
  queue_.wait(Actor::schedule, whole ? done_ : reads);
  fenced_ = true;
}

// Rows with a new owner, or the others.
void Plan::write_rows(const StepWork& work, bool issued) {
  const auto is_issued = [&](const RowPart& part) {
    return std::find(work.rows_issued.begin(), work.rows_issued.end(), part.row) != work.rows_issued.end();
  };
  bool any = false;
  for (const RowPart& part : work.rows_written) {
    if (is_issued(part) != issued) continue;
    if (!any) queue_.run(Actor::schedule, work.name);
    any = true;
    queue_.touch({.resource = {Kind::row, part.row}, .span = part.span, .owner = part.owner, .writes = true});
  }
}

// A request row that is given out anew begins with a length of its own.
void Plan::seed(const StepWork& work) {
  if (work.rows_issued.empty()) return;
  queue_.wait(Actor::schedule, published_);
  queue_.wait(Actor::schedule, mirrored_);
  queue_.run(Actor::schedule, "seed lengths");
  write(Kind::relay, work.rows_issued);
  for (const std::int32_t row : work.rows_issued) relayed(row) = {};
}

// Pages may have had another owner a moment ago, whose last forward pass still writes them.
void Plan::load(const StepWork& work) {
  if (work.rows_loaded.empty() && work.pages_loaded.empty()) return;
  queue_.record(scheduled_, Actor::schedule, "scheduled");
  queue_.wait(Actor::load, scheduled_);
  if (rules_.fences_new_pages()) queue_.wait(Actor::load, done_);
  queue_.run(Actor::load, "load");
  for (const RowPart& part : work.rows_loaded)
    queue_.touch({.resource = {Kind::row, part.row}, .span = part.span, .owner = part.owner, .writes = true});
  write(Kind::kv, work.pages_loaded);
  write(Kind::swa_kv, work.swa_pages_loaded);
  queue_.record(loaded_, Actor::load, "loaded");
}

// How much there is to free is known to the device alone where it is filtered there.
void Plan::free_window(const StepWork& work) {
  if (!work.frees_by_window || rules_.frees_without_sync()) return;
  queue_.sync(Actor::schedule);
  queue_.run(Actor::host, "count what is freed");
  queue_.object(Wrong::waits);
}

void Plan::read(Kind kind, std::span<const std::int32_t> ids) { queue_.touch(kind, ids, false); }

void Plan::write(Kind kind, std::span<const std::int32_t> ids) { queue_.touch(kind, ids, true); }

}  // namespace pagestorm::sim::time
