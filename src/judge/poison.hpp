#pragma once
// Fills what will be judged with what no builder writes.

#include "zone.hpp"

namespace pagestorm::judge {

PAGESTORM_JUDGE_HD void poison_range(const Job& job, const Range& range, const Lane& lane) {
  std::int32_t* first = job.first + range.first;
  std::int32_t* second = job.second + range.first;
  const std::int64_t words = range.last - range.first;
  for (std::int64_t i = lane.index; i < words; i += lane.count) {
    first[i] = first_poison;
    second[i] = second_poison;
  }
}

/// One lane's share of the surroundings of a row, in both tables.
PAGESTORM_JUDGE_HD void poison_row(const Job& job, const RowZones& zones, const Lane& lane) {
  poison_range(job, zones.full, lane);
  poison_range(job, zones.window, lane);
}

/// One lane's share of all that belongs to no row. The status word is cleared, not poisoned.
PAGESTORM_JUDGE_HD void poison_rest(const Job& job, const RestZones& zones, const Lane& lane) {
  RestWord at;
  for (std::int64_t i = lane.index; i < zones.words(); i += lane.count) {
    at = rest_word(zones, i, at.zone);
    const bool is_status = at.word == job.image.status.first;
    job.first[at.word] = is_status ? 0 : first_poison;
    job.second[at.word] = is_status ? 0 : second_poison;
  }
}

}  // namespace pagestorm::judge
