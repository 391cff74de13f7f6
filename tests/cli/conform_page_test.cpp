// The page of clauses, from results of known figures.

#include "cli/conform_page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/print.hpp"

namespace pagestorm::cli {
namespace {

// A builder that was excused twice: once nothing is left to try, and once something is. One clause is violated.
Result result() {
  Result result;
  result.clauses.assign(props::clause_count, 0);
  result.clauses[props::clause_index("C2.1")] = 7;
  result.clauses[props::clause_index("C8.2")] = 1;
  result.clauses[props::clause_index("C5.1")] = 9;
  result.excused = {{"mine", "page_sizes", "takes some page sizes only", "C2.1", 3, 0, 0},
                    {"mine", "clamps", "no row may need more columns than there are", "C5.2 C12.3", 0, 4, 0}};
  result.failures = {{.law = "writes_only_live_cells",
                      .clause = "C5.1",
                      .builder = "mine",
                      .steps_after = 2,
                      .explanation = "  page size 1\n\n  where     page_table, row 0, column 1\n  expected  untouched\n"
                                     "  got       7\n\n  why       it is\n",
                      .file = "f.scenario",
                      .replay = "pagestorm replay f.scenario"}};
  result.rows = {{.law = "writes_only_live_cells", .builder = "mine", .steps = 9}};
  result.cases = 12;
  return result;
}

ClauseLine line_of(const Result& result, std::string_view clause) {
  return clause_lines(result)[props::clause_index(clause)];
}

TEST(ConformPage, SaysWhatBecameOfEachClause) {
  const Result all = result();
  EXPECT_EQ(line_of(all, "C2.1").status, ClauseStatus::held);
  EXPECT_EQ(line_of(all, "C2.1").excuses.size(), 1u) << "in part";
  EXPECT_EQ(line_of(all, "C5.1").status, ClauseStatus::violated);
  EXPECT_EQ(line_of(all, "C5.2").status, ClauseStatus::excused);
  EXPECT_EQ(line_of(all, "C12.3").status, ClauseStatus::excused);
  EXPECT_EQ(line_of(all, "C1.2").status, ClauseStatus::not_tried) << "C12.3 is another clause";
}

TEST(ConformPage, IsTextWithoutColourUnlessAskedFor) {
  const Campaign campaign{.builders = {"./my mine.so"}, .seed = 0x5eed};
  const std::string page = print_page(campaign, result(), false);
  EXPECT_EQ(page.find('\033'), std::string::npos);
  EXPECT_NE(print_page(campaign, result(), true).find("\033[31m✗\033[0m C5.1"), std::string::npos);
  EXPECT_NE(page.find("✓ C8.2 "), std::string::npos);
  EXPECT_NE(page.find(" 1 pass\n"), std::string::npos);
  EXPECT_NE(page.find("7 passes; in part excused by page_sizes: takes some page sizes only\n"), std::string::npos);
  EXPECT_NE(page.find("page_table, row 0, column 1, expected untouched, got 7, by writes_only_live_cells in 2 steps\n"
                      "           pagestorm replay f.scenario\n"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("excused by clamps: no row may need more columns than there are\n"), std::string::npos);
  EXPECT_NE(page.find("2 of 55 clauses held, 1 violated, 2 excused, 50 not tried\n"), std::string::npos);
  EXPECT_TRUE(page.ends_with("pagestorm conform --builder './my mine.so' --seed 0x5eed --cases 12\n")) << page;
}

TEST(ConformPage, SaysOfAnEdgeCallWhatItWasAndHowToComeToItAgain) {
  Result all = result();
  all.failures.clear();
  const Failure call{.law = "edge_call",
                     .clause = "C7.3",
                     .call = "decode, 1 row",
                     .builder = "mine",
                     .explanation = "  where     page_table, row 0, column 2\n  expected  -1\n  got       0\n",
                     .replay = "pagestorm conform --builder mine --seed 0x1 --cases 8"};
  all.failures.push_back(call);
  EXPECT_EQ(line_of(all, "C7.3").status, ClauseStatus::violated);
  const std::string page = print_page({.builders = {"mine"}}, all, false);
  const std::string own =
      "           page_table, row 0, column 2, expected -1, got 0, by an edge call, which is no scenario:\n"
      "           decode, 1 row\n"
      "           pagestorm conform --builder mine --seed 0x1 --cases 8\n";
  EXPECT_NE(page.find(own), std::string::npos) << page;

  all = result();  // a scenario breaks something: what else is broken at the edges is not told yet
  all.failures.push_back(call);
  all.clauses[props::clause_index("C7.3")] = 5;
  EXPECT_EQ(line_of(all, "C7.3").status, ClauseStatus::not_tried);
}

TEST(ConformPage, OfAFailureThatDidNotComeBackViolatesNothing) {
  Result flaky = result();
  flaky.failures.front().flaky = true;
  EXPECT_EQ(line_of(flaky, "C5.1").status, ClauseStatus::held);
  EXPECT_NE(print_page({.builders = {"mine"}}, flaky, false).find("flaky     C5.1"), std::string::npos);
}

TEST(ConformPage, IsTheSameForMachines) {
  const nlohmann::json page = nlohmann::json::parse(print_page_json({.builders = {"mine"}}, result(), 1));
  EXPECT_EQ(page["exit_code"], 1);
  ASSERT_EQ(page["clauses"].size(), props::clause_count);
  const nlohmann::json& cut = page["clauses"][props::clause_index("C5.2")];
  EXPECT_EQ(cut["status"], "excused");
  EXPECT_EQ(cut["excuses"], nlohmann::json::array({"clamps"}));
  EXPECT_EQ(page["clauses"][props::clause_index("C5.1")]["failure"]["file"], "f.scenario");
  EXPECT_NE(print_page_junit({.builders = {"mine"}}, result()).find("tests=\"55\" failures=\"1\" skipped=\"52\""),
            std::string::npos);
}

TEST(Excuses, AreListedALineEach) {
  EXPECT_EQ(
      print_excuses(result()),
      "excused   mine from page_sizes (C2.1): takes some page sizes only · 3 scenarios fitted\n"
      "excused   mine from clamps (C5.2 C12.3): no row may need more columns than there are · 4 passes not given\n");
  EXPECT_EQ(print_excuses({}), "");
}

TEST(Excuses, AreAddedUpOverWorkers) {
  Result sum = result();
  sum.merge(result());
  ASSERT_EQ(sum.excused.size(), 2u);
  EXPECT_EQ(sum.excused[1].not_given, 8);
  EXPECT_EQ(sum.clauses[props::clause_index("C2.1")], 14);
}

}  // namespace
}  // namespace pagestorm::cli
