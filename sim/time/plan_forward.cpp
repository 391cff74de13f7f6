// What a forward pass is, as queued work.

#include "plan.hpp"

#include <algorithm>

namespace pagestorm::sim::time {
namespace {

constexpr std::int32_t of_indices = 0;  // pinned buffers
constexpr std::int32_t of_lengths = 1;
constexpr std::int64_t many = 64;  // what is new for each forward pass may come again once so many are done

}  // namespace

std::int32_t Plan::turn(std::int64_t ago) const { return static_cast<std::int32_t>((forwards_ - ago) % many); }

Plan::Relayed& Plan::relayed(std::int32_t row) {
  const auto at = static_cast<std::size_t>(row);
  if (at >= relayed_.size()) relayed_.resize(at + 1);
  return relayed_[at];
}

void Plan::launch(const StepWork& work) {
  ++forwards_;
  builder_ = timing_.plan_stream && work.may_plan ? Actor::plan : Actor::forward;
  stage();
  gather(work);
  bound(work);
  queue_.record(scheduled_, Actor::schedule, "scheduled");
  queue_.wait(Actor::forward, scheduled_);
  if (rules_.awaits_load(work.prefills)) queue_.wait(Actor::forward, loaded_);
  if (builder_ == Actor::plan && rules_.plan_awaits_schedule()) queue_.wait(Actor::plan, scheduled_);
  read_done_before_ = read_done_;

  const bool in_graph = timing_.tables == Tables::in_graph && work.captured;
  const std::int32_t table = tables_.acquire(queue_, in_graph ? Actor::forward : builder_, in_graph);
  pass_point(0);
  if (!in_graph) build(work, table);
  pass_point(1);
  compute(work, table);
  publish(work);
  pass_point(4);
  tables_.release(queue_, Actor::forward);
  fenced_ = false;
  take_results();
}

void Plan::pass_point(int point) {
  if (rules_.read_done_point(timing_.read_end) != point) return;
  queue_.record(read_done_, point <= 1 ? builder_ : Actor::forward, "read-done");
}

void Plan::read_shared(const StepWork& work) {
  for (const RowPart& part : work.rows_read)
    queue_.touch({.resource = {Kind::row, part.row}, .span = part.span, .owner = part.owner});
  read(Kind::map, work.maps_read);
}

// The host writes pinned memory, from which the device copies when it gets there.
void Plan::stage() {
  const std::int32_t pair = timing_.staging_reused ? 0 : 2 * turn();
  if (timing_.staging_reused && rules_.awaits_staged_copies()) queue_.wait(Actor::host, staged_);
  queue_.run(Actor::host, "write pinned inputs", forwards_);
  queue_.touch({.resource = {Kind::staging, pair + of_indices}, .writes = true});
  queue_.touch({.resource = {Kind::staging, pair + of_lengths}, .writes = true});
  queue_.run(Actor::schedule, "copy indices in", forwards_);
  queue_.touch({.resource = {Kind::staging, pair + of_indices}});
  if (!rules_.guards_all_staging()) queue_.record(staged_, Actor::schedule, "staged");
  queue_.run(Actor::schedule, "copy lengths in", forwards_);
  queue_.touch({.resource = {Kind::staging, pair + of_lengths}});
  if (rules_.guards_all_staging()) queue_.record(staged_, Actor::schedule, "staged");
}

// The device knows better than the host how long its requests are.
void Plan::gather(const StepWork& work) {
  if (work.speculates && rules_.gathers_after_publish()) queue_.wait(Actor::schedule, published_);
  queue_.run(Actor::schedule, "gather lengths", forwards_);
  if (work.speculates) read(Kind::relay, work.relays);
  queue_.touch({.resource = {Kind::lengths, turn()}, .writes = true});
}

// How wide attention may be: from the host's copy of the lengths where that is needed, else from the context.
void Plan::bound(const StepWork& work) {
  if (!work.speculates) return;
  if (timing_.needs_host_lengths()) {
    if (rules_.awaits_mirror()) queue_.wait(Actor::host, mirrored_);
    queue_.run(Actor::host, "take the longest length", forwards_);
    read(Kind::mirror, work.relays);
    const auto behind = [this](std::int32_t row) { return relayed(row).copied < relayed(row).published; };
    if (std::any_of(work.relays.begin(), work.relays.end(), behind)) queue_.object(Wrong::behind);
    return;
  }
  if (!rules_.takes_static_bound()) {
    queue_.sync(Actor::schedule);
    queue_.run(Actor::host, "take the longest length", forwards_);
    queue_.object(Wrong::waits);
  }
  if (!rules_.leaves_absent_mirror_alone()) {
    queue_.run(Actor::host, "take the longest length", forwards_);
    read(Kind::mirror, work.relays);
    queue_.object(Wrong::absent);
  }
}

void Plan::build(const StepWork& work, std::int32_t table) {
  queue_.run(builder_, "build tables", forwards_);
  queue_.touch({.resource = {Kind::lengths, turn()}});
  read_shared(work);
  queue_.touch({.resource = {Kind::table, table}, .writes = true});
  if (builder_ == Actor::forward) return;
  queue_.record(planned_, builder_, "planned");
  if (rules_.forward_awaits_plan()) queue_.wait(Actor::forward, planned_);
}

void Plan::compute(const StepWork& work, std::int32_t table) {
  const GraphEvents events = timing_.graph_events ? GraphEvents::inside : rules_.without_graph_events();
  if (work.captured) queue_.begin_replay(Actor::forward, events);
  if (timing_.tables == Tables::in_graph && work.captured) {
    queue_.run(Actor::forward, "build tables in the graph", forwards_);
    queue_.touch({.resource = {Kind::lengths, turn()}});
    read_shared(work);
    queue_.touch({.resource = {Kind::table, table}, .writes = true});
  } else if (timing_.read_end >= ReadEnd::in_replay) {
    queue_.run(Actor::forward, "first kernels", forwards_);
    read_shared(work);
  }
  pass_point(2);
  queue_.run(Actor::forward, "layers", forwards_);
  queue_.touch({.resource = {Kind::table, table}});
  read(Kind::kv, work.pages_read);
  read(Kind::swa_kv, work.swa_pages_read);
  write(Kind::kv, work.pages_written);
  write(Kind::swa_kv, work.swa_pages_written);
  if (timing_.read_end >= ReadEnd::post_replay) read_shared(work);
  if (!rules_.translates_once() && !work.maps_read.empty()) queue_.touch(Kind::map, work.pages_written, false, true);
  if (work.captured) queue_.end_replay();
  pass_point(3);
  if (timing_.read_end < ReadEnd::unknown) return;
  queue_.run(Actor::forward, "move accepted tokens", forwards_);
  read_shared(work);
}

// The new lengths go to the next forward pass by way of the relay.
void Plan::publish(const StepWork& work) {
  queue_.run(Actor::forward, "sample", forwards_);
  if (!work.commits) return;
  write(Kind::relay, work.relays);
  for (const std::int32_t row : work.relays) ++relayed(row).published;
  queue_.record(published_, Actor::forward, "published");
  if (timing_.needs_host_lengths() && rules_.copies_out(work.ragged)) copy_out(work);
}

void Plan::copy_out(const StepWork& work) {
  queue_.wait(Actor::copy, rules_.copies_after_publish() ? published_ : scheduled_);
  queue_.run(Actor::copy, "copy lengths out", forwards_);
  read(Kind::relay, work.relays);
  write(Kind::mirror, work.relays);
  for (const std::int32_t row : work.relays) relayed(row).copied = relayed(row).published;
  queue_.record(mirrored_, Actor::copy, "copied out");
}

// The host takes the results of the oldest forward pass once more than `lag` are under way.
void Plan::take_results() {
  queue_.run(Actor::forward, "copy tokens out", forwards_);
  queue_.touch({.resource = {Kind::outputs, turn()}, .writes = true});
  queue_.record(done_, Actor::forward, "done");
  results_.push_back(done_);
  if (static_cast<std::int64_t>(results_.size()) <= timing_.lag) return;
  queue_.wait(Actor::host, results_.front());
  results_.pop_front();
  queue_.run(Actor::host, "take results", forwards_ - timing_.lag);
  queue_.touch({.resource = {Kind::outputs, turn(timing_.lag)}});
}

}  // namespace pagestorm::sim::time
