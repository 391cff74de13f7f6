// Lengths and cumulative lengths, worked out by hand.

#include <gtest/gtest.h>

#include <cstdint>

#include "case.hpp"

namespace pagestorm {
namespace {

constexpr std::int32_t int32_limit = 2'147'483'647;

// Three rows of lengths 5, 0 and 2, in pages of 4.
Case three_rows(Mode mode) {
  Case one;
  one.mode = mode;
  one.page_size = 4;
  one.width = 4;
  one.slots = {Row(16, 0), Row(16, 4), Row(16, 8), Row(16, 12)};
  one.indices = {1, 2, 3};
  one.lengths = {5, 0, 2};
  one.extends = {3, 0, 2};
  return one;
}

void expect_lengths(const Result& got, const Row& keys, const Row& sum_q, const Row& sum_k) {
  EXPECT_EQ(got.keys, keys);
  EXPECT_EQ(got.sum_q, sum_q);
  EXPECT_EQ(got.sum_k, sum_k);
  EXPECT_EQ(got.strays, 0);
}

TEST(Lengths, OfDecodeAreAsGiven) {
  const Result got = run(three_rows(Mode::decode));
  expect_lengths(got, {5, 0, 2}, {0, 1, 2, 3}, {0, 5, 5, 7});
  EXPECT_EQ(got.pages, (Table{{1, 1, _, _}, {_, _, _, _}, {3, _, _, _}}));
  EXPECT_EQ(got.status, Status::none);
}

TEST(Lengths, OfIdleAreThoseOfDecode) { EXPECT_EQ(run(three_rows(Mode::idle)), run(three_rows(Mode::decode))); }

TEST(Lengths, OfDraftDecodeCountTheTokensOfEarlierSteps) {
  Case one = three_rows(Mode::draft_decode);
  expect_lengths(run(one), {6, 1, 3}, {0, 1, 2, 3}, {0, 6, 7, 10});
  one.draft_step = 3;
  const Result got = run(one);
  expect_lengths(got, {9, 4, 6}, {0, 1, 2, 3}, {0, 9, 13, 19});
  EXPECT_EQ(got.pages, (Table{{1, 1, 1, _}, {2, _, _, _}, {3, 3, _, _}}));
}

TEST(Lengths, OfTargetVerifyCountTheTokensUnderVerification) {
  Case one = three_rows(Mode::target_verify);
  one.tokens_per_row = 4;
  const Result got = run(one);
  expect_lengths(got, {9, 4, 6}, {0, 4, 8, 12}, {0, 9, 13, 19});
  EXPECT_EQ(got.pages, (Table{{1, 1, 1, _}, {2, _, _, _}, {3, 3, _, _}}));
}

// Vector V10: a ragged verify of three rows, and one that fills the bucket up to 32 tokens. Pages of 16.
Case v10() {
  Case one;
  one.mode = Mode::ragged_verify;
  one.page_size = 16;
  one.width = 3;
  one.slots = {Row(48, 0), Row(48, 16), Row(48, 32), Row(48, 48)};
  one.indices = {1, 2, 3, 0};
  one.lengths = {10, 20, 30, 1};
  one.extends = {8, 1, 3, 20};
  return one;
}

TEST(Lengths, OfVectorV10CountTheTokensOfEachRow) {
  const Result got = run(v10());
  expect_lengths(got, {18, 21, 33, 21}, {0, 8, 9, 12, 32}, {0, 18, 39, 72, 93});
  EXPECT_EQ(got.pages, (Table{{1, 1, _}, {2, 2, _}, {3, 3, 3}, {0, 0, _}}));
  EXPECT_EQ(got.status, Status::none);
  EXPECT_EQ(run(v10(), "host-shuffled"), got);
  EXPECT_EQ(run(v10(), "host-audited"), got);
}

TEST(Lengths, OfARaggedVerifyAreTheSameBeforePadding) {
  Case one = v10();
  for (auto* values : {&one.indices, &one.lengths, &one.extends}) values->pop_back();
  expect_lengths(run(one), {18, 21, 33}, {0, 8, 9, 12}, {0, 18, 39, 72});
}

TEST(Lengths, OfARaggedVerifyWithEqualRowsAreThoseOfAVerify) {
  Case ragged = v10();
  ragged.extends = {4, 4, 4, 4};
  Case uniform = ragged;
  uniform.mode = Mode::target_verify;
  uniform.tokens_per_row = 4;
  EXPECT_EQ(run(ragged), run(uniform));
}

TEST(Lengths, OfDraftExtendAreAsGivenWithTheTokensAsQueries) {
  Case one = three_rows(Mode::draft_extend);
  one.tokens_per_row = 3;
  expect_lengths(run(one), {5, 0, 2}, {0, 3, 6, 9}, {0, 5, 5, 7});
}

TEST(Lengths, OfExtendAreAsGivenWithTheNewTokensAsQueries) {
  expect_lengths(run(three_rows(Mode::extend)), {5, 0, 2}, {0, 3, 3, 5}, {0, 5, 5, 7});
}

TEST(Lengths, OfExtendWithoutCachedPrefixAreTheQueriesToo) {
  Case one = three_rows(Mode::extend);
  one.has_cached_prefix = false;
  expect_lengths(run(one), {5, 0, 2}, {0, 5, 5, 7}, {0, 5, 5, 7});
}

TEST(Lengths, OfExtendWithoutCachedPrefixNeedNoExtendLengths) {
  Case one = three_rows(Mode::extend);
  one.has_cached_prefix = false;
  one.extends = {};
  expect_lengths(run(one), {5, 0, 2}, {0, 5, 5, 7}, {0, 5, 5, 7});
}

TEST(Lengths, OfAnEmptyBatchAreTheTwoZeros) {
  for (int i = 0; i < mode_count; ++i) {
    Case one;
    one.mode = static_cast<Mode>(i);
    one.width = 3;
    one.map = {0};
    one.write_room = 2;
    const Result got = run(one);
    expect_lengths(got, {}, {0}, {0});
    EXPECT_EQ(got.pages, Table{});
    EXPECT_EQ(got.swa_writes, (std::vector<std::int64_t>{0, 0}));
    EXPECT_EQ(got.status, Status::none);
  }
}

TEST(Lengths, AreWholeWhereTheTableHasNoColumns) {
  Case one = three_rows(Mode::decode);
  one.width = 0;
  const Result got = run(one);
  expect_lengths(got, {5, 0, 2}, {0, 1, 2, 3}, {0, 5, 5, 7});
  EXPECT_EQ(got.status, Status::row_clamped);
}

TEST(Lengths, BelowZeroCountAsZeroInEveryMode) {
  for (const std::int64_t length : {std::int64_t{-1}, std::int64_t{-3}, std::int64_t{INT64_MIN}}) {
    Case one = three_rows(Mode::decode);
    one.lengths[0] = length;
    const Result decode = run(one);
    expect_lengths(decode, {0, 0, 2}, {0, 1, 2, 3}, {0, 0, 0, 2});
    EXPECT_EQ(decode.pages[0], (Row{_, _, _, _}));
    EXPECT_EQ(decode.status, Status::negative_length);
    one.mode = Mode::target_verify;
    one.tokens_per_row = 4;
    expect_lengths(run(one), {0, 4, 6}, {0, 4, 8, 12}, {0, 0, 4, 10});
    EXPECT_EQ(run(one).pages[0], (Row{_, _, _, _}));
  }
}

TEST(Lengths, BelowZeroAreNegativeIn32BitsToo) {
  Case one = three_rows(Mode::decode);
  one.type = IntType::int32;
  one.lengths[0] = INT32_MIN;
  EXPECT_EQ(run(one).keys, (Row{0, 0, 2}));
  EXPECT_EQ(run(one).status, Status::negative_length);
}

TEST(Lengths, OfNewTokensBelowZeroCountAsZero) {
  Case one = three_rows(Mode::extend);
  one.extends[0] = -2;
  expect_lengths(run(one), {5, 0, 2}, {0, 0, 0, 2}, {0, 5, 5, 7});
  EXPECT_EQ(run(one).status, Status::negative_length);
}

TEST(Lengths, Beyond32BitsSaturate) {
  Case one = three_rows(Mode::decode);
  one.lengths[0] = (std::int64_t{1} << 32) + 5;
  const Result got = run(one);
  EXPECT_EQ(got.keys, (Row{int32_limit, 0, 2}));
  EXPECT_EQ(got.sum_k, (Row{0, int32_limit, int32_limit, int32_limit}));
  EXPECT_EQ(got.pages[0], (Row{1, 1, 1, 1}));
  EXPECT_EQ(got.status, Status::length_saturated | Status::sum_saturated | Status::row_clamped);
}

TEST(Lengths, ThatJustFitDoNotSaturate) {
  Case one = three_rows(Mode::decode);
  one.lengths = {int32_limit, 0, 0};
  EXPECT_EQ(run(one).keys, (Row{int32_limit, 0, 0}));
  EXPECT_EQ(run(one).sum_k, (Row{0, int32_limit, int32_limit, int32_limit}));
  EXPECT_EQ(run(one).status, Status::row_clamped);
  one.mode = Mode::target_verify;
  one.tokens_per_row = 4;
  one.lengths[0] = int32_limit - 4;
  EXPECT_EQ(run(one).keys[0], int32_limit);
  EXPECT_EQ(run(one).status, Status::row_clamped | Status::sum_saturated);
  one.lengths[0] = int32_limit - 3;
  EXPECT_EQ(run(one).keys[0], int32_limit);
  EXPECT_EQ(run(one).status, Status::row_clamped | Status::sum_saturated | Status::length_saturated);
}

// The queries alone are too many: K does not fit, whatever the length is.
TEST(Lengths, OfARaggedVerifySaturateByTheirTokensAlone) {
  Case one = v10();
  one.lengths = {0, 20, 30, 1};
  one.extends = {2'147'483'648, 1, 3, 20};
  EXPECT_EQ(run(one).keys[0], int32_limit);
  EXPECT_EQ(run(one).status, Status::row_clamped | Status::sum_saturated | Status::length_saturated);
  one.extends[0] = int32_limit;
  EXPECT_EQ(run(one).status, Status::row_clamped | Status::sum_saturated);
}

TEST(Lengths, NearTheEndOf64BitsSaturateInEveryMode) {
  Case one = three_rows(Mode::decode);
  one.lengths[0] = INT64_MAX;
  EXPECT_EQ(run(one).keys, (Row{int32_limit, 0, 2}));
  one.mode = Mode::target_verify;
  one.tokens_per_row = 4;
  const Result verify = run(one);
  EXPECT_EQ(verify.keys, (Row{int32_limit, 4, 6}));
  EXPECT_EQ(verify.pages[0], (Row{1, 1, 1, 1}));
}

TEST(Sums, SaturateAndStaySaturated) {
  Case one = three_rows(Mode::extend);
  one.extends = {int32_limit, 1, 1};
  const Result got = run(one);
  EXPECT_EQ(got.sum_q, (Row{0, int32_limit, int32_limit, int32_limit}));
  EXPECT_EQ(got.status, Status::sum_saturated);
  one.extends = {int32_limit, 0, 0};
  EXPECT_EQ(run(one).status, Status::none);
}

TEST(Sums, OfNewTokensNearTheEndOf64BitsSaturate) {
  Case one = three_rows(Mode::extend);
  one.extends = {INT64_MAX, INT64_MAX, 1};
  const Result got = run(one);
  EXPECT_EQ(got.sum_q, (Row{0, int32_limit, int32_limit, int32_limit}));
  EXPECT_EQ(got.status, Status::sum_saturated);
}

}  // namespace
}  // namespace pagestorm
