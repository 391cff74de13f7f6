#include "sim/rng.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

namespace pagestorm::sim {
namespace {

TEST(Rng, GivesThePublishedSequenceOfSplitmix64ForSeed1) {
  Rng rng(1);
  EXPECT_EQ(rng.next(), 0x910a2dec89025cc1u);
  EXPECT_EQ(rng.next(), 0xbeeb8da1658eec67u);
  EXPECT_EQ(rng.next(), 0xf893a2eefb32555eu);
  EXPECT_EQ(rng.next(), 0x71c18690ee42c90bu);
}

TEST(Rng, GivesThePublishedSequenceOfSplitmix64ForSeed1234567) {
  Rng rng(1234567);
  EXPECT_EQ(rng.next(), 6457827717110365317u);
  EXPECT_EQ(rng.next(), 3203168211198807973u);
  EXPECT_EQ(rng.next(), 9817491932198370423u);
}

TEST(Rng, BelowNothingOrOneIsZero) {
  Rng rng(2);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(rng.below(0), 0u);
    EXPECT_EQ(rng.below(1), 0u);
  }
}

TEST(Rng, BelowReachesEveryNumberAndNoOther) {
  Rng rng(3);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(rng.below(7));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Rng, BetweenReachesBothEnds) {
  Rng rng(4);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(rng.between(-2, 2));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
}

TEST(Rng, BetweenIsTheLowEndWhenTheRangeIsEmpty) {
  Rng rng(5);
  EXPECT_EQ(rng.between(5, 5), 5);
  EXPECT_EQ(rng.between(5, 4), 5);
  EXPECT_EQ(rng.between(-1, -9), -1);
}

TEST(Rng, BetweenSpansAllNumbersFromZero) {
  Rng rng(6);
  std::int64_t most = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t drawn = rng.between(0, std::numeric_limits<std::int64_t>::max());
    ASSERT_GE(drawn, 0);
    most = std::max(most, drawn);
  }
  EXPECT_GT(most, std::int64_t{1} << 62);
}

TEST(Rng, OneInOneIsAlwaysTrue) {
  Rng rng(7);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(rng.one_in(1));
}

TEST(Rng, OneInFourIsAboutAQuarter) {
  Rng rng(8);
  int met = 0;
  for (int i = 0; i < 10'000; ++i) met += rng.one_in(4) ? 1 : 0;
  EXPECT_GT(met, 2300);
  EXPECT_LT(met, 2700);
}

TEST(Rng, PicksEveryElement) {
  Rng rng(9);
  constexpr std::array<int, 3> from = {10, 20, 30};
  std::set<int> seen;
  for (int i = 0; i < 100; ++i) seen.insert(rng.pick<int>(from));
  EXPECT_EQ(seen, (std::set<int>{10, 20, 30}));
}

TEST(SubSeed, OfPartsAndSeedsDiffer) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (std::uint64_t part = 0; part < 100; ++part) seen.insert(sub_seed(seed, part));
  EXPECT_EQ(seen.size(), 10'000u);
  EXPECT_EQ(sub_seed(1, 0), 0x910a2dec89025cc1u);
}

}  // namespace
}  // namespace pagestorm::sim
