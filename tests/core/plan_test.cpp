#include "core/plan.hpp"

#include <gtest/gtest.h>

namespace pagestorm::core {
namespace {

Batch batch_of(Mode mode) { return {.mode = mode, .draft_step = 3, .tokens_per_row = 5}; }

void expect_plan(const Batch& batch, std::int64_t offset, Queries queries, std::int64_t fixed, bool sums) {
  const Plan got = plan(batch);
  EXPECT_EQ(got.length_offset, offset);
  EXPECT_EQ(got.queries, queries);
  EXPECT_EQ(got.fixed_queries, fixed);
  EXPECT_EQ(got.sums, sums);
}

TEST(Plan, IdleAndDecodeTakeTheLengthAsItIsAndOneQuery) {
  expect_plan(batch_of(Mode::idle), 0, Queries::fixed, 1, true);
  expect_plan(batch_of(Mode::decode), 0, Queries::fixed, 1, true);
}

TEST(Plan, DraftDecodeAtStep3Adds4TokensAndHasOneQuery) {
  expect_plan(batch_of(Mode::draft_decode), 4, Queries::fixed, 1, true);
}

TEST(Plan, DraftDecodeDoesNotOverflowAtTheLastStep) {
  Batch batch = batch_of(Mode::draft_decode);
  batch.draft_step = INT32_MAX;
  expect_plan(batch, 2'147'483'648, Queries::fixed, 1, true);
}

TEST(Plan, TargetVerifyAddsItsTokensAndQueriesThem) {
  expect_plan(batch_of(Mode::target_verify), 5, Queries::fixed, 5, true);
}

TEST(Plan, DraftExtendQueriesTokensThatAreAlreadyCounted) {
  expect_plan(batch_of(Mode::draft_extend), 0, Queries::fixed, 5, true);
}

TEST(Plan, ExtendQueriesWhatItIsGiven) { expect_plan(batch_of(Mode::extend), 0, Queries::given, 1, true); }

TEST(Plan, ExtendWithoutCachedPrefixQueriesTheWholeRow) {
  Batch batch = batch_of(Mode::extend);
  batch.has_cached_prefix = false;
  expect_plan(batch, 0, Queries::as_keys, 1, true);
}

TEST(Plan, BuildIsTheSameInEveryMode) {
  for (int i = 0; i < mode_count; ++i) {
    Batch batch = batch_of(static_cast<Mode>(i));
    batch.entry = Entry::build;
    expect_plan(batch, 0, Queries::fixed, 1, false);
  }
}

}  // namespace
}  // namespace pagestorm::core
