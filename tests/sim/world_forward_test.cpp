// What each kind of step asks the device for.

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "sim/world.hpp"

namespace pagestorm::sim {

static bool operator==(const ForwardRow& a, const ForwardRow& b) {
  return a.request == b.request && a.owner == b.owner && a.pool_row == b.pool_row && a.length == b.length &&
         a.new_tokens == b.new_tokens && a.first_write == b.first_write && a.writes == b.writes && a.odd == b.odd;
}

static std::ostream& operator<<(std::ostream& out, const ForwardRow& row) {
  return out << "{request " << row.request << ", owner " << row.owner << ", pool_row " << row.pool_row << ", length "
             << row.length << ", new_tokens " << row.new_tokens << ", first_write " << row.first_write << ", writes "
             << row.writes << ", odd " << name_of(row.odd) << "}";
}

namespace {

// Pages of 4 tokens; three requests, admitted to rows 3, 2, 1 with 5, 0 and 8 tokens.
struct Engine {
  Inputs inputs;
  World world;
  Config config = {.page_size = 4, .context = 16, .requests = 3, .pages = 32, .draft_tokens = 3, .draft_steps = 2};

  void start() {
    world.start(config, inputs);
    for (const std::int64_t tokens : {5, 0, 8}) world.apply({.kind = StepKind::admit, .amount = tokens});
  }
  const std::vector<ForwardRow>& run(const Step& step) {
    EXPECT_EQ(world.apply(step), Outcome::batch);
    return world.forward().rows;
  }
  std::int64_t length(std::size_t i) const { return world.requests().at(i).length; }
};

using Rows = std::vector<ForwardRow>;

// A row of request i, in its own words.
ForwardRow row(std::int64_t i, std::int64_t length, std::int64_t new_tokens, std::int64_t first, std::int64_t writes) {
  return {.request = i,
          .owner = 3 - i,
          .pool_row = 3 - i,
          .length = length,
          .new_tokens = new_tokens,
          .first_write = first,
          .writes = writes};
}

TEST(Forward, OfDecodeHasOneMoreTokenARow) {
  Engine engine;
  engine.start();
  EXPECT_EQ(engine.run({.kind = StepKind::decode, .rows = 0}),
            (Rows{row(0, 6, 1, 5, 1), row(1, 1, 1, 0, 1), row(2, 9, 1, 8, 1)}));
  const Forward& forward = engine.world.forward();
  EXPECT_EQ(forward.mode, Mode::decode);
  EXPECT_EQ(forward.tokens_per_row, 1);
  EXPECT_EQ(forward.real_rows, 3);
  EXPECT_FALSE(forward.padded);
  EXPECT_TRUE(forward.has_cached_prefix);
  EXPECT_EQ(engine.length(0), 6);
  EXPECT_EQ(forward.write_slots(), 3);
}

TEST(Forward, OfExtendHasOneTokenFewerFromRowToRow) {
  Engine engine;
  engine.start();
  EXPECT_EQ(engine.run({.kind = StepKind::extend, .rows = 0, .amount = 2}),
            (Rows{row(0, 7, 2, 5, 2), row(1, 1, 1, 0, 1), row(2, 9, 1, 8, 1)}));
  EXPECT_EQ(engine.world.forward().mode, Mode::extend);
  EXPECT_TRUE(engine.world.forward().has_cached_prefix);
  EXPECT_EQ(engine.length(0), 7);
}

TEST(Forward, OfExtendHasNoCachedPrefixWhenNoRowHasTokens) {
  Engine engine;
  engine.start();
  EXPECT_EQ(engine.run({.kind = StepKind::extend, .who = 1, .amount = 6}), (Rows{row(1, 6, 6, 0, 6)}));
  EXPECT_FALSE(engine.world.forward().has_cached_prefix);
}

TEST(Forward, OfDraftIsAtItsStepAndCommitsNothing) {
  Engine engine;
  engine.start();
  EXPECT_EQ(engine.run({.kind = StepKind::draft, .amount = 3}), (Rows{row(0, 5, 0, 6, 1)}));
  EXPECT_EQ(engine.world.forward().mode, Mode::draft_decode);
  EXPECT_EQ(engine.world.forward().draft_step, 1);  // 3 modulo 2
  EXPECT_EQ(engine.length(0), 5);
  EXPECT_EQ(engine.world.requests()[0].allocated, 11);  // 5 + 2 * max(3, 2)
}

TEST(Forward, OfVerifyTakesTheLengthBeforeAndAcceptsAboutTheAmount) {
  Engine engine;
  engine.start();
  EXPECT_EQ(engine.run({.kind = StepKind::verify, .rows = 0, .amount = 2}),
            (Rows{row(0, 5, 0, 5, 3), row(1, 0, 0, 0, 3), row(2, 8, 0, 8, 3)}));
  EXPECT_EQ(engine.world.forward().mode, Mode::target_verify);
  EXPECT_EQ(engine.world.forward().tokens_per_row, 3);
  EXPECT_EQ(engine.length(0), 5 + 1);
  EXPECT_EQ(engine.length(1), 0 + 2);
  EXPECT_EQ(engine.length(2), 8 + 3);
  EXPECT_EQ(engine.world.requests()[2].verified, 8);
}

TEST(Forward, OfVerifyAcceptsFromNoneToAllDraftTokens) {
  EXPECT_EQ(accepted_tokens({.amount = 0}, 0, 3), 0);
  EXPECT_EQ(accepted_tokens({.amount = 0}, 2, 3), 1);
  EXPECT_EQ(accepted_tokens({.amount = 9}, 1, 3), 3);
  EXPECT_EQ(accepted_tokens({.who = 1, .amount = 2}, 0, 3), 2);
}

TEST(Forward, OfDraftExtendStartsWhereTheVerifyStood) {
  Engine engine;
  engine.start();
  engine.run({.kind = StepKind::verify, .amount = 2});
  EXPECT_EQ(engine.run({.kind = StepKind::draft_extend}), (Rows{row(0, 8, 0, 5, 3)}));
  EXPECT_EQ(engine.world.forward().mode, Mode::draft_extend);
  EXPECT_EQ(engine.world.forward().tokens_per_row, 3);
  EXPECT_EQ(engine.world.requests()[0].verified, std::nullopt);
  EXPECT_EQ(engine.length(0), 6);
}

TEST(Forward, OfDraftExtendWithoutVerifyStartsFromTheEnd) {
  Engine engine;
  engine.start();
  EXPECT_EQ(engine.run({.kind = StepKind::draft_extend}), (Rows{row(0, 8, 0, 5, 3)}));
  EXPECT_EQ(engine.length(0), 5);
}

TEST(Forward, OfASpeculativeLoopHasTheLengthsOfTheLoop) {
  Engine engine;
  engine.start();
  std::vector<std::int64_t> told;
  const auto note = [&](StepKind kind, std::int64_t amount) {
    told.push_back(engine.run({.kind = kind, .amount = amount}).front().length);
  };
  for (int loop = 0; loop < 2; ++loop) {
    note(StepKind::draft, 0);
    note(StepKind::draft, 1);
    note(StepKind::verify, 3);
    note(StepKind::draft_extend, 0);
  }
  EXPECT_EQ(told, (std::vector<std::int64_t>{5, 5, 5, 8, 7, 7, 7, 10}));
  EXPECT_EQ(engine.length(0), 9);
}

TEST(Forward, TakesRequestsFromWhoOnRoundTheEnd) {
  Engine engine;
  engine.start();
  const Rows& rows = engine.run({.kind = StepKind::decode, .who = 5, .rows = 2});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].request, 2);
  EXPECT_EQ(rows[1].request, 0);
}

