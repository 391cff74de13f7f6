#pragma once
// Fills what will be judged with what no builder writes.

#include "fours.hpp"
#include "zone.hpp"

namespace pagestorm::judge {

/// One lane's share of a range of words.
PAGESTORM_JUDGE_HD void poison_range(const Job& job, const Range& range, const Lane& lane) {
  const std::int64_t step = std::int64_t{four} * lane.count;
  for (std::int64_t at = down_to_four(range.first) + four * lane.index; at < range.last; at += step) {
    store_four(job.first, at, range.first, range.last, first_poison);
    store_four(job.second, at, range.first, range.last, second_poison);
  }
}

/// One lane's share of the surroundings of a row, in both tables.
PAGESTORM_JUDGE_HD void poison_row(const Job& job, std::int64_t row, const Lane& lane) {
  const std::int64_t live = live_columns(job, row);
  poison_range(job, row_zone(job, job.image.page_table, row, live), lane);
  if (job.swa()) poison_range(job, row_zone(job, job.image.swa_page_table, row, live), lane);
}

/// One lane's share of a rest zone. The status word is cleared, not poisoned.
PAGESTORM_JUDGE_HD void poison_rest(const Job& job, RestZone which, const Range& zone, const Lane& lane) {
  if (which != RestZone::status) return poison_range(job, zone, lane);
  const std::int64_t status = job.image.status.first;
  poison_range(job, {zone.first, status}, lane);
  poison_range(job, {status + 1, zone.last}, lane);
  if (lane.index == 0) job.first[status] = job.second[status] = 0;
}

}  // namespace pagestorm::judge
