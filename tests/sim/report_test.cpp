#include "sim/report.hpp"

#include <gtest/gtest.h>

#include "sim/checks.hpp"

namespace pagestorm::sim {
namespace {

Scenario golden() {
  Scenario scenario;
  scenario.config = {
      .page_size = 64, .context = 2048, .requests = 2, .pages = 100, .draft_tokens = 8, .buckets = {1, 4}};
  scenario.steps = {{.kind = StepKind::admit, .amount = 2044},
                    {.kind = StepKind::verify, .rows = 0, .amount = 2},
                    {.kind = StepKind::puncture, .amount = 3},
                    {.kind = StepKind::finish}};
  return scenario;
}

TEST(Grouped, HasACommaAfterEveryThreeDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(-1), "-1");
  EXPECT_EQ(grouped(-100), "-100");
  EXPECT_EQ(grouped(-1000), "-1,000");
  EXPECT_EQ(grouped(INT64_MAX), "9,223,372,036,854,775,807");
  EXPECT_EQ(grouped(INT64_MIN), "-9,223,372,036,854,775,808");
}

TEST(Letter, CountsLikeTheColumnsOfASheet) {
  EXPECT_EQ(letter(0), "A");
  EXPECT_EQ(letter(25), "Z");
  EXPECT_EQ(letter(26), "AA");
  EXPECT_EQ(letter(51), "AZ");
  EXPECT_EQ(letter(52), "BA");
  EXPECT_EQ(letter(701), "ZZ");
  EXPECT_EQ(letter(702), "AAA");
}

TEST(Show, NamesPoison) {
  EXPECT_EQ(show(7), "7");
  EXPECT_EQ(show(-1), "-1");
  EXPECT_EQ(show(Moment::first_poison), "poison (not written)");
  EXPECT_EQ(show(Moment::second_poison), "poison (not written)");
}

TEST(Describe, SaysWhatTheEngineIs) {
  EXPECT_EQ(describe(golden().config),
            "page size 64 · context 2,048 · table width 32 · request rows 2 · no SWA · captured at 1, 4 rows");
  EXPECT_EQ(describe({.swa = true, .window = 1500}),
            "page size 1 · context 64 · table width 64 · request rows 8 · SWA window 1,500");
}

TEST(Describe, SaysWhatOverlaps) {
  EXPECT_EQ(describe({.timing = {.overlap = true}}),
            describe(Config{}) + "\n  overlaps, lag 1 · reads end pre-replay · tables fresh");
  const Timing timing{
      true, ReadEnd::in_replay, false, Tables::ring, 3, true, Barrier::coarse, true, Algorithm::mtp, true, 2};
  EXPECT_EQ(
      describe({.timing = timing}),
      describe(Config{}) +
          "\n  overlaps, lag 2 · reads end in-replay · tables ring of 3 · plan stream · barrier coarse · no events "
          "in graphs · pinned buffers reused · host bounds, mtp");
}

TEST(Describe, SaysWhatIsUnusualAboutTheLayout) {
  Config config;
  config.layout = {IntType::int32,  IntType::int32, IntType::int32, IntType::int32, 2, 3, 4, 5, 1, 6, 3, 0, -2,
                   Far::page_table, false};
  EXPECT_EQ(
      describe(config),
      "page size 1 · context 64 · table width 64 · request rows 8 · no SWA\n"
      "  int32 indices · int32 lengths · int32 write slots · int32 map · inputs with inner stride 2 · "
      "output vectors with inner stride 3 · req_to_token with inner stride 4 · req_to_token rows 5 elements apart · "
      "page_table rows 6 elements apart · swa_page_table with inner stride 3 · room for -2 write slots · "
      "page_table rows 2^31 elements apart");
}

TEST(DescribeSteps, TellsFourStepsInWords) {
  EXPECT_EQ(describe_steps(golden()),
            (std::vector<std::string>{"admit         A · length 2,044",
                                      "verify        A with 8 tokens a row · lengths 2,044 · A then accepts 1",
                                      "puncture      A · page 3 has no slot", "finish        A"}));
}

TEST(DescribeSteps, TellsOfPaddingOddRowsAndNothingToDo) {
  Scenario scenario = golden();
  scenario.steps = {{.kind = StepKind::decode},
                    {.kind = StepKind::admit, .amount = 1},
                    {.kind = StepKind::admit, .amount = 2},
                    {.kind = StepKind::decode, .rows = 0, .odd = Odd::row_zero, .odd_row = 1},
                    {.kind = StepKind::draft, .amount = 1, .eager = true},
                    {.kind = StepKind::idle}};
  EXPECT_EQ(describe_steps(scenario),
            (std::vector<std::string>{
                "decode        (nothing to do)", "admit         A · length 1", "admit         B · length 2",
                "decode        A B · lengths 2, ... · 4 rows, 2 of them padding · row 1 told row-zero",
                "draft         A at draft step 1 · lengths 2", "idle          · 0 rows, 0 of them padding"}));
}

Violation at_column_32() {
  return {.law = "writes_only_live_cells",
          .builder = "host",
          .step = 1,
          .place = {Part::page_table, 0, 32, "page_table, row 1, column 0"},
          .expected = "untouched",
          .got = "132",
          .why = "only the live prefix of a row is written",
          .map = RowMap{.first_column = 29,
                        .expected = {129, 130, 131},
                        .got = {129, 130, 131, 132, Moment::first_poison},
                        .width = 32}};
}

TEST(DrawMap, MarksTheWrongCellAndTheEndOfTheTable) {
  EXPECT_EQ(draw_map(at_column_32()),
            "  page_table, row 0            29       30       31 |       32       33\n"
            "    expected                  129      130      131 |        .        .\n"
            "    got                       129      130      131 |      132        .\n"
            "                                                             ^");
}

TEST(DrawMap, IsNothingWithoutAMap) {
  Violation violation = at_column_32();
  violation.map.reset();
  EXPECT_EQ(draw_map(violation), "");
}

TEST(Explain, HasConfigurationStepsPlaceMapAndReason) {
  EXPECT_EQ(explain(golden(), at_column_32()),
            "  page size 64 · context 2,048 · table width 32 · request rows 2 · no SWA · captured at 1, 4 rows\n"
            "    1  admit         A · length 2,044\n"
            "    2  verify        A with 8 tokens a row · lengths 2,044 · A then accepts 1\n"
            "\n"
            "  where     page_table, row 1, column 0\n"
            "  expected  untouched\n"
            "  got       132\n"
            "\n" +
                draw_map(at_column_32()) +
                "\n"
                "\n"
                "  why       only the live prefix of a row is written\n");
}

TEST(Explain, LeavesEarlyStepsOfALongScenarioOut) {
  Scenario scenario = golden();
  scenario.steps.assign(30, {.kind = StepKind::idle});
  Violation violation = at_column_32();
  violation.step = 19;
  const std::string text = explain(scenario, violation);
  EXPECT_NE(text.find("    ... 8 earlier steps\n    9  idle"), std::string::npos) << text;
  EXPECT_NE(text.find("\n   20  idle"), std::string::npos) << text;
  EXPECT_EQ(text.find("\n   21  idle"), std::string::npos) << text;
}

}  // namespace
}  // namespace pagestorm::sim