TEST(Forward, TakesEachRequestOnceHoweverManyAreAsked) {
  Engine engine;
  engine.start();
  EXPECT_EQ(engine.run({.kind = StepKind::decode, .rows = 1000}).size(), 3u);
}

TEST(Forward, IsRefusedBeyondTheColumns) {
  Engine engine;  // 16 + 6 + 2 + 4 = 28 columns
  engine.start();
  EXPECT_EQ(engine.world.apply({.kind = StepKind::extend, .amount = 24}), Outcome::no_op);
  EXPECT_EQ(engine.length(0), 5);
  EXPECT_EQ(engine.run({.kind = StepKind::extend, .amount = 23}).front().length, 28);
}

// --- padding

const ForwardRow padding_of_one = {.length = 1, .writes = 1};
const ForwardRow padding_of_three = {.length = 1, .writes = 3};

TEST(Padding, FillsUpToTheNextCapturedSize) {
  Engine engine;
  engine.config.buckets = {2, 5};
  engine.start();
  const Rows& decode = engine.run({.kind = StepKind::decode, .rows = 0});
  ASSERT_EQ(decode.size(), 5u);
  EXPECT_EQ(decode[3], padding_of_one);
  EXPECT_EQ(decode[4], padding_of_one);
  EXPECT_TRUE(engine.world.forward().padded);
  EXPECT_EQ(engine.world.forward().real_rows, 3);
  EXPECT_EQ(engine.run({.kind = StepKind::verify}).at(1), padding_of_three);
}

