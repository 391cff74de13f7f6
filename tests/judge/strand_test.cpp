// However a job is cut into strands, all of it is judged, and nothing twice.

#include "judge/strand.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace pagestorm::judge {
namespace {

Cut cut_for(std::int64_t rows, std::int64_t pages, std::int64_t crowd, std::int64_t rest_words = 137) {
  Job job;
  job.in.rows = rows;
  Rest rest[rest_count] = {};
  rest[2].zone = {1000, 1000 + rest_words};
  return cut_of(job, rest, pages, crowd);
}

/// How often each lane of each row is taken, by all lanes of all parts.
std::map<std::pair<std::int64_t, std::int32_t>, int> taken(const Cut& cut, std::int64_t rows) {
  std::map<std::pair<std::int64_t, std::int32_t>, int> times;
  for (std::uint32_t part = 0; part < cut.row_parts; ++part)
    for (std::int32_t index = 0; index < warp; ++index) {
      const RowDuty duty(cut, part, index);
      for (std::int64_t row = duty.first; row < rows; row += duty.stride) ++times[{row, duty.lane.index}];
    }
  return times;
}

TEST(Strand, EveryLaneOfEveryRowIsTakenOnce) {
  for (const std::int64_t crowd : {std::int64_t{1}, std::int64_t{100000}})
    for (const std::int64_t rows : {0, 1, 3, 8, 33, 257})
      for (const std::int64_t pages : {0, 1, 64, 100, 5000, 40000}) {
        const Cut cut = cut_for(rows, pages, crowd);
        const std::int64_t lanes = std::int64_t{1} << cut.lanes_shift;
        const auto times = taken(cut, rows);
        ASSERT_EQ(static_cast<std::int64_t>(times.size()), rows * lanes) << rows << " rows of " << pages;
        for (const auto& [what, count] : times) ASSERT_EQ(count, 1) << "row " << what.first << " lane " << what.second;
      }
}

TEST(Strand, ManyRowsShareTheWarpsThatThereAre) {
  const Cut cut = cut_for(40000, 1000, 1);  // 128 lanes a row would be four warps for each
  EXPECT_EQ(cut.row_parts, parts_max);
  EXPECT_EQ(taken(cut, 40000).size(), 40000u << cut.lanes_shift);
}

TEST(Strand, FewRowsHaveMoreLanesThanMany) {
  EXPECT_EQ(cut_for(8, 64, 8).lanes_shift, 5u);  // 64 columns and 32 words on either side, four a lane
  EXPECT_EQ(cut_for(8, 64, 1 << 15).lanes_shift, 3u);
}

TEST(Strand, AllKindsAreListed) {
  const Cut cut = cut_for(8, 64, 8, 300);
  std::vector<Strand> strands;
  each_judge_strand(cut, 7, false, [&](const Strand& strand) { strands.push_back(strand); });
  std::map<Kind, std::set<std::uint32_t>> parts;
  for (const Strand& strand : strands) {
    EXPECT_EQ(strand.task, 7u);
    EXPECT_TRUE(strand.what() != Kind::rest || strand.which() == RestZone::cu_seqlens_q);
    EXPECT_TRUE(parts[strand.what()].insert(strand.part).second);
  }
  EXPECT_EQ(parts[Kind::rows].size(), 8u);
  EXPECT_EQ(parts[Kind::sums].size(), 1u);
  EXPECT_EQ(parts[Kind::rest].size(), 3u);  // 300 words, four a lane
  EXPECT_EQ(parts.size(), 3u);
  std::size_t poisoned = 0;
  each_poison_strand(cut, 7, [&](const Strand& strand) { poisoned += strand.what() == Kind::sums ? 0 : 1; });
  EXPECT_EQ(poisoned, 11u);
}

TEST(Strand, WithSwaThereAreTheWindowTableWhatRowsOwnAndWriteSlots) {
  Job job;
  job.in.rows = 2;
  const std::int32_t map[1] = {};
  job.in.full_to_swa = {map, 1, 1, IntType::int32};
  const Rest rest[rest_count] = {};
  const Cut cut = cut_of(job, rest, 4, 2);
  std::map<Kind, int> count;
  each_judge_strand(cut, 0, job.swa(), [&](const Strand& strand) { ++count[strand.what()]; });
  EXPECT_EQ(count[Kind::window_rows], count[Kind::rows]);
  EXPECT_EQ(count[Kind::owned], count[Kind::rows]);
  EXPECT_EQ(count[Kind::write_slots], 1);  // none are written, and that they are clamped has still to be said
}

}  // namespace
}  // namespace pagestorm::judge
