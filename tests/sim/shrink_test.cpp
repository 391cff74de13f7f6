#include "sim/shrink.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/rng.hpp"
#include "sim/swarm.hpp"
#include "sim/text.hpp"

namespace pagestorm::sim {
namespace {

std::string text_of(const Scenario& scenario) { return print(Finding{.scenario = scenario}); }

bool has(const Scenario& scenario, StepKind kind) {
  return std::any_of(scenario.steps.begin(), scenario.steps.end(), [&](const Step& s) { return s.kind == kind; });
}

// A drawn scenario that fails, found by walking seeds.
Scenario some_failing(const StillFails& fails) {
  for (std::uint64_t i = 0;; ++i)
    if (Scenario scenario = draw(sub_seed(11, i), {}); fails(scenario)) return scenario;
}

void expect_minimum(const StillFails& fails, const std::string& minimum) {
  const Shrunk shrunk = shrink(some_failing(fails), fails);
  EXPECT_EQ(text_of(shrunk.scenario), minimum);
  EXPECT_TRUE(fails(shrunk.scenario));
}

TEST(Shrink, FindsThatNothingIsNeeded) {
  const Shrunk shrunk = shrink(draw(1, {}), [](const Scenario&) { return true; });
  EXPECT_TRUE(shrunk.scenario.steps.empty());
  EXPECT_EQ(shrunk.scenario.config.page_size, 1);
  EXPECT_EQ(shrunk.scenario.config.layout, Layout{});
  EXPECT_EQ(shrunk.scenario.config.timing, Timing{});
  EXPECT_FALSE(shrunk.scenario.config.swa);
  EXPECT_TRUE(shrunk.scenario.config.buckets.empty());
}

TEST(Shrink, LeavesOfTheTimingWhatMatters) {
  expect_minimum([](const Scenario& s) { return s.config.timing.plan_stream && s.config.timing.lag >= 3; },
                 "pagestorm scenario 1\npage_size: 1\ncontext: 1\nrequests: 1\npages: 1\n"
                 "draft_tokens: 1\ndraft_steps: 1\ntiming: overlap plan_stream lag=3\nsteps:\n");
}

TEST(Shrink, FindsTheOneStepAndTheOneNumber) {
  expect_minimum([](const Scenario& s) { return s.config.page_size >= 13 && has(s, StepKind::verify); },
                 "pagestorm scenario 1\npage_size: 13\ncontext: 1\nrequests: 1\npages: 1\n"
                 "draft_tokens: 1\ndraft_steps: 1\nsteps:\n  verify\n");
}

// Neither number can be lowered alone: they must stay one apart.
TEST(Shrink, LowersNumbersThatAreTied) {
  Scenario scenario;
  scenario.config.context = 4000;
  scenario.steps = {{.kind = StepKind::admit, .amount = 4001}};
  std::int64_t tries = 0;
  const Shrunk shrunk = shrink(scenario, [&](const Scenario& s) {
    ++tries;
    return s.steps.size() == 1 && s.steps.front().amount == s.config.context + 1;
  });
  EXPECT_EQ(shrunk.scenario.config.context, 1);
  EXPECT_EQ(shrunk.scenario.steps.front().amount, 2);
  EXPECT_LT(tries, 3500);
}

TEST(Shrink, FindsThePlantedPairOfSteps) {
  const auto fails = [](const Scenario& s) {
    const auto large = std::find_if(s.steps.begin(), s.steps.end(), [](const Step& step) {
      return step.kind == StepKind::admit && step.amount >= 100;
    });
    return std::any_of(large, s.steps.end(),
                       [](const Step& step) { return step.kind == StepKind::decode && step.odd != Odd::none; });
  };
  const Shrunk shrunk = shrink(some_failing(fails), fails);
  ASSERT_EQ(shrunk.scenario.steps.size(), 2u);
  EXPECT_EQ(print(shrunk.scenario.steps[0]), "admit amount=100");
  const Step& last = shrunk.scenario.steps[1];
  EXPECT_EQ(print(last), "decode odd=" + std::string(name_of(last.odd)));
}

TEST(Shrink, KeepsTheOneOddityOfTheLayout) {
  const auto fails = [](const Scenario& s) { return s.config.layout.table_stride == 3; };
  Layout only;
  only.table_stride = 3;
  EXPECT_EQ(shrink(some_failing(fails), fails).scenario.config.layout, only);
}

TEST(Shrink, KeepsTheOneBucketAndLowersIt) {
  const auto fails = [](const Scenario& s) { return !s.config.buckets.empty() && s.config.buckets.back() >= 3; };
  EXPECT_EQ(shrink(some_failing(fails), fails).scenario.config.buckets, (std::vector<std::int64_t>{3}));
}

TEST(Shrink, KeepsAFieldThatHasToBeTrue) {
  const auto fails = [](const Scenario& s) { return s.config.swa && s.config.window >= 5; };
  const Scenario smallest = shrink(some_failing(fails), fails).scenario;
  EXPECT_TRUE(smallest.config.swa);
  EXPECT_EQ(smallest.config.window, 5);
}

TEST(Shrink, TriesNoMoreThanItsBudget) {
  for (const std::int64_t budget : {0, 1, 7, 50}) {
    std::int64_t calls = 0;
    const Shrunk shrunk = shrink(
        draw(3, {}),
        [&](const Scenario&) {
          ++calls;
          return true;
        },
        budget);
    EXPECT_LE(calls, budget);
    EXPECT_EQ(shrunk.tries, calls);
  }
}

std::int64_t tokens_of(const Scenario& s, StepKind kind) {
  std::int64_t sum = 0;
  for (const Step& step : s.steps) sum += step.kind == kind ? step.amount : 0;
  return sum;
}

// Either of two steps alone cannot go.
TEST(Shrink, RemovesTwoStepsThatGoTogether) {
  Scenario scenario;
  scenario.steps = {{.kind = StepKind::share}, {.kind = StepKind::decode}, {.kind = StepKind::evict}};
  const auto fails = [](const Scenario& s) {
    return has(s, StepKind::decode) && has(s, StepKind::share) == has(s, StepKind::evict);
  };
  EXPECT_EQ(shrink(scenario, fails).scenario.steps, (std::vector<Step>{{.kind = StepKind::decode}}));
}

// What a step brings, another can bring, when it is given something to bring.
TEST(Shrink, LetsAStepDoTheWorkOfAnother) {
  Scenario scenario;
  scenario.steps = {{.kind = StepKind::admit}, {.kind = StepKind::extend, .amount = 1}};
  const auto fails = [](const Scenario& s) {
    return has(s, StepKind::admit) && tokens_of(s, StepKind::admit) + tokens_of(s, StepKind::extend) > 0;
  };
  EXPECT_EQ(shrink(scenario, fails).scenario.steps, (std::vector<Step>{{.kind = StepKind::admit, .amount = 1}}));
}

TEST(Shrink, LetsAnAdmissionTakeThePlaceOfTwoSteps) {
  Scenario scenario;
  scenario.steps = {{.kind = StepKind::arrive, .amount = 2}, {.kind = StepKind::extend, .amount = 2}};
  const auto fails = [](const Scenario& s) {
    return tokens_of(s, StepKind::admit) > 0 || tokens_of(s, StepKind::arrive) * tokens_of(s, StepKind::extend) > 0;
  };
  EXPECT_EQ(shrink(scenario, fails).scenario.steps, (std::vector<Step>{{.kind = StepKind::admit, .amount = 1}}));
}

TEST(Shrink, RetractsPlainlyWhereAStepOnlyMakesSomebodyGo) {
  Scenario scenario{.config = {.retract = true}};
  scenario.steps = {{.kind = StepKind::draft, .rows = 0, .amount = 2}};
  const auto fails = [](const Scenario& s) {
    return s.config.retract && (has(s, StepKind::draft) || has(s, StepKind::retract));
  };
  EXPECT_EQ(shrink(scenario, fails).scenario.steps, (std::vector<Step>{{.kind = StepKind::retract}}));
}

TEST(Shrink, WithoutBudgetGivesTheScenarioItself) {
  const Scenario scenario = draw(4, {});
  EXPECT_EQ(shrink(
                scenario, [](const Scenario&) { return true; }, 0)
                .scenario,
            scenario);
}

TEST(Shrink, GivesTheScenarioItselfWhenNothingSmallerFails) {
  const Scenario scenario = draw(5, {});
  EXPECT_EQ(shrink(scenario, [&](const Scenario& s) { return s == scenario; }).scenario, scenario);
}

TEST(Shrink, NeverTriesAConfigurationBeyondTheLimits) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    shrink(draw(seed, {}), [&](const Scenario& candidate) {
      EXPECT_EQ(complaint(candidate.config), "");
      return rng.one_in(3);
    });
  }
}

