#pragma once
// What is wrong with a description of queued work, before anybody runs it.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "pagestorm/device_streams.hpp"

namespace pagestorm {

/// The first thing wrong with what the operations touch; empty when nothing is.
inline std::string complaint_about_touches(const StreamWork& work) {
  const auto touches = static_cast<std::int64_t>(work.touches.size());
  std::vector<std::int32_t> written(static_cast<std::size_t>(work.cells));  // the last operation that did, from 1
  std::int32_t number = 0;
  for (const StreamOperation& operation : work.operations) {
    ++number;
    if (operation.actor < 0 || operation.actor >= work.actors) return "operation: there is no such actor";
    if (operation.first < 0 || operation.count < 0 || std::int64_t{operation.first} + operation.count > touches)
      return "operation: its touches are not among those of the work";
    for (std::int32_t i = operation.first; i < operation.first + operation.count; ++i) {
      const StreamTouch& touch = work.touches[static_cast<std::size_t>(i)];
      if (touch.cell < 0 || touch.cell >= work.cells) return "touch: there is no such cell";
      if (touch.generation < 0) return "touch: a generation below 0";
      if (operation.actor == 0 && touch.cell >= work.pinned_cells)
        return "touch: the host touches a cell that is not in pinned memory";
      if (i > operation.first && touch.generation == 0 && work.touches[static_cast<std::size_t>(i - 1)].generation != 0)
        return "touch: a read behind a write of the same operation";
      if (touch.generation == 0) continue;
      if (std::exchange(written[static_cast<std::size_t>(touch.cell)], number) == number)
        return "touch: an operation writes a cell twice";
    }
  }
  return "";
}

/// The first thing wrong with the order of the items; empty when nothing is.
inline std::string complaint_about_items(const StreamWork& work) {
  std::vector<bool> recorded(static_cast<std::size_t>(std::max(work.events, 0)));
  std::int32_t next = 0;
  std::int32_t replaying = 0;  // the stream; 0 = none
  for (const StreamItem& item : work.items) {
    if (item.actor < 0 || item.actor >= work.actors) return "item: there is no such actor";
    if (replaying != 0 && item.actor != replaying) return "item: another actor's in the middle of a replay";
    const bool event = item.kind == StreamItemKind::record || item.kind == StreamItemKind::wait;
    if (event && (item.number < 0 || item.number >= work.events)) return "item: there is no such event";
    const auto at = static_cast<std::size_t>(item.number);
    switch (item.kind) {
      case StreamItemKind::operation:
        if (item.number != next++ || at >= work.operations.size()) return "item: operations do not come one by one";
        if (work.operations[at].actor != item.actor) return "item: an operation of another actor";
        break;
      case StreamItemKind::record:
        if (item.actor == 0) return "record: the host records no event";
        if (recorded[at]) return "record: an event is recorded twice";
        recorded[at] = true;
        break;
      case StreamItemKind::wait:
        if (!recorded[at]) return "wait: the event has not been recorded";
        if (replaying != 0) return "wait: inside a replay";
        break;
      case StreamItemKind::begin_replay:
        if (item.actor == 0 || replaying != 0) return "begin_replay: on the host, or inside another replay";
        replaying = item.actor;
        break;
      case StreamItemKind::end_replay:
        if (replaying == 0) return "end_replay: no replay has begun";
        replaying = 0;
        break;
    }
  }
  if (replaying != 0) return "begin_replay: the replay does not end";
  return next == static_cast<std::int32_t>(work.operations.size()) ? "" : "item: an operation is missing";
}

/// What is wrong with queued work; empty when it can be run.
inline std::string complaint(const StreamWork& work) {
  if (work.actors < 1 || work.actors > stream_actors_max) return "actors: use 1 to 8";
  if (work.events < 0) return "events: below 0";
  if (work.pinned_cells < 0 || work.pinned_cells > work.cells) return "pinned_cells: use 0 to cells";
  const std::string touches = complaint_about_touches(work);
  return touches.empty() ? complaint_about_items(work) : touches;
}

/// What is wrong with delays of this work; empty when nothing is.
inline std::string complaint(const StreamWork& work, std::span<const StreamDelay> delays) {
  const auto allowed = [](std::int32_t us) { return us >= 0 && us <= stream_delay_us_max; };
  for (const StreamDelay& delay : delays) {
    if (delay.operation < 0 || delay.operation >= static_cast<std::int32_t>(work.operations.size()))
      return "delay: there is no such operation";
    if (!allowed(delay.before_us) || !allowed(delay.between_us)) return "delay: use 0 to 10000 microseconds";
  }
  return "";
}

}  // namespace pagestorm
