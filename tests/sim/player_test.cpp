#include "sim/player.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "props/laws.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::sim {
namespace {

std::unique_ptr<Builder> host(Fault fault = Fault::none) { return host_builders().front().make(fault); }

// A law that says what it is told to.
class Scripted final : public Law {
 public:
  std::string_view name() const override { return "scripted"; }
  std::string_view what() const override { return "what a test wants"; }
  void start(const World&, const ImageLayout&) override {
    ++starts;
    seen = 0;
  }
  bool applies(const Moment& moment) const override { return moment.forward().mode != excused; }
  std::optional<Violation> judge(Moment& moment) override {
    rows += moment.forward().real_rows;
    if (++seen != fails_at) return std::nullopt;
    return Violation{.place = {.text = "here"}, .why = "a test wants it"};
  }

  Mode excused = Mode::idle;
  int fails_at = 0;
  int starts = 0;
  int seen = 0;
  std::int64_t rows = 0;
};

struct Scene {
  std::unique_ptr<Builder> builder = host();
  std::vector<std::unique_ptr<Law>> laws;
  std::vector<Scripted*> scripts;

  explicit Scene(int count = 1) {
    for (int i = 0; i < count; ++i) {
      laws.push_back(std::make_unique<Scripted>());
      scripts.push_back(static_cast<Scripted*>(laws.back().get()));
    }
  }
  Player player(Clock clock = nullptr) { return Player(*builder, nullptr, laws, clock); }
};

/// Fails in its second call.
class Failing final : public Builder {
 public:
  explicit Failing(BuilderFailed::How how) : how_(how) {}
  std::string_view name() const override { return "failing"; }
  Capabilities capabilities() const override { return {}; }
  void enqueue(const Call& call) override { sound_->enqueue(call); }
  void complete() override {
    if (++calls_ == 2) throw BuilderFailed(how_, "it says why");
    sound_->complete();
  }

 private:
  BuilderFailed::How how_;
  int calls_ = 0;
  std::unique_ptr<Builder> sound_ = host();
};

const Scenario four_steps = {{.requests = 3},
                             {{.kind = StepKind::admit, .amount = 3},
                              {.kind = StepKind::decode},
                              {.kind = StepKind::finish, .who = 9},
                              {.kind = StepKind::idle, .amount = 2}}};

const Scenario decodes = {{.requests = 3, .buckets = {2}},
                          {{.kind = StepKind::admit, .amount = 3},
                           {.kind = StepKind::decode},
                           {.kind = StepKind::decode},
                           {.kind = StepKind::decode}}};

TEST(Player, JudgesForwardPassesOnly) {
  Scene scene;
  Player player = scene.player();
  EXPECT_TRUE(player.play(decodes).empty());
  EXPECT_EQ(scene.scripts[0]->seen, 3);
  EXPECT_EQ(scene.scripts[0]->rows, 3);
}

TEST(Player, CountsWhatALawJudged) {
  Scene scene;
  Player player = scene.player();
  player.play(decodes);
  player.play(decodes);
  const LawTally& tally = player.tallies()[0];
  EXPECT_EQ(tally.cases, 2);
  EXPECT_EQ(tally.steps, 6);
  EXPECT_EQ(tally.rows, 12);  // a padded row each
  EXPECT_EQ(tally.violated, 0);
  EXPECT_EQ(tally.nanoseconds, 0u);
}

TEST(Player, CountsNothingForALawThatIsExcused) {
  Scene scene;
  Player player = scene.player();
  player.play({{}, {{.kind = StepKind::idle, .amount = 1}}});
  EXPECT_EQ(player.tallies()[0].cases, 0);
  EXPECT_EQ(player.tallies()[0].steps, 0);
}

TEST(Player, StopsAtTheFirstStepThatBreaksALaw) {
  Scene scene;
  scene.scripts[0]->fails_at = 2;
  Player player = scene.player();
  const auto violations = player.play(decodes);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].law, "scripted");
  EXPECT_EQ(violations[0].builder, "host");
  EXPECT_EQ(violations[0].step, 2);
  EXPECT_EQ(violations[0].place.text, "here");
  EXPECT_EQ(scene.scripts[0]->seen, 2);
  EXPECT_EQ(player.tallies()[0].violated, 1);
}

TEST(Player, LetsEveryLawJudgeTheStepThatBreaksOne) {
  Scene scene(3);
  scene.scripts[1]->fails_at = 1;
  scene.scripts[2]->fails_at = 1;
  Player player = scene.player();
  EXPECT_EQ(player.play(decodes).size(), 2u);
  EXPECT_EQ(player.tallies()[0].steps, 1);
}

TEST(Player, StartsLawsAnewWithEachScenario) {
  Scene scene;
  scene.scripts[0]->fails_at = 4;
  Player player = scene.player();
  EXPECT_TRUE(player.play(decodes).empty());
  EXPECT_TRUE(player.play(decodes).empty());
  EXPECT_EQ(scene.scripts[0]->starts, 2);
}

