// Each named hazard is one, its delay shows it, and the plan without it shows nothing.

#include "sim/stream_cases.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>

#include "sim/time/delays.hpp"
#include "sim/time/host_streams.hpp"
#include "sim/time/stream_plan.hpp"

namespace pagestorm::sim {

void PrintTo(const StreamHazard& which, std::ostream* to) { *to << which.name; }

namespace {

using time::HoldUp;

constexpr std::int32_t held_up_us = 5000;

std::vector<time::Sight> sights(const time::Queue& queue, const StreamDelay& delay) {
  const time::StreamPlan plan(queue);
  const auto runner = time::host_streams();
  runner->prepare(plan.work());
  return plan.wrong(runner->run({&delay, 1}));
}

class EachHazard : public testing::TestWithParam<StreamHazard> {};

TEST_P(EachHazard, IsShownByItsDelayAndByTheRightPlanUnderNone) {
  const StreamHazard& which = GetParam();
  const StreamScene wrong(stream_scenario(which.wrong, which.swa), which.fault);
  const StreamScene right(stream_scenario(which.right.value_or(which.wrong), which.swa));
  ASSERT_TRUE(wrong.hazard());
  EXPECT_FALSE(right.hazard());
  for (const HoldUp how : {HoldUp::delayed, HoldUp::stretched}) {
    const StreamDelay delay = hold_up(*wrong.hazard(), how, held_up_us);
    EXPECT_FALSE(sights(wrong.queue(), delay).empty());
    EXPECT_TRUE(sights(right.queue(), delay).empty());
  }
  EXPECT_TRUE(sights(wrong.queue(), {}).empty()) << "a hazard that needs no delay is no test of delays";
}

// The delay of a hazard means the same in the plan without it.
TEST_P(EachHazard, AndItsRightPlanHaveTheSameOperations) {
  const StreamHazard& which = GetParam();
  const StreamScene wrong(stream_scenario(which.wrong, which.swa), which.fault);
  const StreamScene right(stream_scenario(which.right.value_or(which.wrong), which.swa));
  ASSERT_EQ(wrong.queue().end(), right.queue().end());
  for (std::int64_t i = 0; i < wrong.queue().end(); ++i) {
    EXPECT_EQ(wrong.queue().operation(i).name, right.queue().operation(i).name) << i;
    EXPECT_EQ(wrong.queue().operation(i).actor, right.queue().operation(i).actor) << i;
  }
}

std::string name(std::string_view text) {
  std::string name;
  for (const char letter : text) name += letter == '-' ? '_' : letter;
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EachHazard, testing::ValuesIn(stream_hazards().begin(), stream_hazards().end()),
                         [](const auto& info) { return name(info.param.name); });

TEST(StreamHazards, TakeInEveryFaultOfTimeThatIsAHazard) {
  std::set<Fault> named;
  std::set<std::string_view> names;
  for (const StreamHazard& which : stream_hazards()) {
    named.insert(which.fault);
    EXPECT_TRUE(names.insert(which.name).second) << which.name;
  }
  for (const FaultEntry& entry : fault_catalogue()) {
    if (entry.fault < Fault::read_done_one_point_early || entry.fault >= Fault::host_maximum_taken) continue;
    EXPECT_TRUE(named.contains(entry.fault)) << entry.name;
  }
}

TEST(RightPlans, ShowNothingUnderDrawnDelays) {
  for (const RightPlan& which : right_plans()) {
    const StreamScene scene(stream_scenario(which.timing));
    EXPECT_FALSE(scene.hazard()) << which.name;
    const time::StreamPlan plan(scene.queue());
    const auto runner = time::host_streams();
    runner->prepare(plan.work());
    for (std::uint64_t seed = 0; seed < 200; ++seed)
      ASSERT_TRUE(plan.wrong(runner->run(time::draw_delays(plan.work(), seed))).empty()) << which.name << " " << seed;
  }
}

TEST(StreamScene, NeedsAnEngineThatOverlaps) { EXPECT_THROW(StreamScene{stream_scenario({})}, std::invalid_argument); }

}  // namespace
}  // namespace pagestorm::sim
