#include "sim/swarm.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "sim/coverage.hpp"
#include "sim/rng.hpp"
#include "sim/text.hpp"
#include "sim/world.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::uint64_t draws = 10'000;

Scenario drawn(std::uint64_t i, const Space& space = {}) { return draw(sub_seed(21, i), space); }

// Plays the worlds of scenarios without any builder.
Coverage coverage_of(const Space& space, std::uint64_t count) {
  Inputs inputs;
  World world;
  Coverage coverage;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Scenario scenario = drawn(i, space);
    world.start(scenario.config, inputs);
    coverage.start(scenario.config);
    for (const Step& step : scenario.steps) {
      const Outcome outcome = world.apply(step);
      if (outcome == Outcome::batch) inputs.stage(world.forward());
      coverage.note(step, outcome, world);
    }
  }
  return coverage;
}

TEST(Swarm, DrawsNothingThatAScenarioFileMayNotSay) {
  for (std::uint64_t i = 0; i < draws; ++i) {
    const Finding finding{.scenario = drawn(i)};
    ASSERT_EQ(complaint(finding.scenario.config), "") << "draw " << i << "\n" << print(finding);
    if (i % 10 == 0) {
      ASSERT_EQ(parse(print(finding), "drawn"), finding) << "draw " << i;
    }
  }
}

TEST(Swarm, DrawsTheSameForTheSameSeed) {
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_EQ(drawn(i), drawn(i));
}

TEST(Swarm, DrawsDifferentScenariosForDifferentSeeds) {
  std::set<std::string> texts;
  for (std::uint64_t i = 0; i < 1000; ++i) texts.insert(print(Finding{.scenario = drawn(i)}));
  EXPECT_EQ(texts.size(), 1000u);
}

TEST(Swarm, ReachesEveryOddityAndEveryFarMatrix) {
  std::map<Odd, int> odds;
  std::map<Far, int> fars;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const Scenario scenario = drawn(i);
    ++fars[scenario.config.layout.far];
    for (const Step& step : scenario.steps) ++odds[step.odd];
  }
  EXPECT_EQ(odds.size(), static_cast<std::size_t>(odd_count));
  EXPECT_EQ(fars.size(), 4u);
}

TEST(Swarm, EveryGeneratorDrawsWhatAScenarioFileMaySay) {
  for (const Generator generator : {Generator::uniform, Generator::swarm}) {
    const Space space{.generator = generator};
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const Finding finding{.scenario = drawn(i, space)};
      ASSERT_EQ(complaint(finding.scenario.config), "") << "draw " << i << "\n" << print(finding);
      ASSERT_NE(finding.scenario, drawn(i)) << "draw " << i;
    }
  }
}

TEST(Swarm, UniformKnowsNoBoundariesAndNoFavourites) {
  const Space space{.generator = Generator::uniform};
  std::map<StepKind, int> kinds;
  int small_pages = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const Scenario scenario = drawn(i, space);
    small_pages += scenario.config.page_size <= 64 ? 1 : 0;
    for (const Step& step : scenario.steps) ++kinds[step.kind];
  }
  EXPECT_LT(small_pages, static_cast<int>(draws) / 20);  // 64 of 4,096 sizes
  EXPECT_NEAR(kinds[StepKind::decode], kinds[StepKind::verify], kinds[StepKind::decode] / 10);
  EXPECT_NEAR(kinds[StepKind::decode], kinds[StepKind::finish], kinds[StepKind::decode] / 10);
}

TEST(Swarm, ReachesEveryModeKindAndClassWithFewNoOps) {
  const Coverage coverage = coverage_of({}, draws);
  for (int i = 0; i < mode_count; ++i)
    EXPECT_GT(coverage.modes[static_cast<std::size_t>(i)], 0) << name_of(static_cast<Mode>(i));
  for (int i = 0; i < step_kind_count; ++i)
    EXPECT_GT(coverage.kinds[static_cast<std::size_t>(i)], 0) << name_of(static_cast<StepKind>(i));
  for (int i = 0; i < class_count; ++i)
    EXPECT_GT(coverage.classes[static_cast<std::size_t>(i)], 0) << name_of(static_cast<Class>(i));
  EXPECT_LT(coverage.no_ops * 100, coverage.steps * 40);
  EXPECT_GT(coverage.page_sizes.size(), 100u);
  EXPECT_EQ(coverage.scenarios, static_cast<std::int64_t>(draws));
}

