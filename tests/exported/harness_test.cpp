#include "pagestorm/harness.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace pagestorm {
namespace {

namespace fs = std::filesystem;

using Outcome = CheckVerdict::Outcome;

std::unique_ptr<Builder> host(Fault fault = Fault::none) { return host_builders().front().make(fault); }

class Harness : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder); }

  const fs::path folder = fs::temp_directory_path() / ("pagestorm_harness_" + std::to_string(getpid()));
};

TEST_F(Harness, HoldsASoundBuilder) {
  const auto builder = host();
  const CheckVerdict verdict = check(*builder, {.cases = 50});
  EXPECT_TRUE(verdict.held()) << verdict.report;
  EXPECT_EQ(verdict.cases, 50);
  EXPECT_GT(verdict.judged, 50);
  EXPECT_EQ(verdict.report, "");
}

TEST_F(Harness, TellsOfABrokenOneAndSavesNothingUnasked) {
  const auto builder = host(Fault::spills_past_width);
  const CheckVerdict verdict = check(*builder);
  EXPECT_EQ(verdict.outcome, Outcome::violated);
  EXPECT_EQ(verdict.law, "writes_only_live_cells");
  EXPECT_LT(verdict.cases, 1000);
  EXPECT_EQ(verdict.report.find("writes_only_live_cells is VIOLATED by host\n"), 0u) << verdict.report;
  EXPECT_EQ(verdict.scenario.find("pagestorm scenario 1\nlaw: writes_only_live_cells\n"), 0u) << verdict.scenario;
  EXPECT_EQ(verdict.file, "");
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(Harness, SavesAFileThatReplays) {
  const auto broken = host(Fault::spills_past_width);
  const CheckVerdict verdict = check(*broken, {.folder = folder.string()});
  std::ostringstream saved;
  saved << std::ifstream(verdict.file).rdbuf();
  EXPECT_EQ(saved.str(), verdict.scenario);
  EXPECT_EQ(replay(*broken, verdict.file).outcome, Outcome::violated);
  EXPECT_EQ(replay(*broken, verdict.file).law, verdict.law);
  EXPECT_TRUE(replay(*host(), verdict.file).held());
}

TEST_F(Harness, IsTheSameEachTime) {
  const auto builder = host(Fault::stale_page_kept);
  const CheckVerdict first = check(*builder, {.seed = 3});
  const CheckVerdict second = check(*builder, {.seed = 3});
  EXPECT_EQ(first.outcome, Outcome::violated);
  EXPECT_EQ(first.scenario, second.scenario);
  EXPECT_EQ(first.cases, second.cases);
}

TEST_F(Harness, JudgesByTheLawsThatAreNamed) {
  const auto builder = host(Fault::build_rounds_down);
  EXPECT_TRUE(check(*builder, {.laws = {"agrees_with_reference"}, .cases = 50}).held());
  EXPECT_EQ(check(*builder, {.laws = {"agrees_with_reference", "paths_agree"}}).law, "paths_agree");
}

TEST_F(Harness, KeepsToThePageSizesAndModesThatAreNamed) {
  const auto doubled = host(Fault::page_size_rounded_to_power_of_two);
  EXPECT_TRUE(check(*doubled, {.cases = 200, .page_sizes = {1, 16, 64}}).held());
  EXPECT_FALSE(check(*doubled, {.cases = 200, .page_sizes = {48}}).held());
  const auto ignored = host(Fault::verify_tokens_ignored);
  EXPECT_TRUE(check(*ignored, {.cases = 200, .modes = {Mode::decode}}).held());
  EXPECT_FALSE(check(*ignored, {.cases = 200, .modes = {Mode::target_verify}}).held());
}

TEST_F(Harness, HasOperationsOfTheFamilyWhereTheyAreAskedFor) {
  const auto builder = host(Fault::tree_taken_as_chain);
  EXPECT_TRUE(check(*builder, {.cases = 100}).held());
  EXPECT_EQ(check(*builder, {.laws = {"draft_tokens_see_their_ancestors"}, .flash = true}).outcome, Outcome::violated);
}

TEST_F(Harness, IsUndecidedWhereNothingIsJudged) {
  const auto builder = host();
  const CheckVerdict verdict = check(*builder, {.laws = {"swa_slots_are_valid"}, .cases = 7, .swa = false});
  EXPECT_EQ(verdict.outcome, Outcome::undecided);
  EXPECT_FALSE(verdict.held());
  EXPECT_EQ(verdict.report, "undecided: nothing was judged in 7 cases\n");
}

TEST_F(Harness, NamesTheOptionThatIsWrong) {
  const auto builder = host();
  const auto complaint = [&](const CheckOptions& options) -> std::string {
    try {
      check(*builder, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(complaint({.laws = {"padding_is_fun"}}), "no law is called padding_is_fun");
  EXPECT_EQ(complaint({.cases = 0}), "cases: 0 is too few; use 1 or more");
  EXPECT_EQ(complaint({.page_sizes = {0}}), "page_sizes: 0 is no page size; use 1 to 4096");
  EXPECT_EQ(complaint({.length_high = 0}), "length_high: 0 is out of range; use 1 to 1048576");
  EXPECT_EQ(complaint({.rows_high = 5000}), "rows_high: 5000 is out of range; use 1 to 1024");
}

TEST_F(Harness, NamesThePlaceWhereAFileIsMalformed) {
  const auto builder = host();
  fs::create_directories(folder);
  const std::string path = (folder / "mine.scenario").string();
  EXPECT_THROW(replay(*builder, path), std::runtime_error);
  std::ofstream(path) << "pagestorm scenario 1\npage_size: 0\n";
  try {
    replay(*builder, path);
    FAIL() << "a page size of 0 was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()).find(path + ":2: page_size: "), 0u) << error.what();
  }
}

TEST(BuilderLaws, AreThoseThatCanBeBrokenByABuilder) {
  const std::vector<std::string> laws = builder_laws();
  const auto has = [&](const char* law) { return std::find(laws.begin(), laws.end(), law) != laws.end(); };
  EXPECT_TRUE(has("writes_only_live_cells"));
  EXPECT_TRUE(has("attention_reads_what_was_written"));
  EXPECT_FALSE(has("pools_conserve_pages"));
  EXPECT_FALSE(has("schedule_follows_lengths"));
  EXPECT_EQ(builder_laws(true).size(), laws.size() + 5);
  for (const std::string& law : laws) EXPECT_FALSE(law_says(law).empty()) << law;
}

}  // namespace
}  // namespace pagestorm
