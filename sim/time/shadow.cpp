#include "shadow.hpp"

#include <algorithm>

namespace pagestorm::sim::time {
namespace {

void keep_latest(std::optional<Touch>& worst, const Touch& touch) {
  if (!worst || worst->operation < touch.operation) worst = touch;
}

bool unordered(const Touch& before, const Touch& touch, const VectorClock& clock) {
  return before.actor != touch.actor && !clock.knows(before.actor, before.tick);
}

}  // namespace

void Shadow::start() { ++life_; }

std::vector<Shadow::Cell>& Shadow::cells(Kind kind, std::int32_t most) {
  auto& cells = cells_[static_cast<std::size_t>(kind)];
  const auto needed = static_cast<std::size_t>(most) + 1;
  if (needed > cells.size()) cells.resize(std::max(needed, 2 * cells.size()));
  return cells;
}

Shadow::Row& Shadow::row(std::int32_t id) {
  const auto at = static_cast<std::size_t>(id);
  if (at >= rows_.size()) rows_.resize(std::max(at + 1, 2 * rows_.size()));
  Row& found = rows_[at];
  if (found.life != life_) found.touches.clear();
  found.life = life_;
  return found;
}

std::optional<Touch> Shadow::note(const Access& access, const Touch& touch, const VectorClock& clock,
                                  const VectorClock& host) {
  const std::int32_t id = access.resource.id;
  if (access.resource.kind != Kind::row)
    return collide(cells(access.resource.kind, id)[static_cast<std::size_t>(id)], touch, clock);
  Row& touched = row(id);
  forget_settled(touched, host);
  return collide(touched, access.span, touch, clock);
}

void Shadow::note(Kind kind, std::span<const std::int32_t> ids, const Touch& touch, const VectorClock& clock,
                  std::vector<Met>& met) {
  if (ids.empty()) return;
  auto& all = cells(kind, *std::max_element(ids.begin(), ids.end()));
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (const auto before = collide(all[static_cast<std::size_t>(ids[i])], touch, clock)) met.push_back({i, *before});
}

// Nothing can collide any more with what the host knows to be done.
void Shadow::forget_settled(Row& row, const VectorClock& host) {
  constexpr std::size_t many = 16;
  if (row.touches.size() < many) return;
  std::erase_if(row.touches, [&](const Stretch& one) { return host.knows(one.touch.actor, one.touch.tick); });
}

std::optional<Touch> Shadow::collide(Cell& cell, const Touch& touch, const VectorClock& clock) const {
  if (cell.life != life_) cell = {.life = life_};
  std::optional<Touch> worst;
  const auto test = [&](const Mark& mark, Actor actor, bool writes) {
    if (mark.tick == 0 || actor == touch.actor || clock.knows(actor, mark.tick)) return;
    keep_latest(worst, {mark.operation, mark.tick, -1, actor, writes, mark.again != 0});
  };
  test(cell.write, cell.writer, true);
  const Mark mark{touch.operation, touch.again ? 1u : 0u, touch.tick};
  const auto actor = static_cast<unsigned>(touch.actor);
  if (!touch.writes) {
    cell.reads[actor] = mark;
    cell.readers = static_cast<std::uint8_t>(cell.readers | 1u << actor);
    return worst;
  }
  for (unsigned reader = 0; reader < actor_count; ++reader)
    if ((cell.readers >> reader & 1u) != 0) test(cell.reads[reader], static_cast<Actor>(reader), false);
  cell.write = mark;
  cell.writer = touch.actor;
  cell.readers = 0;
  return worst;
}

// A touch is dropped once a later one of the same actor and kind covers it, or once everybody who could still collide
// with it would collide with a write that covers it.
std::optional<Touch> Shadow::collide(Row& row, const Span& span, const Touch& touch, const VectorClock& clock) {
  std::optional<Touch> worst;
  const auto covered = [&](const Stretch& before) {
    if (!before.span.meets(span)) return false;
    if (before.touch.writes || touch.writes)
      if (unordered(before.touch, touch, clock)) keep_latest(worst, before.touch);
    if (!span.covers(before.span)) return false;
    return touch.writes || (!before.touch.writes && before.touch.actor == touch.actor);
  };
  std::erase_if(row.touches, covered);
  row.touches.push_back({span, touch});
  return worst;
}

}  // namespace pagestorm::sim::time
