#include "sim/bench_cases.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sim/text.hpp"
#include "sim/world.hpp"

namespace pagestorm::sim {
namespace {

TEST(BenchCases, AreScenariosThatEndInADecodeOfAllRequests) {
  std::set<std::int64_t> page_sizes;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Scenario scenario = bench_case(seed);
    ASSERT_EQ(complaint(scenario.config), "");
    page_sizes.insert(scenario.config.page_size);
    Inputs inputs;
    World world;
    world.start(scenario.config, inputs);
    for (const Step& step : scenario.steps) ASSERT_NE(world.apply(step), Outcome::no_op) << "seed " << seed;
    EXPECT_EQ(world.forward().mode, Mode::decode);
    EXPECT_EQ(world.forward().real_rows, scenario.config.requests);
  }
  EXPECT_EQ(page_sizes, (std::set<std::int64_t>{1, 16, 32, 64, 128, 256}));
}

TEST(BenchCases, AreTheSameForTheSameSeed) {
  EXPECT_EQ(bench_case(7), bench_case(7));
  EXPECT_FALSE(bench_case(7) == bench_case(8));
}

TEST(BenchRows, ReachTheirLongestAndNeverGrow) {
  const Scenario scenario = bench_rows({.rows = 2, .page_size = 4, .pages = 8, .uniform = false, .width = 20}, 1);
  ASSERT_EQ(complaint(scenario.config), "");
  EXPECT_EQ(scenario.config.width(), 20);
  Inputs inputs;
  World world;
  world.start(scenario.config, inputs);
  for (const Step& step : scenario.steps) ASSERT_EQ(world.apply(step), Outcome::changed);
  for (std::int64_t i = 0; i < 25; ++i) {
    ASSERT_EQ(world.apply(bench_step(i)), Outcome::batch) << "step " << i;
    EXPECT_EQ(world.forward().rows[1].length, world.forward().mode == Mode::draft_extend ? 8 * 4 : 8 * 4 - 4);
    EXPECT_EQ(world.requests()[1].length, 8 * 4 - 4);
  }
}

}  // namespace
}  // namespace pagestorm::sim
