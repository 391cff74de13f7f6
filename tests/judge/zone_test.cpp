// The judge's zone is the host's, word by word.

#include "judge/zone.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "played.hpp"

namespace pagestorm::judge {
namespace {

constexpr std::int32_t nothing = 0x11111111;

TEST(Zone, WhatIsPoisonedIsWhatTheHostJudges) {
  Played played;
  std::int64_t passes = 0;
  std::int64_t sweeps = 0;
  played.each_pass(61, 400, [&](Job job) {
    const auto words = static_cast<std::size_t>(job.image.words);
    std::vector<std::int32_t> first(words, nothing), second(words, nothing), wanted(words, nothing);
    job.first = first.data();
    job.second = second.data();
    poison_all(job, 1 + static_cast<std::int32_t>(passes % 5));
    for (const Window& window : played.zone())
      std::fill_n(wanted.begin() + window.first / 4, window.bytes / 4, first_poison);
    wanted[static_cast<std::size_t>(job.image.status.first)] = 0;
    ASSERT_EQ(first, wanted) << "pass " << passes;
    for (std::int32_t& word : wanted)
      if (word == first_poison) word = second_poison;
    ASSERT_EQ(second, wanted) << "pass " << passes;
    ++passes;
    sweeps += job.image.sweep ? 1 : 0;
  });
  EXPECT_GT(passes, 1000);
  EXPECT_GT(sweeps, 100);
  EXPECT_LT(sweeps, passes);
}

// A table of 3 rows by 4 columns that are 2 words apart, 3 words between rows; two rows in use.
Job by_hand(const std::vector<std::int64_t>& lengths) {
  Job job;
  job.in.page_size = 4;
  job.in.rows = 2;
  job.in.seq_lens = {lengths.data(), 2, 1, IntType::int64};
  job.image.page_table = {.first = 1000, .rows = 3, .cols = 4, .row_stride = 11, .col_stride = 2};
  job.image.words = 1200;
  job.page_shift = 2;
  return job;
}

TEST(Zone, CellsAreFoundByHand) {
  const std::vector<std::int64_t> lengths = {5, 99};  // 2 live columns, and 25 cut at 4
  const Job job = by_hand(lengths);
  const Plot& table = job.image.page_table;
  std::vector<std::int64_t> live;
  for (std::int64_t word = 900; word < 1200; ++word)
    if (is_cell_from(job, table, 0, word)) live.push_back(word);
  EXPECT_EQ(live, (std::vector<std::int64_t>{1000, 1002, 1011, 1013, 1015, 1017}));
  EXPECT_TRUE(is_cell_from(job, table, 1, 1011));
  EXPECT_FALSE(is_cell_from(job, table, 1, 1002));
  EXPECT_FALSE(is_cell_from(job, table, 2, 1022)) << "the batch has two rows";
}

TEST(Zone, RangesAreFoundByHand) {
  const std::vector<std::int64_t> lengths = {5, 99};
  const Job job = by_hand(lengths);
  const Plot& table = job.image.page_table;
  const auto expect = [](const Range& range, std::int64_t first, std::int64_t last) {
    EXPECT_EQ(range.first, first);
    EXPECT_EQ(range.last, last);
  };
  expect(row_zone(job, table, 0, 2), 968, 1011);  // where row 1 begins
  expect(row_zone(job, table, 1, 4), 1011, 1083);
  expect(next_row_zone(job, table), 990, 1054);
  expect(sweep_zone(job, table), 0, 0);
  const Plot sums{.first = 100, .rows = 1, .cols = 9, .col_stride = 3};
  expect(vector_zone(job, sums, 0), 36, 164);
  expect(vector_zone(job, sums, 3), 36, 171);
  EXPECT_TRUE(is_element(sums, 3, 106));
  EXPECT_FALSE(is_element(sums, 3, 105));
  EXPECT_FALSE(is_element(sums, 3, 109));
  EXPECT_FALSE(is_element(sums, 3, 99));
  const Plot slots{.first = 100, .rows = 1, .cols = 9, .col_stride = 4, .cell_words = 2};
  EXPECT_TRUE(is_element(slots, 2, 105));
  EXPECT_FALSE(is_element(slots, 2, 106));
}

}  // namespace
}  // namespace pagestorm::judge