TEST(Player, HasNoViolationsLeftFromAnEarlierScenario) {
  Scene scene;
  scene.scripts[0]->fails_at = 1;
  Player player = scene.player();
  EXPECT_FALSE(player.play(decodes).empty());
  EXPECT_TRUE(player.play({{}, {}}).empty());
}

TEST(Player, CountsWhatARunReached) {
  Scene scene;
  Player player = scene.player();
  player.play(four_steps);
  const Coverage& coverage = player.coverage();
  EXPECT_EQ(coverage.scenarios, 1);
  EXPECT_EQ(coverage.steps, 4);
  EXPECT_EQ(coverage.no_ops, 0);
  EXPECT_EQ(coverage.batches, 2);
  EXPECT_EQ(coverage.rows, 3);
  EXPECT_EQ(coverage.modes[static_cast<std::size_t>(Mode::idle)], 1);
  EXPECT_EQ(coverage.pages_peak, 4);
}

std::uint64_t ticks = 0;

TEST(Player, ReadsTimeFromTheClockThatItIsGiven) {
  Scene scene;
  Player player = scene.player([] { return ticks += 10; });
  player.play(decodes);
  EXPECT_GT(player.tallies()[0].nanoseconds, 0u);
  EXPECT_GT(player.shared_nanoseconds(), 0u);
}

TEST(Player, AppliesSingleStepsToo) {
  Scene scene;
  Player player = scene.player();
  player.start(decodes.config);
  EXPECT_TRUE(player.step(decodes.steps[0]).empty());
  EXPECT_TRUE(player.step(decodes.steps[1]).empty());
  EXPECT_EQ(player.world().requests()[0].length, 4);
}

TEST(Player, LetsALawRunTheBuilderAgainOnBothPoisons) {
  class LooksAtPoison final : public Law {
   public:
    std::string_view name() const override { return "looks_at_poison"; }
    std::string_view what() const override { return "the word before the first output"; }
    std::optional<Violation> judge(Moment& moment) override {
      EXPECT_EQ(moment.first().words()[0], Moment::first_poison);
      EXPECT_EQ(moment.second().words()[0], Moment::second_poison);
      EXPECT_EQ(moment.rerun({}).words()[0], Moment::first_poison);
      const std::int64_t key = moment.layout().section(Part::cache_seqlens).first;
      EXPECT_EQ(moment.first().words()[key], moment.second().words()[key]);
      EXPECT_EQ(moment.first().words()[key], moment.rerun({.order = 3}).words()[key]);
      ++judged;
      return std::nullopt;
    }
    int judged = 0;
  };
  const auto builder = host();
  std::vector<std::unique_ptr<Law>> laws;
  laws.push_back(std::make_unique<LooksAtPoison>());
  Player player(*builder, nullptr, laws);
  player.play(decodes);
  EXPECT_EQ(static_cast<LooksAtPoison*>(laws[0].get())->judged, 3);
}

std::string said(std::span<const Violation> violations) {
  std::string text;
  for (const Violation& v : violations)
    text += v.law + " at step " + std::to_string(v.step) + ", " + v.place.text + ": " + v.expected + ", got " + v.got +
            "\n";
  return text;
}

// The builder keeps old cells, so whatever an earlier scenario left would show.
TEST(Player, JudgesAScenarioTheSameWhateverWasPlayedBefore) {
  const auto reused_builder = host(Fault::stale_page_kept);
  const auto reused_laws = props::all_laws();
  Player reused(*reused_builder, nullptr, reused_laws);
  int violated = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Scenario scenario = draw(sub_seed(61, i), {});
    const auto builder = host(Fault::stale_page_kept);
    const auto laws = props::all_laws();
    Player fresh(*builder, nullptr, laws);
    const std::string want = said(fresh.play(scenario));
    ASSERT_EQ(said(reused.play(scenario)), want) << "scenario " << i;
    violated += want.empty() ? 0 : 1;
  }
  EXPECT_GT(violated, 50);
}

TEST(Player, TakesABuilderThatFailedForAViolationAndGoesOn) {
  const std::pair<BuilderFailed::How, std::string_view> laws[] = {
      {BuilderFailed::How::crashed, does_not_crash},
      {BuilderFailed::How::hung, ends_in_time},
      {BuilderFailed::How::refused, takes_what_it_promised}};
  for (const auto& [how, law] : laws) {
    Scene scene;
    scene.builder = std::make_unique<Failing>(how);
    Player player = scene.player();
    const auto met = player.play(four_steps);
    ASSERT_EQ(met.size(), 1u);
    EXPECT_EQ(met[0].law, law);
    EXPECT_EQ(met[0].builder, "failing");
    EXPECT_EQ(met[0].step, 1);
    EXPECT_EQ(met[0].why, "it says why");
    EXPECT_TRUE(player.play(four_steps).empty()) << "the next call finds a builder that works";
  }
}

}  // namespace
}  // namespace pagestorm::sim
