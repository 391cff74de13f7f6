// Queued work over drawn scenarios: what is planned right has no hazard in any order, and what is not is found.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "props/laws.hpp"
#include "props/verdict.hpp"
#include "sim/overlap.hpp"
#include "sim/report.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"
#include "sim/text.hpp"
#include "sim/time/execute.hpp"

namespace pagestorm::props {
namespace {

using sim::ReadEnd;
using sim::Tables;
using sim::Timing;

constexpr std::uint64_t seed = 5;

sim::Scenario drawn(std::uint64_t i, const Timing& timing) {
  sim::Scenario scenario = sim::draw(sim::sub_seed(seed, i), {});
  scenario.config.timing = timing;
  return scenario;
}

Laws time_laws() {
  Laws laws;
  laws.push_back(reads_finish_before_reuse());
  laws.push_back(tables_are_of_one_generation());
  laws.push_back(host_sees_only_completed_copies());
  laws.push_back(rows_are_reissued_after_their_last_reader());
  laws.push_back(sync_free_paths_ignore_the_mirror());
  return laws;
}

Trial trial(Fault fault = Fault::none) {
  static const std::vector<BuilderEntry> all = host_builders();
  return Trial(all.front(), fault, time_laws());
}

/// The smallest counterexample that `cases` scenarios lead to.
std::optional<sim::Scenario> hunt(Trial& trial, const Timing& timing, std::uint64_t cases) {
  for (std::uint64_t i = 0; i < cases; ++i)
    if (const auto met = trial.play(drawn(i, timing))) return trial.shrink(drawn(i, timing), met->law);
  return std::nullopt;
}

std::int64_t forwards(const sim::Scenario& scenario) {
  return std::count_if(scenario.steps.begin(), scenario.steps.end(),
                       [](const sim::Step& step) { return has_batch(step.kind); });
}

TEST(OneReusedBuffer, IsFoundWithin1000CasesAndShrinksToTwoForwards) {
  Trial one = trial();
  const auto found = hunt(one, {.overlap = true, .tables = Tables::reused, .slots = 1, .plan_stream = true}, 1000);
  ASSERT_TRUE(found);
  EXPECT_EQ(forwards(*found), 2) << sim::print(sim::Finding{.scenario = *found});
  const auto met = one.play(*found);
  ASSERT_TRUE(met);
  EXPECT_EQ(met->law, "tables_are_of_one_generation");
  EXPECT_NE(sim::explain(*found, *met).find("in the order of the queue"), std::string::npos);
}

TEST(LoopTop, IsFound) {
  Trial one = trial();
  const auto found = hunt(one, {.overlap = true, .barrier = sim::Barrier::loop_top}, 1000);
  ASSERT_TRUE(found);
  EXPECT_EQ(forwards(*found), 1) << sim::print(sim::Finding{.scenario = *found});
}

// --- what is right

class Right : public testing::TestWithParam<Timing> {};

TEST_P(Right, IsFreeOfHazardsIn1000Cases) {
  Trial one = trial();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto met = one.play(drawn(i, GetParam()));
    ASSERT_FALSE(met) << "case " << i << "\n" << sim::explain(drawn(i, GetParam()), *met);
  }
}

std::vector<Timing> right() {
  std::vector<Timing> all;
  for (const Tables tables : {Tables::fresh, Tables::ring, Tables::in_graph})
    for (const std::int64_t lag : {1, 3})
      all.push_back({.overlap = true,
                     .read_end = ReadEnd::in_replay,
                     .graph_events = lag == 1,
                     .tables = tables,
                     .plan_stream = true,
                     .staging_reused = lag == 1,
                     .host_bound = lag == 3,
                     .lag = lag});
  return all;
}

std::string name(const testing::TestParamInfo<Timing>& info) {
  constexpr const char* tables[] = {"fresh", "reused", "ring", "in_graph"};
  return std::string(tables[static_cast<int>(info.param.tables)]) + "_lag_" + std::to_string(info.param.lag);
}

INSTANTIATE_TEST_SUITE_P(Each, Right, testing::ValuesIn(right()), name);

// The check and the executor agree: without a hazard nothing is seen that was not meant, in whatever order.
TEST(DrawnOverlap, IsSeenAsMeantInEveryOrder) {
  std::int64_t forwards = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const sim::Scenario scenario = sim::draw(sim::sub_seed(seed, i), {.length_high = 256});
    if (!scenario.config.timing.overlap) continue;
    sim::Inputs inputs;
    sim::World world;
    world.start(scenario.config, inputs);
    for (const sim::Step& step : scenario.steps) world.apply(step);
    const sim::time::Queue& queue = world.overlap()->plan().queue();
    forwards += world.overlap()->plan().forwards();
    EXPECT_TRUE(execute(queue, {.pace = sim::time::Pace::late}).empty()) << "case " << i;
    for (std::uint64_t order = 0; order < 3; ++order)
      EXPECT_TRUE(execute(queue, {sim::time::Pace::drawn, order}).empty()) << "case " << i;
  }
  EXPECT_GT(forwards, 300);
}

// And where there is one, some order shows it: the earlier of the two operations held back.
class TimeFault : public testing::TestWithParam<Fault> {};

TEST_P(TimeFault, IsSeenInSomeOrder) {
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const sim::Scenario scenario = sim::draw(sim::sub_seed(seed, i), {.length_high = 256});
    if (!scenario.config.timing.overlap) continue;
    sim::Inputs inputs;
    sim::World world;
    world.start(scenario.config, inputs, GetParam());
    for (const sim::Step& step : scenario.steps) {
      world.apply(step);
      const sim::time::Plan& plan = world.overlap()->plan();
      for (const sim::time::Hazard& hazard : plan.hazards())
        if (hazard.before.writes != hazard.after.writes) {
          EXPECT_FALSE(execute(plan.queue(), {.stretched = hazard.earlier}).empty()) << "case " << i;
          return;
        }
    }
  }
  FAIL() << "no hazard";
}

std::vector<Fault> unordered() {
  std::vector<Fault> all;
  for (const FaultEntry& entry : fault_catalogue())
    if (entry.fault >= Fault::read_done_one_point_early && entry.fault < Fault::host_maximum_taken)
      all.push_back(entry.fault);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, TimeFault, testing::ValuesIn(unordered()),
                         [](const auto& info) { return std::string(fault_name(info.param)); });

}  // namespace
}  // namespace pagestorm::props
