// What may be otherwise in a failing scenario, and what may not.

#include "sim/leeway.hpp"

#include <gtest/gtest.h>

namespace pagestorm::sim {
namespace {

Scenario scenario() {
  Scenario one;
  one.config.page_size = 2;
  one.config.swa = true;
  one.steps = {{.kind = StepKind::admit, .amount = 2}};
  return one;
}

TEST(Leeway, SaysWhichFieldsMatter) {
  const auto fails = [](const Scenario& s) { return s.config.swa && s.steps[0].amount >= 2; };
  EXPECT_EQ(print(leeway_of(scenario(), fails)),
            "whatever the page_size, context, pages, cache, overlap; needs swa on; amount of step 1 5 20 as well as 2, "
            "not 0 1");
}

TEST(Leeway, PlaysNoMoreThanFortyCandidates) {
  Scenario one = scenario();
  one.steps.resize(30, one.steps.front());
  int plays = 0;
  leeway_of(one, [&](const Scenario& s) {
    EXPECT_NE(s, one);
    return ++plays > 0;
  });
  EXPECT_EQ(plays, 40);
}

TEST(Leeway, HasNothingToSayOfNothing) { EXPECT_EQ(print(std::vector<Leeway>{}), ""); }

}  // namespace
}  // namespace pagestorm::sim