TEST(Swarm, OverlapsInEveryWayThatIsRight) {
  std::set<Tables> tables;
  std::set<ReadEnd> ends;
  std::set<Algorithm> algorithms;
  std::set<std::int64_t> lags;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const Config config = drawn(i).config;
    const Timing& timing = config.timing;
    ASSERT_EQ(complaint(config), "");
    if (!timing.overlap) {
      ASSERT_EQ(timing, Timing{});
      continue;
    }
    tables.insert(timing.tables);
    ends.insert(timing.read_end);
    algorithms.insert(timing.algorithm);
    lags.insert(timing.lag);
    EXPECT_NE(timing.barrier, Barrier::loop_top);
    const bool alone = timing.tables == Tables::reused && timing.plan_stream;
    EXPECT_TRUE(!alone || timing.slots > timing.lag);
  }
  EXPECT_EQ(tables.size(), static_cast<std::size_t>(tables_count));
  EXPECT_EQ(ends.size(), static_cast<std::size_t>(read_end_count));
  EXPECT_EQ(algorithms.size(), static_cast<std::size_t>(algorithm_count));
  EXPECT_EQ(lags, (std::set<std::int64_t>{1, 2, 3, 4}));
}

TEST(Swarm, KeepsToTheTimingAsked) {
  const Timing timing{.overlap = true, .tables = Tables::reused, .slots = 1, .plan_stream = true};
  Space space;
  space.timing = timing;
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(drawn(i, space).config.timing, timing);
}

TEST(Swarm, KeepsToThePageSizesAsked) {
  Space space;
  space.page_sizes = {7, 48};
  std::set<std::int64_t> met;
  for (std::uint64_t i = 0; i < 500; ++i) met.insert(drawn(i, space).config.page_size);
  EXPECT_EQ(met, (std::set<std::int64_t>{7, 48}));
}

TEST(Swarm, KeepsToTheRangeOfPageSizes) {
  Space space;
  space.page_size_low = 16;
  space.page_size_high = 100;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const std::int64_t size = drawn(i, space).config.page_size;
    ASSERT_GE(size, 16);
    ASSERT_LE(size, 100);
  }
}

TEST(Swarm, KeepsToTheLengthsAsked) {
  Space space;
  space.length_low = 10;
  space.length_high = 200;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Scenario scenario = drawn(i, space);
    ASSERT_LE(scenario.config.context, 200);
    for (const Step& step : scenario.steps) {
      if (step.kind != StepKind::admit) continue;
      ASSERT_GE(step.amount, 10);
      ASSERT_LE(step.amount, scenario.config.columns());
    }
  }
}

TEST(Swarm, KeepsToTheRowsAndStepsAsked) {
  Space space;
  space.rows_high = 3;
  space.steps_high = 4;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Scenario scenario = drawn(i, space);
    ASSERT_LE(scenario.config.requests, 3);
    ASSERT_LE(scenario.steps.size(), 3u + 4u);
  }
}

TEST(Swarm, KeepsToOneModeWhenAsked) {
  constexpr StepKind kind_of[] = {StepKind::idle,         StepKind::decode, StepKind::draft, StepKind::verify,
                                  StepKind::draft_extend, StepKind::extend, StepKind::ragged};
  for (int mode = 0; mode < mode_count; ++mode) {
    Space space;
    space.modes.fill(false);
    space.modes[static_cast<std::size_t>(mode)] = true;
    std::int64_t met = 0;
    for (std::uint64_t i = 0; i < 500; ++i)
      for (const Step& step : drawn(i, space).steps) {
        if (!has_batch(step.kind)) continue;
        ++met;
        // A block draft is a verify of the draft model.
        ASSERT_EQ(step.kind == StepKind::block ? StepKind::verify : step.kind, kind_of[mode]);
      }
    EXPECT_GT(met, 0) << name_of(static_cast<Mode>(mode));
  }
}

TEST(Swarm, HasSwaAlwaysOrNeverWhenAsked) {
  for (const bool swa : {true, false}) {
    Space space;
    space.swa = swa;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const Scenario scenario = drawn(i, space);
      ASSERT_EQ(scenario.config.swa, swa);
      if (swa) continue;
      ASSERT_NE(scenario.config.layout.far, Far::swa_page_table);
      for (const Step& step : scenario.steps) ASSERT_NE(step.kind, StepKind::evict);
    }
  }
}

TEST(Swarm, HasNothingFarOrOddWhenAskedNotTo) {
  Space space;
  space.far = false;
  space.odd = false;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Scenario scenario = drawn(i, space);
    ASSERT_EQ(scenario.config.layout.far, Far::none);
    for (const Step& step : scenario.steps) {
      ASSERT_EQ(step.odd, Odd::none);
      ASSERT_NE(step.kind, StepKind::puncture);
    }
  }
}

}  // namespace
}  // namespace pagestorm::sim
