#include "queue.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace pagestorm::sim::time {

void Queue::start() {
  clocks_ = {};
  last_.fill(-1);
  operations_.clear();
  sets_.clear();
  ids_.clear();
  ids_kept_ = 0;
  first_ = 0;
  places_ = 0;
  waits_.clear();
  replays_.clear();
  hazards_.clear();
  replay_.reset();
  shadow_.start();
}

std::int64_t Queue::run(Actor actor, std::string_view name, std::int64_t forward) {
  clock(actor).join(host());
  const std::uint32_t tick = clock(actor).tick(actor);
  last_[static_cast<std::size_t>(actor)] = end();
  operations_.push_back({name, actor, tick, forward, places_++, clock(actor), sets_.size(), 0});
  return end() - 1;
}

Touch Queue::touch_of(const Access& access) const {
  const Operation& operation = operations_.back();
  return {.operation = static_cast<std::uint32_t>(end() - 1),
          .tick = operation.tick,
          .owner = access.owner,
          .actor = operation.actor,
          .writes = access.writes,
          .again = access.again};
}

void Queue::add_set(const Access& access, std::span<const std::int32_t> ids) {
  sets_.push_back({access, ids_.size(), ids.size()});
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  ++operations_.back().sets;
}

void Queue::touch(const Access& access) {
  if (access.resource.kind != Kind::row)
    return touch(access.resource.kind, std::span(&access.resource.id, 1), access.writes, access.again);
  if (access.span.empty()) return;
  add_set(access, std::span(&access.resource.id, 1));
  const VectorClock& clock = operations_.back().clock;
  const auto before = shadow_.note_row(access.resource.id, access.span, touch_of(access), clock, host());
  if (before) add_hazard(*before, access);
}

void Queue::touch(Kind kind, std::span<const std::int32_t> ids, bool writes, bool again) {
  Access access{.resource = {kind, 0}, .writes = writes, .again = again};
  add_set(access, ids);
  met_.clear();
  shadow_.note(kind, ids, touch_of(access), operations_.back().clock, host(), met_);
  for (const Met& met : met_) {
    access.resource.id = ids[met.index];
    add_hazard(met.before, access);
  }
}

std::vector<Access> Queue::accesses(const Operation& operation) const {
  std::vector<Access> all;
  for (const AccessSet& set : std::span(sets_).subspan(operation.first_set, operation.sets))
    for (const std::int32_t id : std::span(ids_).subspan(set.first_id, set.ids))
      all.emplace_back(set.access).resource.id = id;
  return all;
}

// One report of two operations is enough.
void Queue::add_hazard(const Touch& before, const Access& access) {
  const auto earlier = static_cast<std::int64_t>(before.operation);
  const auto known = [&](const Hazard& hazard) {
    return hazard.earlier == earlier && hazard.later == end() - 1 && hazard.after.resource.kind == access.resource.kind;
  };
  if (std::any_of(hazards_.begin(), hazards_.end(), known)) return;
  Access first = access;
  first.owner = before.owner;
  first.writes = before.writes;
  first.again = before.again;
  hazards_.push_back({.earlier = earlier, .later = end() - 1, .before = first, .after = access});
}

void Queue::object(Wrong wrong) { hazards_.push_back({.wrong = wrong, .later = end() - 1}); }

Event Queue::mark(Actor actor, std::string_view name) {
  clock(actor).join(host());
  return {.name = name,
          .clock = clock(actor),
          .actor = actor,
          .operation = last_[static_cast<std::size_t>(actor)],
          .place = places_++};
}

void Queue::record(Event& event, Actor actor, std::string_view name) {
  event = mark(actor, name);
  if (!replay_ || replay_->stream != actor || replay_->events == GraphEvents::inside) return;
  if (replay_->events == GraphEvents::after) return replay_->after.push_back(&event);
  event = replay_->before;
  event.name = name;
}

void Queue::wait(Actor actor, const Event& event) {
  clock(actor).join(host());
  const VectorClock before = clock(actor);
  clock(actor).join(event.clock);
  if (clock(actor) == before) return;
  waits_.push_back({end(), actor, event, places_++});
}

void Queue::sync(Actor stream) { wait(Actor::host, mark(stream, "stream sync")); }

void Queue::begin_replay(Actor stream, GraphEvents events) {
  assert(!replay_);
  replay_ = {.stream = stream, .events = events, .before = mark(stream, ""), .place = places_, .after = {}};
}

void Queue::end_replay() {
  assert(replay_);
  const Replay ended = *std::exchange(replay_, std::nullopt);
  replays_.push_back({ended.stream, ended.place, places_});
  for (Event* event : ended.after) *event = mark(ended.stream, event->name);
}

void Queue::next_step() {
  hazards_.clear();
  constexpr std::size_t many_ids = std::size_t{1} << 15;
  constexpr std::size_t many_operations = std::size_t{1} << 10;
  if (ids_.size() >= std::max(many_ids, 2 * ids_kept_) || operations_.size() >= many_operations) drop_old();
}

// Reports show the last iterations, and executing them needs no more.
void Queue::drop_old() {
  constexpr std::size_t kept = 128;
  if (operations_.size() <= kept) return;
  const auto gone = static_cast<std::ptrdiff_t>(operations_.size() - kept);
  operations_.erase(operations_.begin(), operations_.begin() + gone);
  first_ += gone;
  const std::size_t sets = operations_.front().first_set;
  const std::size_t ids = sets < sets_.size() ? sets_[sets].first_id : ids_.size();
  sets_.erase(sets_.begin(), sets_.begin() + static_cast<std::ptrdiff_t>(sets));
  ids_.erase(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(ids));
  for (Operation& operation : operations_) operation.first_set -= sets;
  for (AccessSet& set : sets_) set.first_id -= ids;
  ids_kept_ = ids_.size();
  std::erase_if(waits_, [this](const Waited& waited) { return waited.before < first_; });
  const std::int64_t place = operations_.front().place;
  std::erase_if(replays_, [place](const Replayed& replay) { return replay.end <= place; });
}

}  // namespace pagestorm::sim::time