TEST(Shrink, GivesTheLastCandidateThatFailed) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    Scenario last = draw(seed, {});
    const Shrunk shrunk = shrink(last, [&](const Scenario& candidate) {
      const bool fails = rng.one_in(3);
      if (fails) last = candidate;
      return fails;
    });
    EXPECT_EQ(shrunk.scenario, last);
  }
}

// Two finds of one failure that share no step: both end in the first small scenario that fails.
TEST(Shrink, EndsInTheSameScenarioWhereverItBegan) {
  const auto fails = [](const Scenario& s) {
    std::int64_t passes = 0;
    for (const Step& step : s.steps) passes += has_batch(step.kind) && step.kind != StepKind::idle ? 1 : 0;
    return passes > 0 && s.config.pages >= 3;
  };
  Scenario one, other;
  one.config.page_size = 48;
  one.config.pages = 400;
  one.steps = {{.kind = StepKind::arrive, .amount = 700}, {.kind = StepKind::ragged, .rows = 3, .amount = 2}};
  other.config.context = 900;
  other.config.block_window = 17;
  other.steps = {
      {.kind = StepKind::admit, .amount = 12}, {.kind = StepKind::verify, .amount = 1}, {.kind = StepKind::draft}};
  const Shrunk first = shrink(one, fails);
  EXPECT_EQ(first.scenario, shrink(other, fails).scenario);
  EXPECT_EQ(first.scenario.config.pages, 3);
  EXPECT_EQ(first.scenario.steps, (std::vector<Step>{{.kind = StepKind::decode}}));
}

TEST(Shrink, IsTheSameEachTime) {
  const auto fails = [](const Scenario& s) { return has(s, StepKind::draft) && s.config.context % 3 == 1; };
  const Scenario scenario = some_failing(fails);
  const Shrunk one = shrink(scenario, fails);
  const Shrunk other = shrink(scenario, fails);
  EXPECT_EQ(one.scenario, other.scenario);
  EXPECT_EQ(one.tries, other.tries);
}

}  // namespace
}  // namespace pagestorm::sim
