#include "props/gen/arbitrary.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <stdexcept>

#include "sim/text.hpp"

namespace pagestorm::props {
namespace {

constexpr int any_size = 0;

TEST(Arbitrary, DrawsTheScenarioOfOneValueOfRapidChecksGenerator) {
  const rc::Random random(42);
  const std::uint64_t value = rc::Random(random).next();
  const auto generator = rc::gen::arbitrary<sim::Scenario>();
  EXPECT_EQ(generator(random, any_size).value(), sim::draw(value, {}));
}

TEST(Arbitrary, IsTheSameAtEverySize) {
  const rc::Random random(43);
  const auto generator = rc::gen::arbitrary<sim::Scenario>();
  EXPECT_EQ(generator(random, 0).value(), generator(random, 100).value());
}

TEST(Arbitrary, LeavesNothingToShrinkToRapidCheck) {
  const auto shrinkable = rc::gen::arbitrary<sim::Scenario>()(rc::Random(44), any_size);
  EXPECT_FALSE(shrinkable.shrinks().next());
}

TEST(Arbitrary, DrawsFromTheSpaceThatIsAskedFor) {
  sim::Space space;
  space.page_sizes = {48};
  rc::Random random(45);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(scenarios(space)(random.split(), any_size).value().config.page_size, 48);
}

TEST(Arbitrary, IsShownAsAScenarioFile) {
  sim::Scenario scenario;
  scenario.steps = {{.kind = sim::StepKind::admit, .amount = 3}};
  std::ostringstream out;
  rc::show(scenario, out);
  EXPECT_EQ(out.str(), "pagestorm scenario 1\npage_size: 1\ncontext: 64\nsteps:\n  admit amount=3\n");
}

TEST(Seed, IsReadInDecimalAndHexadecimal) {
  EXPECT_EQ(seed_of("7"), 7u);
  EXPECT_EQ(seed_of("0x7f"), 127u);
  EXPECT_EQ(seed_of("0XFF"), 255u);
  EXPECT_EQ(seed_of("18446744073709551615"), 0xffffffffffffffffu);
  EXPECT_EQ(seed_of("0xffffffffffffffff"), 0xffffffffffffffffu);
}

TEST(Seed, IsRefusedWhenItIsNo64BitNumber) {
  for (const char* text : {"", "0x", "-1", " 7", "7 ", "abc", "18446744073709551616", "0x10000000000000000"})
    EXPECT_EQ(seed_of(text), std::nullopt) << text;
}

TEST(RapidCheckParams, AreWhatPeopleChoseThemselves) {
  EXPECT_EQ(rapidcheck_params("max_success=1", "7"), "max_success=1");
  EXPECT_EQ(announcement("max_success=1"), "RC_PARAMS max_success=1");
}

TEST(RapidCheckParams, CarryTheSeedOfTheEnvironment) {
  EXPECT_EQ(rapidcheck_params(nullptr, "0x10"), "seed=16");
  EXPECT_EQ(announcement("seed=16"), "seed 0x0000000000000010");
}

TEST(RapidCheckParams, AreTheSameEachTimeWhenNobodyChose) {
  EXPECT_EQ(rapidcheck_params(nullptr, nullptr), "seed=6840171358581325105");
  EXPECT_EQ(announcement(rapidcheck_params(nullptr, nullptr)), "seed 0x5eed2b9c1f0a7d31");
}

TEST(RapidCheckParams, RefuseASeedThatIsNone) {
  EXPECT_THROW(rapidcheck_params(nullptr, "today"), std::invalid_argument);
}

}  // namespace
}  // namespace pagestorm::props
