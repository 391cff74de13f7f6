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

Shadow::Cell& Shadow::cell(const Resource& resource) {
  auto& cells = cells_[static_cast<std::size_t>(resource.kind)];
  const auto at = static_cast<std::size_t>(resource.id);
  if (at >= cells.size()) cells.resize(std::max(at + 1, 2 * cells.size()));
  Cell& found = cells[at];
  if (found.life != life_) found = {.life = life_};
  return found;
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
  if (access.resource.kind != Kind::row) return collide(cell(access.resource), touch, clock);
  Row& touched = row(access.resource.id);
  forget_settled(touched, host);
  return collide(touched, access.span, touch, clock);
}

// Nothing can collide any more with what the host knows to be done.
void Shadow::forget_settled(Row& row, const VectorClock& host) {
  constexpr std::size_t many = 16;
  if (row.touches.size() < many) return;
  std::erase_if(row.touches, [&](const Stretch& one) { return host.knows(one.touch.actor, one.touch.tick); });
}

std::optional<Touch> Shadow::collide(Cell& cell, const Touch& touch, const VectorClock& clock) {
  std::optional<Touch> worst;
  if (cell.write.tick != 0 && unordered(cell.write, touch, clock)) worst = cell.write;
  if (!touch.writes) {
    cell.reads[static_cast<std::size_t>(touch.actor)] = touch;
    return worst;
  }
  for (const Touch& read : cell.reads)
    if (read.tick != 0 && unordered(read, touch, clock)) keep_latest(worst, read);
  cell.write = touch;
  cell.reads = {};
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