TEST(Padding, IsNotNeededAtACapturedSize) {
  Engine engine;
  engine.config.buckets = {1, 3};
  engine.start();
  EXPECT_EQ(engine.run({.kind = StepKind::decode, .rows = 0}).size(), 3u);
  EXPECT_FALSE(engine.world.forward().padded);
}

TEST(Padding, IsNotForEagerExtendedOrLargerBatches) {
  Engine engine;
  engine.config.buckets = {2};
  engine.start();
  EXPECT_EQ(engine.run({.kind = StepKind::decode, .eager = true}).size(), 1u);
  EXPECT_EQ(engine.run({.kind = StepKind::extend}).size(), 1u);
  EXPECT_EQ(engine.run({.kind = StepKind::decode, .rows = 0}).size(), 3u);
  EXPECT_EQ(engine.run({.kind = StepKind::decode}).size(), 2u);
}

// Eight tokens for each of four rows; three rows take 8, 2 and 4 of them.
TEST(Padding, OfARaggedVerifyTakesTheTokensThatAreLeft) {
  Engine engine;
  engine.config.context = 64;
  engine.config.draft_tokens = 8;
  engine.config.buckets = {4};
  engine.start();
  EXPECT_EQ(
      engine.run({.kind = StepKind::ragged, .rows = 0, .amount = 7}),
      (Rows{
          row(0, 5, 8, 5, 8), row(1, 0, 2, 0, 2), row(2, 8, 4, 8, 4), {.length = 1, .new_tokens = 18, .writes = 18}}));
  EXPECT_EQ(engine.world.forward().write_slots(), 32);
}

TEST(Padding, IsAllThatAnIdleBatchHas) {
  Engine engine;
  engine.config.buckets = {4};
  engine.start();
  EXPECT_EQ(engine.run({.kind = StepKind::idle, .amount = 2}), (Rows{padding_of_one, padding_of_one}));
  EXPECT_EQ(engine.world.forward().mode, Mode::idle);
  EXPECT_EQ(engine.world.forward().real_rows, 0);
  EXPECT_EQ(engine.run({.kind = StepKind::idle, .amount = 9}).size(), 4u);
  EXPECT_TRUE(engine.run({.kind = StepKind::idle}).empty());
  EXPECT_FALSE(engine.world.forward().padded);
}

// --- odd rows: the device is told, the world is not

ForwardRow odd_row(Odd odd, IntType lengths = IntType::int64) {
  Engine engine;
  engine.config.layout.length_type = lengths;
  engine.start();
  const Rows rows = engine.run({.kind = StepKind::decode, .rows = 0, .odd = odd, .odd_row = 5});  // row 5 modulo 3
  EXPECT_EQ(rows[0], row(0, 6, 1, 5, 1));
  EXPECT_EQ(rows[1], row(1, 1, 1, 0, 1));
  EXPECT_EQ(engine.length(2), 9);
  return rows[2];
}

TEST(OddRow, IsTheThirdOfThreeForRow5) {
  ForwardRow want = row(2, 9, 1, 8, 1);
  EXPECT_EQ(odd_row(Odd::none), want);
  want.odd = Odd::negative_slot;
  EXPECT_EQ(odd_row(Odd::negative_slot), want);
}

TEST(OddRow, IsToldAnotherRequestRow) {
  EXPECT_EQ(odd_row(Odd::row_zero).pool_row, 0);
  EXPECT_EQ(odd_row(Odd::before_pool).pool_row, -1);
  EXPECT_EQ(odd_row(Odd::outside_pool).pool_row, 4);
  EXPECT_EQ(odd_row(Odd::duplicate).pool_row, 3);
  EXPECT_EQ(odd_row(Odd::duplicate).length, 6);
  EXPECT_EQ(odd_row(Odd::duplicate).owner, 1);
}

TEST(OddRow, IsToldAnotherLength) {
  EXPECT_EQ(odd_row(Odd::negative_length).length, -3);
  EXPECT_EQ(odd_row(Odd::zero_length).length, 0);
  EXPECT_EQ(odd_row(Odd::huge_length).length, 4'294'967'301);
  EXPECT_EQ(odd_row(Odd::huge_length, IntType::int32).length, 2'147'483'647);
}

TEST(OddRow, IsNoneInAnEmptyBatch) {
  Engine engine;
  engine.start();
  EXPECT_TRUE(engine.run({.kind = StepKind::idle, .odd = Odd::row_zero, .odd_row = 3}).empty());
}

}  // namespace
}  // namespace pagestorm::sim
