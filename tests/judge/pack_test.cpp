// Packs of scenarios on a judge elsewhere: they judge what the ordinary player judges, and trust no judge blindly.

#include "sim/pack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "host_judge.hpp"
#include "played.hpp"
#include "sim/player.hpp"

namespace pagestorm::judge {
namespace {

constexpr std::uint64_t seed = 71;

sim::Space nearby() {
  sim::Space space;
  space.far = false;
  return space;
}

struct Found {
  std::int64_t index;
  sim::Violation violation;
};

// A campaign of drawn cases.
struct Campaign {
  Fault fault = Fault::none;
  HostJudge::Tamper tamper = {};
  sim::PackOptions options = {.seats = 7};
  std::int64_t cases = 200;
  bool keep_going = true;
  sim::Space space = nearby();

  std::unique_ptr<Builder> builder = {};
  Laws laws = laws_on_images();
  std::optional<HostJudge> judge = {};
  std::optional<sim::Pack> pack = {};
  std::vector<Found> found = {};

  Campaign& play() {
    builder = host_builders().front().make(fault);
    judge.emplace(fault, tamper);
    pack.emplace(*judge, *builder, laws, options);
    std::int64_t next = 0;
    pack->play(
        [&]() -> std::optional<sim::PackCase> {
          if (next == cases) return std::nullopt;
          const std::int64_t index = next++;
          return sim::PackCase{index, sim::draw(sim::sub_seed(seed, static_cast<std::uint64_t>(index)), space)};
        },
        [&](const sim::PackCase& one, const sim::Violation& violation) {
          found.push_back({one.index, violation});
          return keep_going;
        });
    return *this;
  }
};

TEST(Pack, JudgesWhatThePlayerJudges) {
  for (const bool compare : {false, true}) {
    Campaign campaign{.options = {.seats = 7, .compare = compare}};
    campaign.play();
    EXPECT_TRUE(campaign.found.empty());
    const auto builder = host_builders().front().make(Fault::none);
    sim::Player player(*builder, nullptr, campaign.laws);
    for (std::uint64_t i = 0; i < 200; ++i)
      EXPECT_TRUE(player.play(sim::draw(sim::sub_seed(seed, i), nearby())).empty());
    for (std::size_t i = 0; i < campaign.laws.size(); ++i) {
      const sim::LawTally& tally = campaign.pack->tallies()[i];
      EXPECT_EQ(tally.cases, player.tallies()[i].cases) << i;
      EXPECT_EQ(tally.steps, player.tallies()[i].steps) << i;
      EXPECT_EQ(tally.rows, player.tallies()[i].rows) << i;
      EXPECT_EQ(tally.violated, 0);
    }
    const sim::Coverage coverage = campaign.pack->coverage();
    EXPECT_EQ(coverage.scenarios, player.coverage().scenarios);
    EXPECT_EQ(coverage.steps, player.coverage().steps);
    EXPECT_EQ(coverage.batches, player.coverage().batches);
    EXPECT_EQ(coverage.classes, player.coverage().classes);
    EXPECT_EQ(coverage.batches, campaign.pack->steps());
  }
}

TEST(Pack, HasTwoRoundsUnderWayAndFetchesNothingWhileAllIsWell) {
  Campaign campaign;
  campaign.play();
  EXPECT_EQ(campaign.judge->most_under_way, 2u);
  EXPECT_EQ(campaign.judge->fetched, 0);
  Campaign both{.options = {.seats = 7, .compare = true}};
  both.play();
  EXPECT_EQ(both.judge->most_under_way, 1u);
  EXPECT_EQ(both.judge->fetched, 2 * both.pack->steps());
}

// The first violation of each case, as the ordinary player finds it.
std::vector<Found> by_player(Fault fault, const Laws& laws, std::int64_t cases) {
  const auto builder = host_builders().front().make(fault);
  sim::Player player(*builder, nullptr, laws);
  std::vector<Found> found;
  for (std::int64_t i = 0; i < cases; ++i) {
    const auto violations = player.play(sim::draw(sim::sub_seed(seed, static_cast<std::uint64_t>(i)), nearby()));
    if (!violations.empty()) found.push_back({i, violations.front()});
  }
  return found;
}

class EveryFaultInAPack : public testing::TestWithParam<Fault> {};

TEST_P(EveryFaultInAPack, IsFoundWhereThePlayerFindsIt) {
  for (const bool compare : {false, true}) {
    Campaign campaign{.fault = GetParam(), .options = {.seats = 5, .compare = compare}, .cases = 60};
    campaign.play();
    std::vector<Found> wanted = by_player(GetParam(), campaign.laws, 60);
    std::sort(campaign.found.begin(), campaign.found.end(),
              [](const Found& a, const Found& b) { return a.index < b.index; });
    ASSERT_EQ(campaign.found.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ(campaign.found[i].index, wanted[i].index);
      EXPECT_EQ(campaign.found[i].violation.law, wanted[i].violation.law);
      EXPECT_EQ(campaign.found[i].violation.step, wanted[i].violation.step);
      EXPECT_EQ(campaign.found[i].violation.place.text, wanted[i].violation.place.text);
      EXPECT_EQ(campaign.found[i].violation.got, wanted[i].violation.got);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, EveryFaultInAPack, testing::ValuesIn(builder_faults()),
                         [](const auto& info) { return std::string(fault_name(info.param)); });

TEST(Pack, SaysThatAJudgeErrsWhoSeesNothing) {
  Campaign campaign{.fault = Fault::verify_tokens_ignored,
                    .tamper = [](Verdict& verdict) { verdict = {}; },
                    .options = {.seats = 5, .compare = true}};
  campaign.play();
  ASSERT_FALSE(campaign.found.empty());
  for (const Found& found : campaign.found) {
    EXPECT_EQ(found.violation.law, sim::judges_agree);
    EXPECT_EQ(found.violation.got, "no law is broken (the device's judge)");
  }
}

TEST(Pack, SaysThatAJudgeErrsWhoSeesWhatIsNotThere) {
  for (const bool compare : {false, true}) {
    Campaign campaign{.tamper =
                          [](Verdict& verdict) {
                            verdict = {2, 0, 64};
                          },
                      .options = {.seats = 5, .compare = compare},
                      .cases = 20};
    campaign.play();
    ASSERT_FALSE(campaign.found.empty());
    for (const Found& found : campaign.found) {
      EXPECT_EQ(found.violation.law, sim::judges_agree);
      EXPECT_EQ(found.violation.expected, "no law is broken (the host's laws)");
      EXPECT_EQ(found.violation.got, "agrees_with_reference (the device's judge)");
      EXPECT_EQ(found.violation.place.text, "status, element 0");
    }
  }
}

TEST(Pack, SaysThatAJudgeErrsWhoNamesAnotherLaw) {
  Campaign campaign{.fault = Fault::cumulative_zero_unwritten,
                    .tamper =
                        [](Verdict& verdict) {
                          if (verdict.laws != 0) verdict.laws = 4;
                        },
                    .cases = 20};
  campaign.play();
  ASSERT_FALSE(campaign.found.empty());
  for (const Found& found : campaign.found) EXPECT_EQ(found.violation.law, sim::judges_agree);
}

TEST(Pack, EndsWithTheFirstFailureWhenTold) {
  Campaign campaign{.fault = Fault::cumulative_zero_unwritten, .keep_going = false};
  campaign.play();
  EXPECT_EQ(campaign.found.size(), 1u);
  EXPECT_LT(campaign.pack->coverage().scenarios, 200);
}

TEST(Pack, PlaysACaseNoFurtherThanItsFailure) {
  Campaign campaign{.fault = Fault::cumulative_zero_unwritten};
  campaign.play();
  std::set<std::int64_t> cases;
  for (const Found& found : campaign.found) EXPECT_TRUE(cases.insert(found.index).second) << found.index;
}

TEST(Pack, JudgesByTheLawsThatItIsGiven) {
  Campaign campaign{.fault = Fault::verify_tokens_ignored};
  campaign.laws.clear();
  campaign.laws.push_back(props::swa_slots_are_valid());
  campaign.play();
  for (const Found& found : campaign.found) EXPECT_EQ(found.violation.law, "swa_slots_are_valid");
  EXPECT_EQ(campaign.pack->tallies().size(), 1u);
}

TEST(Pack, TakesNoLawThatNeedsMoreThanImages) {
  const auto builder = host_builders().front().make(Fault::none);
  HostJudge judge(Fault::none);
  Laws laws;
  laws.push_back(props::paths_agree());
  EXPECT_THROW(sim::Pack(judge, *builder, laws, {}), std::invalid_argument);
}

TEST(Pack, ExcusesFarLayoutsThatDoNotFit) {
  Campaign campaign{.cases = 60, .space = {}};
  std::int64_t far = 0;
  for (std::int64_t i = 0; i < campaign.cases; ++i) {
    const sim::Scenario one = sim::draw(sim::sub_seed(seed, static_cast<std::uint64_t>(i)), {});
    far += one.config.layout.far == sim::Far::page_table || one.config.layout.far == sim::Far::swa_page_table ? 1 : 0;
  }
  campaign.play();
  EXPECT_TRUE(campaign.found.empty());
  EXPECT_EQ(campaign.pack->excused_far(), far);
}

}  // namespace
}  // namespace pagestorm::judge
