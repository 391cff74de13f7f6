#pragma once
// How a job is shared out among warps: each does one kind of work, so that none waits for another and short work does not
// queue behind long work.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "fours.hpp"
#include "job.hpp"
#include "zone.hpp"

namespace pagestorm::judge {

inline constexpr std::int32_t warp = 32;

enum class Kind : std::uint32_t {
  rows,         ///< of page_table; where it poisons, of both tables
  window_rows,  ///< of swa_page_table
  owned,        ///< what rows own
  sums,         ///< lengths and their sums
  write_slots,  ///< swa_out_cache_loc
  rest,         ///< a zone of no row
};

/// What one warp does: part `part` of its kind of a task; of a zone of the rest, which one.
struct Strand {
  std::uint32_t task = 0;
  std::uint32_t kind : 3 = 0;
  std::uint32_t zone : 4 = 0;
  std::uint32_t part : 25 = 0;

  PAGESTORM_JUDGE_HD Kind what() const { return static_cast<Kind>(kind); }
  PAGESTORM_JUDGE_HD RestZone which() const { return static_cast<RestZone>(zone); }
};

/// How many warps share each kind of work of a job. Any cut is right.
struct Cut {
  std::uint32_t row_parts = 1;
  std::uint32_t lanes_shift = 0;  ///< 2^lanes_shift neighbouring lanes share a row; lanes of all parts are a multiple
  std::uint32_t sum_parts = 1;
  std::uint32_t slot_parts = 0;
  std::uint32_t rest_parts[rest_count] = {};
};

inline constexpr std::int64_t parts_max = std::int64_t{1} << 14;

/// Warps for so many items, `share` of them a lane; none for none.
inline std::uint32_t warps_for(std::int64_t items, std::int64_t share) {
  return static_cast<std::uint32_t>(std::min((items + warp * share - 1) / (warp * share), parts_max));
}

/// For rows of about `pages` live columns, in a launch over `crowd` rows: few must be done soon, and many together.
inline Cut cut_of(const Job& job, const Rest* rest, std::int64_t pages, std::int64_t crowd) {
  constexpr std::int64_t many = 4096;
  const std::int64_t words_a_lane = crowd < many ? four : 4 * four;
  constexpr std::int64_t lanes_max = std::int64_t{1} << 16;
  constexpr std::int64_t sum_parts_max = 64;  // each part adds up all rows before its own
  const std::int64_t words = std::clamp<std::int64_t>((pages + 2 * margin) / words_a_lane, 4, lanes_max);
  Cut cut;
  cut.lanes_shift = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(words)) - 1);
  const std::int64_t lanes = std::int64_t{1} << cut.lanes_shift;
  const auto whole = static_cast<std::uint32_t>(std::max<std::int64_t>(lanes / warp, 1));
  cut.row_parts = warps_for(job.in.rows * lanes, 1) / whole * whole;
  cut.sum_parts = std::clamp(warps_for(job.in.rows, 1), 1u, static_cast<std::uint32_t>(sum_parts_max));
  cut.slot_parts = job.swa() ? std::max(warps_for(job.write_slots, 1), 1u) : 0;
  for (std::uint32_t i = 0; i < rest_count; ++i)
    cut.rest_parts[i] = warps_for(rest[i].zone.last - rest[i].zone.first, words_a_lane);
  return cut;
}

/// Calls take(strand) for each strand that poisons.
template <class Take>
void each_poison_strand(const Cut& cut, std::uint32_t task, const Take& take) {
  const auto each = [&](Kind kind, std::uint32_t parts, std::uint32_t zone = 0) {
    for (std::uint32_t part = 0; part < parts; ++part) take(Strand{task, static_cast<std::uint32_t>(kind), zone, part});
  };
  each(Kind::rows, cut.row_parts);
  for (std::uint32_t i = 0; i < rest_count; ++i) each(Kind::rest, cut.rest_parts[i], i);
}

/// Calls take(strand) for each strand that judges.
template <class Take>
void each_judge_strand(const Cut& cut, std::uint32_t task, bool swa, const Take& take) {
  each_poison_strand(cut, task, take);
  const auto each = [&](Kind kind, std::uint32_t parts) {
    for (std::uint32_t part = 0; part < parts; ++part) take(Strand{task, static_cast<std::uint32_t>(kind), 0, part});
  };
  each(Kind::sums, cut.sum_parts);
  if (!swa) return;
  each(Kind::window_rows, cut.row_parts);
  each(Kind::owned, cut.row_parts);
  each(Kind::write_slots, cut.slot_parts);
}

/// What one lane of a strand does of rows: its share of the rows first, first + stride, ...
struct RowDuty {
  Lane lane;
  std::int64_t first = 0;
  std::int64_t stride = 1;

  PAGESTORM_JUDGE_HD RowDuty(const Cut& cut, std::uint32_t part, std::int32_t index) {
    const auto of_all = static_cast<std::int64_t>(part) * warp + index;
    const std::int32_t lanes = 1 << cut.lanes_shift;
    lane = {static_cast<std::int32_t>(of_all & (lanes - 1)), lanes};
    first = of_all >> cut.lanes_shift;
    stride = (static_cast<std::int64_t>(cut.row_parts) * warp) >> cut.lanes_shift;
  }
};

}  // namespace pagestorm::judge
