// What a scheduler does when pages run dry.

#include <utility>

#include "engine/prompts.hpp"
#include "world.hpp"

namespace pagestorm::sim {

// The prefix cache makes room first: what it keeps can be computed again by whoever needs it.
bool World::find_room(std::int64_t full_pages, std::int64_t swa_pages) {
  if (full_pages > full_.free()) reclaim(full_pages - full_.free());
  if (swa_pages > swa_.free()) tombstone(swa_pages - swa_.free());
  return full_pages <= full_.free() && swa_pages <= swa_.free();
}

// Capacity is tested for the whole batch before anything is written. The batch is chosen anew when somebody had to go.
bool World::make_room(const Step& step) {
  while (select(step)) {
    std::int64_t full_pages = 0;
    std::int64_t swa_pages = 0;
    if (!needs(step, full_pages, swa_pages)) return false;
    if (find_room(full_pages, swa_pages)) return true;
    if (!config_.retract || live_.size() < 2) return false;
    retract(static_cast<std::int64_t>(live_.size()) - 1);
  }
  return false;
}

// What it has generated is kept as tokens, to be computed again.
bool World::retract(std::int64_t who) {
  if (live_.empty()) return false;
  const auto at = static_cast<std::size_t>(who) % live_.size();
  Request request = std::move(live_[at]);
  live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(at));
  release(request, rules_.frees_on_retract());
  Request waits;
  waits.serial = request.serial;
  waits.row = request.row;
  waits.family = request.family;
  waits.generated = request.generated;
  waits.verifies = request.verifies;
  waits.prompt = std::max(request.length, request.prompt);
  waits.target = std::move(request.target);
  waits.target.truncate(waits.prompt);
  // Of tokens that are counted and were never there, as some faults have them, it is itself the source.
  waits.target.append(waits.prompt - waits.target.size(), own_base(waits.serial, 0));
  waiting_.push_back(std::move(waits));
  spare_.push_back(std::move(request));
  ++tally_.retractions;
  return true;
}

bool World::readmit() {
  if (waiting_.empty() || free_rows_.empty()) return false;
  Request& request = waiting_.front();
  request.row = rules_.readmitted_row(free_rows_.back(), request.row);
  if (request.prompt > 0 && !begin(request)) return false;
  free_rows_.pop_back();
  live_.push_back(std::move(request));
  waiting_.pop_front();
  grow(live_.back(), live_.back().length, live_.back().length);
  ++tally_.readmissions;
  return true;
}

}  // namespace pagestorm::sim
