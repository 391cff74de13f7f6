#include "shadow.hpp"

#include <algorithm>
#include <utility>

namespace pagestorm::sim::time {
namespace {

bool unordered(const Touch& before, const Touch& touch, const VectorClock& clock) {
  return before.actor != touch.actor && !clock.knows(before.actor, before.tick);
}

/// Whether somebody may have been there without the clock's knowing.
template <class Ticks>
bool knows_all(const VectorClock& clock, const Ticks& last, Actor self) {
  for (std::size_t a = 0; a < last.size(); ++a)
    if (static_cast<Actor>(a) != self && !clock.knows(static_cast<Actor>(a), last[a])) return false;
  return true;
}

}  // namespace

void Shadow::start() {
  ++life_;
  for (Side& side : sides_) {
    for (ReadSet& set : side.reads) side.spare.push_back(std::move(set));
    side.reads.clear();
    side.last_write.fill(0);
    side.last_read.fill(0);
  }
}

// --- whole resources

Shadow::Written& Shadow::written(Side& side, std::int32_t id) const {
  const auto at = static_cast<std::size_t>(id);
  if (at >= side.written.size()) side.written.resize(std::max(at + 1, 2 * side.written.size()));
  Written& found = side.written[at];
  if (found.life != life_) found = {.life = life_};
  return found;
}

void Shadow::note(Kind kind, std::span<const std::int32_t> ids, const Touch& touch, const VectorClock& clock,
                  const VectorClock& host, std::vector<Met>& met) {
  if (ids.empty()) return;
  Side& side = sides_[static_cast<std::size_t>(kind)];
  const auto actor = static_cast<std::size_t>(touch.actor);
  if (!knows_all(clock, side.last_write, touch.actor)) meet_writes(side, ids, touch, clock, met);
  if (!touch.writes) {
    side.last_read[actor] = touch.tick;
    return keep_read(side, ids, touch, host);
  }
  if (!knows_all(clock, side.last_read, touch.actor)) meet_reads(side, ids, touch, clock, met);
  side.last_write[actor] = touch.tick;
  for (const std::int32_t id : ids) written(side, id).touch = touch;
}

void Shadow::meet_writes(Side& side, std::span<const std::int32_t> ids, const Touch& touch, const VectorClock& clock,
                         std::vector<Met>& met) const {
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (const Touch& before = written(side, ids[i]).touch; before.tick != 0 && unordered(before, touch, clock))
      met.push_back({i, before});
}

// Each read that the clock does not know is gone through once, against marks on what is written.
void Shadow::meet_reads(Side& side, std::span<const std::int32_t> ids, const Touch& touch, const VectorClock& clock,
                        std::vector<Met>& met) const {
  for (std::size_t i = 0; i < ids.size(); ++i) written(side, ids[i]).index = static_cast<std::int64_t>(i);
  for (std::size_t s = side.reads.size(); s-- > 0;) {
    const ReadSet& set = side.reads[s];
    if (!unordered(set.touch, touch, clock)) continue;
    for (const std::int32_t id : set.ids)
      if (const std::int64_t index = written(side, id).index; index >= 0)
        met.push_back({static_cast<std::size_t>(index), set.touch});
  }
  for (const std::int32_t id : ids) written(side, id).index = -1;
}

// Nothing can collide any more with what the host knows to be done.
void Shadow::keep_read(Side& side, std::span<const std::int32_t> ids, const Touch& touch, const VectorClock& host) {
  constexpr std::size_t many = 8;
  if (side.reads.size() >= many) {
    const auto settled = std::stable_partition(side.reads.begin(), side.reads.end(), [&](const ReadSet& set) {
      return !host.knows(set.touch.actor, set.touch.tick);
    });
    std::move(settled, side.reads.end(), std::back_inserter(side.spare));
    side.reads.erase(settled, side.reads.end());
  }
  if (side.spare.empty()) side.spare.emplace_back();
  ReadSet& set = side.reads.emplace_back(std::move(side.spare.back()));
  side.spare.pop_back();
  set.touch = touch;
  set.ids.assign(ids.begin(), ids.end());
}

// --- rows

std::optional<Touch> Shadow::note_row(std::int32_t id, const Span& span, const Touch& touch, const VectorClock& clock,
                                      const VectorClock& host) {
  const auto at = static_cast<std::size_t>(id);
  if (at >= rows_.size()) rows_.resize(std::max(at + 1, 2 * rows_.size()));
  Row& row = rows_[at];
  if (row.life != life_) row.touches.clear();
  row.life = life_;
  forget_settled(row, host);

  // A touch is dropped once a later one of the same actor and kind covers it, or once everybody who could still collide
  // with it would collide with a write that covers it.
  std::optional<Touch> worst;
  const auto covered = [&](const Stretch& before) {
    if (!before.span.meets(span)) return false;
    if ((before.touch.writes || touch.writes) && unordered(before.touch, touch, clock))
      if (!worst || worst->operation < before.touch.operation) worst = before.touch;
    if (!span.covers(before.span)) return false;
    return touch.writes || (!before.touch.writes && before.touch.actor == touch.actor);
  };
  std::erase_if(row.touches, covered);
  row.touches.push_back({span, touch});
  return worst;
}

void Shadow::forget_settled(Row& row, const VectorClock& host) {
  constexpr std::size_t many = 16;
  if (row.touches.size() < many) return;
  std::erase_if(row.touches, [&](const Stretch& one) { return host.knows(one.touch.actor, one.touch.tick); });
}

}  // namespace pagestorm::sim::time
