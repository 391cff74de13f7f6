#include "stream_plan.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace pagestorm::sim::time {
namespace {

bool is_pinned(int kind) {
  const auto which = static_cast<Kind>(kind);
  return which == Kind::staging || which == Kind::mirror || which == Kind::outputs;
}

/// Reads of an operation, then its writes: an operation that does both replaces what it saw.
std::vector<std::pair<std::size_t, Access>> reads_first(const std::vector<Access>& accesses) {
  std::vector<std::pair<std::size_t, Access>> ordered;
  for (const bool writes : {false, true})
    for (std::size_t i = 0; i < accesses.size(); ++i)
      if (accesses[i].writes == writes) ordered.emplace_back(i, accesses[i]);
  return ordered;
}

}  // namespace

StreamPlan::StreamPlan(const Queue& queue) : queue_(queue) {
  if (queue.first() != 0) throw std::invalid_argument("the queue is too long to be run: use a scenario of fewer steps");
  work_.actors = actor_count;
  cut();
  add_operations();
  add_items();
}

StreamPlan::Key StreamPlan::key(const Resource& resource) { return {static_cast<int>(resource.kind), resource.id}; }

// What lies in pinned memory comes first.
void StreamPlan::cut() {
  for (const Operation& operation : queue_.operations())
    for (const Access& access : queue_.accesses(operation)) {
      std::vector<std::int32_t>& ends = cuts_[key(access.resource)].ends;
      ends.insert(ends.end(), {access.span.first, access.span.end});
    }
  for (const bool pinned : {true, false}) {
    for (auto& [key, cut] : cuts_) {
      if (is_pinned(key.first) != pinned) continue;
      std::sort(cut.ends.begin(), cut.ends.end());
      cut.ends.erase(std::unique(cut.ends.begin(), cut.ends.end()), cut.ends.end());
      cut.first = work_.cells;
      work_.cells += static_cast<std::int32_t>(cut.ends.size()) - 1;
    }
    if (pinned) work_.pinned_cells = work_.cells;
  }
}

std::pair<std::int32_t, std::int32_t> StreamPlan::cells_of(const Access& access) const {
  const Cut& cut = cuts_.at(key(access.resource));
  const auto cell = [&](std::int32_t end) {
    return cut.first +
           static_cast<std::int32_t>(std::lower_bound(cut.ends.begin(), cut.ends.end(), end) - cut.ends.begin());
  };
  return {cell(access.span.first), cell(access.span.end)};
}

void StreamPlan::add_operations() {
  const auto generations = number_writes(queue_);
  std::vector<std::int32_t> memory(static_cast<std::size_t>(work_.cells));
  std::vector<std::int32_t> written_by(static_cast<std::size_t>(work_.cells), -1);  // the touch that wrote a cell last
  for (std::size_t at = 0; at < queue_.operations().size(); ++at) {
    const Operation& operation = queue_.operations()[at];
    const auto first = static_cast<std::int32_t>(work_.touches.size());
    for (const auto& [index, access] : reads_first(queue_.accesses(operation))) {
      const auto [from, to] = cells_of(access);
      const auto generation = static_cast<std::int32_t>(generations[at][index]);
      for (std::int32_t cell = from; cell < to; ++cell) {
        const auto where = static_cast<std::size_t>(cell);
        const std::int32_t before = written_by[where];
        if (access.writes) {
          memory[where] = generation;
          // An operation writes a cell once: what it wrote there first is gone by the time that it is done.
          if (before >= first) {
            work_.touches[static_cast<std::size_t>(before)].generation = generation;
            continue;
          }
          written_by[where] = static_cast<std::int32_t>(work_.touches.size());
        }
        meant_.push_back(access.writes ? 0 : memory[where]);
        work_.touches.push_back({cell, generation});
      }
    }
    const auto count = static_cast<std::int32_t>(work_.touches.size()) - first;
    work_.operations.push_back({static_cast<std::int32_t>(operation.actor), first, count});
  }
}

void StreamPlan::add_items() {
  std::vector<std::pair<std::int64_t, StreamItem>> placed;
  const auto add = [&](std::int64_t place, StreamItemKind kind, Actor actor, std::int32_t number) {
    placed.emplace_back(place, StreamItem{kind, static_cast<std::int32_t>(actor), number});
  };
  std::map<std::int64_t, std::int32_t> events;  // by the place where they were recorded
  for (const Waited& waited : queue_.waits()) {
    if (waited.event.actor == Actor::host) continue;  // what the host enqueues comes after what it did
    const auto [event, is_new] = events.emplace(waited.event.place, work_.events);
    if (is_new) add(waited.event.place, StreamItemKind::record, waited.event.actor, work_.events++);
    add(waited.place, StreamItemKind::wait, waited.actor, event->second);
  }
  std::int32_t number = 0;
  for (const Operation& operation : queue_.operations())
    add(operation.place, StreamItemKind::operation, operation.actor, number++);
  std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

  // A replay takes in all places from its first up to its end.
  auto replay = queue_.replays().begin();
  bool inside = false;
  for (const auto& [place, item] : placed) {
    if (inside && place >= replay->end) {
      work_.items.push_back({StreamItemKind::end_replay, static_cast<std::int32_t>((replay++)->stream), 0});
      inside = false;
    }
    if (!inside && replay != queue_.replays().end() && place >= replay->first) {
      work_.items.push_back({StreamItemKind::begin_replay, static_cast<std::int32_t>(replay->stream), 0});
      inside = true;
    }
    work_.items.push_back(item);
  }
  if (inside) work_.items.push_back({StreamItemKind::end_replay, static_cast<std::int32_t>(replay->stream), 0});
}

/// What the cells of an access held; neighbours of one generation are one part, and what is older than the queue is left out.
Picture StreamPlan::picture(const Access& access, const std::int32_t* seen) const {
  const Cut& cut = cuts_.at(key(access.resource));
  const auto [from, to] = cells_of(access);
  Picture parts;
  for (std::int32_t cell = from; cell < to; ++cell) {
    const auto at = static_cast<std::size_t>(cell - cut.first);
    const Span span{cut.ends[at], cut.ends[at + 1]};
    const std::int64_t generation = seen[cell - from];
    if (generation == 0) continue;
    if (!parts.empty() && parts.back().generation == generation && parts.back().span.end == span.first)
      parts.back().span.end = span.end;
    else
      parts.push_back({span, generation});
  }
  return parts;
}

std::vector<Sight> StreamPlan::wrong(const StreamSights& seen) const {
  std::vector<Sight> wrong;
  for (std::size_t at = 0; at < queue_.operations().size(); ++at) {
    auto touch = static_cast<std::size_t>(work_.operations[at].first);
    for (const auto& [index, access] : reads_first(queue_.accesses(queue_.operations()[at]))) {
      if (access.writes) break;
      const auto [from, to] = cells_of(access);
      const Sight sight{static_cast<std::int64_t>(at), access, picture(access, &meant_[touch]),
                        picture(access, &seen.first[touch]), picture(access, &seen.second[touch])};
      if (sight.first != sight.meant || sight.second != sight.meant) wrong.push_back(sight);
      touch += static_cast<std::size_t>(to - from);
    }
  }
  return wrong;
}

}  // namespace pagestorm::sim::time
