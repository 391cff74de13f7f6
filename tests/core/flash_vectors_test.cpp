// The FlashAttention family on every builder that has it: vectors V4 to V9 and V13, and the edges of its contract.

#include <stdexcept>

#include "core/flash_check.hpp"
#include "flash_case.hpp"

namespace pagestorm {
namespace {

const std::vector<std::uint8_t> fork_mask = {1, 0, 0, 1, 1, 0, 1, 0, 1};  // tokens 1 and 2 both follow token 0

TEST(VerifyExpand, OfVectorV4NamesWhatIsSeen) {
  expect_flash({.batch = {.op = FlashOp::verify_expand, .page_size = 4, .tokens_per_row = 3},
                .lengths = {5},
                .slots = {8, 9, 10},
                .mask = fork_mask,
                .room = 3,
                .width = 3},
               {.keys = {1, 2, 2}, .sum_q = {0, 1, 2, 3}, .sum_k = {0, 1, 3, 5}, .table = {{8}, {8, 9}, {8, 10}}});
}

TEST(VerifyExpand, FindsTheLinesOfAWholeMask) {
  // Prefixes of 2 and 1 tokens; row 0 is a chain of two, in row 1 token 1 stands for itself.
  expect_flash(
      {.batch = {.op = FlashOp::verify_expand, .tokens_per_row = 2, .whole_mask = true},
       .lengths = {2, 1},
       .slots = {7, 9, 4, 5},
       .mask = {9, 9, 1, 0, 9, 9, 1, 1, /**/ 9, 1, 0, 9, 0, 1},
       .room = 4,
       .width = 2},
      {.keys = {1, 2, 1, 1}, .sum_q = {0, 1, 2, 3, 4}, .sum_k = {0, 1, 3, 4, 5}, .table = {{7}, {7, 9}, {4}, {5}}});
}

TEST(VerifyExpand, SeesNothingWhereTheMaskEnds) {
  expect_flash(
      {.batch = {.op = FlashOp::verify_expand, .tokens_per_row = 1, .whole_mask = true},
       .lengths = {2, 3},
       .slots = {7, 9},
       .mask = {1, 1, 1, 1, 1},
       .room = 2,
       .width = 1},
      {.keys = {1, 0}, .sum_q = {0, 1, 2}, .sum_k = {0, 1, 1}, .table = {{7}, {}}, .status = Status::mask_outside});
}

TEST(MergedVerify, OfVectorV5HasThePrefixBeforeWhatIsSeen) {
  expect_flash({.batch = {.op = FlashOp::merged_verify, .tokens_per_row = 3},
                .lengths = {3},
                .slots = {8, 9, 10},
                .mask = fork_mask,
                .rows = {{11, 12, 13, 99}},
                .room = 3,
                .width = 5},
               {.keys = {4, 5, 5},
                .sum_q = {0, 1, 2, 3},
                .sum_k = {0, 4, 9, 14},
                .table = {{11, 12, 13, 8}, {11, 12, 13, 8, 9}, {11, 12, 13, 8, 10}}});
}

TEST(MergedVerify, EndsWithTheWindowOfEachToken) {
  // A window of two: the root sees one token of the prefix, its children none. Slots are translated.
  expect_flash(
      {.batch = {.op = FlashOp::merged_verify, .tokens_per_row = 3, .window = 2},
       .lengths = {3},
       .slots = {3, 4, 5},
       .map = {0, 11, 12, 13, 14, 15},
       .mask = fork_mask,
       .rows = {{99, 99, 2, 99}},
       .room = 3,
       .width = 2},
      {.keys = {2, 2, 2}, .sum_q = {0, 1, 2, 3}, .sum_k = {0, 2, 4, 6}, .table = {{12, 13}, {13, 14}, {13, 15}}});
}

// Vector V6 lays branches out in positions; their slots, in pages 1, 2 and 4, 5 of the row, are what V7's operation reads.
TEST(DraftExpand, OfVectorV6ReadsBranchesInPagesOfTheirOwn) {
  expect_flash(
      {.batch = {.op = FlashOp::draft_expand, .page_size = 4, .branches = 2, .draft_steps = 3, .draft_step = 2},
       .lengths = {6},
       .slots = {6, 7, 8, 18, 19, 20},
       .room = 2,
       .width = 4},
      {.prefix = {4}, .keys = {5, 5}, .sum_q = {0, 1, 2}, .sum_k = {0, 5, 10}, .table = {{1, 2}, {4, 5}}});
}

TEST(DraftExpand, OfVectorV7NamesEachPageOnce) {
  FlashCase given{.batch = {.op = FlashOp::draft_expand, .page_size = 4, .draft_steps = 3},
                  .lengths = {6},
                  .slots = {22, 23, 36},
                  .room = 1,
                  .width = 4};
  expect_flash(given, {.prefix = {4}, .keys = {3}, .sum_q = {0, 1}, .sum_k = {0, 3}, .table = {{5}}});
  given.batch.draft_step = 1;
  expect_flash(given, {.prefix = {4}, .keys = {4}, .sum_q = {0, 1}, .sum_k = {0, 4}, .table = {{5}}});
  given.batch.draft_step = 2;
  expect_flash(given, {.prefix = {4}, .keys = {5}, .sum_q = {0, 1}, .sum_k = {0, 5}, .table = {{5, 9}}});
}

TEST(DraftExpand, InPagesOfOneTokenNamesSlots) {
  expect_flash({.batch = {.op = FlashOp::draft_expand, .branches = 2, .draft_steps = 2, .draft_step = 1},
                .lengths = {4},
                .slots = {7, 3, 9, 5},
                .room = 2,
                .width = 2},
               {.prefix = {4}, .keys = {2, 2}, .sum_q = {0, 1, 2}, .sum_k = {0, 2, 4}, .table = {{7, 3}, {9, 5}}});
}

// Vector V13: the pages of all steps do not fit into i + 2 columns; those of the steps so far do, at every one of them.
TEST(DraftExpand, OfVectorV13FitsIntoACapturedTable) {
  struct Narrow {
    std::int32_t page_size, steps, step;
  };
  for (const auto& [page_size, steps, step] : {Narrow{2, 4, 0}, {2, 6, 1}, {2, 8, 2}, {4, 6, 0}}) {
    FlashCase given{
        .batch = {.op = FlashOp::draft_expand, .page_size = page_size, .draft_steps = steps, .draft_step = step},
        .lengths = {page_size - 1},
        .room = 1,
        .width = step + 2};
    for (std::int64_t s = 0; s < steps; ++s) given.slots.push_back(40 * page_size + page_size - 1 + s);
    const std::int32_t keys = page_size - 1 + step + 1;
    FlashResult want{.prefix = {0}, .keys = {keys}, .sum_q = {0, 1}, .sum_k = {0, keys}, .table = {{}}};
    for (std::int32_t page = 0; page * page_size < keys; ++page) want.table[0].push_back(40 + page);
    ASSERT_LE(static_cast<std::int64_t>(want.table[0].size()), given.width);
    expect_flash(given, want);
  }
}

TEST(LocalBlocks, OfVectorV8EndWhereChunksEnd) {
  FlashCase given{.batch = {.op = FlashOp::local_blocks, .page_size = 2, .chunk = 4},
                  .lengths = {6, 17, 9},
                  .queries = {4, 10, 5},
                  .room = 9,
                  .width = 2};
  for (std::int32_t row = 1; row <= 3; ++row) {
    given.rows.emplace_back();
    for (std::int32_t p = 0; p < 18; ++p) given.rows.back().push_back((10 * row + p / 2) * 2 + p % 2);
  }
  expect_flash(given, {.keys = {4, 2, 4, 4, 4, 1, 4, 1, 0},
                       .sum_q = {0, 2, 4, 5, 9, 13, 14, 18, 19, 19},
                       .sum_k = {0, 4, 6, 10, 14, 18, 19, 23, 24, 24},
                       .table = {{10, 11}, {12}, {22, 23}, {24, 25}, {26, 27}, {28}, {32, 33}, {34}, {}}});
}

TEST(LocalBlocks, OfVectorV9AreOneForAPromptShorterThanTheChunk) {
  FlashCase given{.batch = {.op = FlashOp::local_blocks, .page_size = 16, .chunk = 8192},
                  .lengths = {1000},
                  .queries = {1000},
                  .rows = {FlashCells(1008)},
                  .room = 1,
                  .width = 512};
  FlashResult want{.keys = {1000}, .sum_q = {0, 1000}, .sum_k = {0, 1000}, .table = {{}}};
  for (std::int32_t p = 0; p < 1008; ++p) given.rows[0][static_cast<std::size_t>(p)] = 32 + p;
  for (std::int32_t page = 2; page < 65; ++page) want.table[0].push_back(page);
  expect_flash(given, want);
}

TEST(LocalBlocks, ThatDoNotFitAreSaidToBe) {
  expect_flash(
      {.batch = {.op = FlashOp::local_blocks, .tokens_per_row = 3, .chunk = 1},
       .lengths = {3},
       .rows = {{5, 6, 7}},
       .room = 2,
       .width = 1},
      {.keys = {1, 1}, .sum_q = {0, 1, 2}, .sum_k = {0, 1, 2}, .table = {{5}, {6}}, .status = Status::rows_clamped});
}

TEST(PromptWindow, KeepsThePromptAndTheLastTokens) {
  expect_flash({.batch = {.op = FlashOp::prompt_window, .page_size = 4, .window = 2},
                .lengths = {6, 3, 4},
                .prompts = {2, 9, 0},
                .rows = {{10, 11, 12, 13, 14, 15}, {20, 21, 22, 23, 24, 25}, {30, 31, 32, 33, 34, 35}},
                .room = 3,
                .width = 4},
               {.keys = {4, 3, 2},
                .sum_q = {0, 1, 2, 3},
                .sum_k = {0, 4, 7, 9},
                .table = {{10, 11, 14, 15}, {20, 21, 22}, {32, 33}}});
}

// Encoders of 2, 0 and 3 tokens, and 3, 4 and 1 tokens behind them.
FlashCase with_encoder(FlashOp op, std::int64_t width) {
  return {.batch = {.op = op, .page_size = 4},
          .lengths = {3, 4, 1},
          .prompts = {2, 0, 3},
          .rows = {{10, 11, 12, 13, 14}, {20, 21, 22, 23, 24}, {30, 31, 32, 33, 34}},
          .room = 3,
          .width = width};
}

TEST(EncoderTable, NamesTheStartOfTheRow) {
  expect_flash(
      with_encoder(FlashOp::encoder_table, 4),
      {.keys = {2, 0, 3}, .sum_q = {0, 1, 2, 3}, .sum_k = {0, 2, 2, 5}, .table = {{10, 11}, {}, {30, 31, 32}}});
}

TEST(TextTable, BeginsWhereTheEncoderOfItsOwnRowEnds) {
  expect_flash(with_encoder(FlashOp::text_table, 4), {.keys = {3, 4, 1},
                                                      .sum_q = {0, 1, 2, 3},
                                                      .sum_k = {0, 3, 7, 8},
                                                      .table = {{12, 13, 14}, {20, 21, 22, 23}, {33}}});
  expect_flash(with_encoder(FlashOp::text_table, 3), {.keys = {3, 4, 1},
                                                      .sum_q = {0, 1, 2, 3},
                                                      .sum_k = {0, 3, 7, 8},
                                                      .table = {{12, 13, 14}, {20, 21, 22}, {33}},
                                                      .status = Status::row_clamped});
}

TEST(TextTable, TakesEveryContent) {
  FlashCase given = with_encoder(FlashOp::text_table, 4);
  given.lengths = {-1, 2, 1};
  given.prompts = {2, -5, 9};
  expect_flash(given, {.keys = {0, 2, 1},
                       .sum_q = {0, 1, 2, 3},
                       .sum_k = {0, 0, 2, 3},
                       .table = {{}, {20, 21}, {-1}},
                       .status = Status::negative_length | Status::position_outside_row});
}

// Splits of 4 keys; room for 8 rows, as a graph for so many has.
TEST(Schedule, CountsSplitsAndIsEmptyAfterTheLastRow) {
  expect_flash({.batch = {.op = FlashOp::schedule, .page_size = 2, .chunk = 4},
                .lengths = {4, 0, 5, -1, 13},
                .room = 5,
                .schedule = 9},
               {.keys = {4, 0, 5, 0, 13},
                .sum_q = {0, 1, 2, 3, 4, 5},
                .sum_k = {0, 4, 4, 9, 9, 22},
                .schedule = {0, 1, 0, 2, 0, 4, 0, 0, 0},
                .table = {{}, {}, {}, {}, {}},
                .status = Status::negative_length});
}

TEST(Schedule, NeedsRoomForRowsRoundedUp) {
  EXPECT_EQ(schedule_size(0), 1);
  EXPECT_EQ(schedule_size(4), 5);
  EXPECT_EQ(schedule_size(5), 9);
}

TEST(Flash, TakesEveryContent) {
  expect_flash(
      {.batch = {.op = FlashOp::prompt_window},
       .lengths = {-1, 2, 4, 3},
       .prompts = {5, 0, -2, 0},
       .indices = {0, 7, 0, 0},
       .map = {0, 6, -3, 8},
       .rows = {{1, 2, -1, 9}},
       .room = 4,
       .width = 3},
      {.keys = {0, 2, 4, 3},
       .sum_q = {0, 1, 2, 3, 4},
       .sum_k = {0, 0, 2, 6, 9},
       .table = {{}, {-1, -1}, {6, -1, -1}, {6, -1, -1}},
       .status = Status::negative_length | Status::row_outside_pool | Status::absent_slot | Status::row_clamped});
}

TEST(Flash, OfAnEmptyBatchHasTheZeros) {
  for (int i = 0; i < flash_op_count; ++i) {
    const auto op = static_cast<FlashOp>(i);
    const FlashCells schedule = op == FlashOp::schedule ? FlashCells{0, 0, 0, 0, 0} : FlashCells{};
    expect_flash({.batch = {.op = op}, .lengths = {}, .schedule = static_cast<std::int64_t>(schedule.size())},
                 {.sum_q = {0}, .sum_k = {0}, .schedule = schedule});
  }
}

TEST(Flash, RefusesShapesThatMeanNothing) {
  const auto complains = [](FlashBatch batch) { return core::scalar_complaint(batch) != nullptr; };
  EXPECT_FALSE(complains({}));
  EXPECT_TRUE(complains({.page_size = 0}));
  EXPECT_TRUE(complains({.rows = -1}));
  EXPECT_TRUE(complains({.branches = 0}));
  EXPECT_TRUE(complains({.draft_steps = 2, .draft_step = 2}));
  EXPECT_TRUE(complains({.tokens_per_row = 0}));
  EXPECT_TRUE(complains({.window = -1}));
  EXPECT_TRUE(complains({.op = FlashOp::local_blocks, .page_size = 4, .chunk = 6}));
  const std::int64_t one = 1;
  const IntVector lengths{&one, 1, 1, IntType::int64};
  EXPECT_STREQ(core::input_complaint({.rows = 1}), "seq_lens: is missing");
  EXPECT_STREQ(core::input_complaint({.rows = 1, .draft_steps = 2, .seq_lens = lengths, .out_cache_loc = lengths}),
               "out_cache_loc: needs a slot for each step of each branch of each row");
  std::uint32_t status = 0;
  EXPECT_STREQ(core::output_complaint({}, {.status = &status}), "cu_seqlens_q: is missing");
}

TEST(Flash, IsRefusedByABuilderThatLacksIt) {
  class Bare final : public Builder {
   public:
    std::string_view name() const override { return "bare"; }
    Capabilities capabilities() const override { return {}; }
    void enqueue(const Call&) override {}
    void complete() override {}
    using Builder::enqueue;
  };
  Bare bare;
  EXPECT_THROW(bare.enqueue(FlashCall{}), BuilderError);
}

}  // namespace
}  // namespace pagestorm
