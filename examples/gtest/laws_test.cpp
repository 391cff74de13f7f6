// Pagestorm's laws over a builder of our own, each a test.

#include <gtest/gtest.h>
#include <pagestorm/harness.hpp>

#include <iostream>
#include <string>

#include "simple_builder.hpp"

namespace example {
namespace {

class SimpleBuilderKeeps : public testing::TestWithParam<std::string> {};

TEST_P(SimpleBuilderKeeps, Law) {
  SimpleBuilder builder;
  const pagestorm::CheckVerdict verdict = pagestorm::check(builder, {.laws = {GetParam()}, .cases = 300});
  // Nothing is passed over in silence: a law that has no say about this builder is a skipped test.
  if (verdict.outcome == pagestorm::CheckVerdict::Outcome::undecided) GTEST_SKIP() << verdict.report;
  EXPECT_TRUE(verdict.held()) << verdict.report;
}

INSTANTIATE_TEST_SUITE_P(Laws, SimpleBuilderKeeps, testing::ValuesIn(pagestorm::builder_laws()),
                         [](const auto& info) { return info.param; });

// A suite that cannot fail proves nothing.
TEST(BrokenBuilder, IsCaught) {
  SimpleBuilder builder(Flaw::keeps_last_column);
  const pagestorm::CheckVerdict verdict = pagestorm::check(builder);
  EXPECT_EQ(verdict.outcome, pagestorm::CheckVerdict::Outcome::violated);
  EXPECT_EQ(verdict.law, "writes_only_live_cells");
  std::cout << verdict.report << "\n" << verdict.scenario;
}

}  // namespace
}  // namespace example
