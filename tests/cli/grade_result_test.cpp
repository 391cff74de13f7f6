// Figures of a grading, worked out by hand.

#include "cli/grade_result.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "cli/grade_print.hpp"

namespace pagestorm::cli {
namespace {

Hunt found(std::int64_t cases, std::int64_t steps, const char* scenario, const char* law = "a") {
  return {.found = true, .cases = cases, .law = law, .steps = steps, .scenario = scenario};
}

const Hunt in_vain{.cases = 100};
const Hunt cut_short{.cut = true, .cases = 50};

Grading two_faults(std::int64_t seeds) {
  return {.laws = {"a", "b"}, .faults = {Fault::one_page_too_many, Fault::last_row_skipped}, .seeds = seeds};
}

TEST(Spread, IsByNearestRank) {
  std::vector<std::int64_t> hundred(100);
  std::iota(hundred.begin(), hundred.end(), 1);
  const Spread of_hundred = spread_of(hundred);
  EXPECT_EQ(of_hundred.median, 50);
  EXPECT_EQ(of_hundred.high, 95);
  EXPECT_EQ(of_hundred.most, 100);
  const Spread of_three = spread_of({9, 1, 4});
  EXPECT_EQ(of_three.median, 4);
  EXPECT_EQ(of_three.high, 9);
  EXPECT_EQ(spread_of(std::vector<std::int64_t>{}).most, 0);
}

TEST(Grade, TellsWhatWasMissedFromWhatWasNotReached) {
  EXPECT_EQ(fate_of({.hunts = {found(1, 1, "x"), found(2, 1, "x")}}, 2), Fate::found);
  EXPECT_EQ(fate_of({.hunts = {found(1, 1, "x"), in_vain}}, 2), Fate::missed);
  EXPECT_EQ(fate_of({.hunts = {found(1, 1, "x"), cut_short}}, 2), Fate::not_reached);
  EXPECT_EQ(fate_of({.hunts = {found(1, 1, "x")}}, 2), Fate::not_reached);
  EXPECT_EQ(fate_of({.hunts = {found(1, 1, "x")}, .lost = "ended"}, 2), Fate::lost);
  EXPECT_EQ(fate_of({}, 2), Fate::not_reached);
}

TEST(Grade, CountsTheLargestGroupOfSeedsThatEndAlike) {
  EXPECT_EQ(alike({.hunts = {found(1, 1, "x"), found(2, 1, "y"), found(3, 1, "x"), in_vain}}), 2);
  EXPECT_EQ(alike({.hunts = {in_vain, in_vain}}), 0);
}

TEST(Grade, NamesTheMostFrequentLawFirst) {
  const std::vector<std::string> laws{"b", "a"};
  EXPECT_EQ(seen_by({.hunts = {found(1, 1, "x", "a"), found(1, 1, "x", "b"), found(1, 1, "x", "b")}}), laws);
}

TEST(Grade, SumsUpFaultsAndSeeds) {
  const Grading grading = two_faults(2);
  Graded graded;
  graded.faults = {{.hunts = {found(1, 2, "x"), found(3, 2, "x")}}, {.hunts = {found(7, 4, "y"), in_vain}}};
  const Summary all = summary_of(grading, graded);
  EXPECT_EQ(all.found, 3);
  EXPECT_EQ(all.hunts, 4);
  EXPECT_EQ(all.cases.median, 3);
  EXPECT_EQ(all.cases.most, 7);
  EXPECT_EQ(all.steps.median, 2);
  EXPECT_EQ(all.alike, 3);
  EXPECT_EQ(all.alike_faults, 2);
  EXPECT_EQ(exit_code_of(grading, graded), 1);
}

TEST(Grade, ExitsByWhatWasFound) {
  const Grading grading = two_faults(1);
  Graded graded;
  graded.faults.resize(2);
  EXPECT_EQ(exit_code_of(grading, graded), 4);
  graded.faults[0].hunts = {cut_short};
  EXPECT_EQ(exit_code_of(grading, graded), 4);
  graded.faults[0].hunts = {found(1, 1, "x")};
  EXPECT_EQ(exit_code_of(grading, graded), 1);
  graded.faults[1].hunts = {found(1, 1, "x")};
  EXPECT_EQ(exit_code_of(grading, graded), 0);
  graded.faults[1] = {.lost = "ended"};
  EXPECT_EQ(exit_code_of(grading, graded), 1);
}

TEST(Grade, SaysOfAMatrixOnlyWhatWasTried) {
  const Grading grading = two_faults(1);
  Graded graded;
  const Hunted yes{.hunts = {found(1, 1, "x")}};
  const Hunted no{.hunts = {in_vain}};
  graded.matrix = {{yes, no}, {yes, no}};
  EXPECT_EQ(kills(graded, 0), 2);
  EXPECT_EQ(idle_laws(grading, graded), std::vector<std::string>{"b"});
  EXPECT_EQ(only_killer(graded, 1), std::optional<std::size_t>(0));
  graded.matrix[1][1] = {.hunts = {cut_short}};
  EXPECT_TRUE(idle_laws(grading, graded).empty());
  EXPECT_EQ(only_killer(graded, 1), std::nullopt);
  EXPECT_EQ(only_killer(graded, 0), std::optional<std::size_t>(0));
  graded.matrix[1][1] = {.lost = "ended"};
  EXPECT_EQ(idle_laws(grading, graded), std::vector<std::string>{"b"});
  EXPECT_EQ(only_killer(graded, 1), std::nullopt);
}

TEST(Grade, ShowsWhyACellHasNoFigure) {
  EXPECT_EQ(show_cell({.hunts = {found(12, 0, "")}}), "12");
  EXPECT_EQ(show_cell({.hunts = {in_vain}}), "-");
  EXPECT_EQ(show_cell({.hunts = {cut_short}}), "?");
  EXPECT_EQ(show_cell({}), "?");
  EXPECT_EQ(show_cell({.lost = "ended"}), "!");
}

TEST(Grade, CountsWhatAGeneratorDidNotFindAsMoreThanItPlayed) {
  const Compared compared{.seeds = 2, .faults = {{.hunts = {found(1, 0, ""), in_vain}}}};
  EXPECT_EQ(spread_of(compared).median, 1);
  EXPECT_GT(spread_of(compared).high, compared_cases);
  EXPECT_EQ(found_of(compared), std::pair(std::int64_t{1}, std::int64_t{2}));
}

}  // namespace
}  // namespace pagestorm::cli
