#include "props/verdict.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "props/laws.hpp"
#include "sim/text.hpp"

namespace pagestorm::props {
namespace {

namespace fs = std::filesystem;

sim::Scenario one_request() {
  sim::Scenario scenario;
  scenario.steps = {
      {.kind = sim::StepKind::admit, .amount = 9}, {.kind = sim::StepKind::decode}, {.kind = sim::StepKind::decode}};
  return scenario;
}

class Verdict : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder); }

  const fs::path folder = fs::temp_directory_path() / ("pagestorm_verdict_" + std::to_string(getpid()));
};

TEST_F(Verdict, IsNothingWhenTheLawHolds) {
  Trial trial(host_builders()[0], Fault::none, all_laws());
  EXPECT_EQ(verdict(trial, one_request(), folder.string()), std::nullopt);
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(Verdict, SavesTheSmallestScenarioAndSaysHowToReplayIt) {
  Trial trial(host_builders()[0], Fault::one_page_too_many, all_laws());
  const auto text = verdict(trial, one_request(), folder.string());
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("writes_only_live_cells is VIOLATED by host + one_page_too_many"), std::string::npos) << *text;
  ASSERT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
  const std::string path = fs::directory_iterator(folder)->path().string();
  EXPECT_NE(text->find("pagestorm replay " + path + " --builder host --with-fault"), std::string::npos) << *text;
  std::ostringstream saved;
  saved << std::ifstream(path).rdbuf();
  const sim::Finding finding = sim::parse(saved.str(), path);
  EXPECT_EQ(finding.law, "writes_only_live_cells");
  EXPECT_EQ(finding.builder, "host");
  EXPECT_EQ(finding.fault, "one_page_too_many");
  EXPECT_EQ(finding.scenario.steps.size(), 1u);
  EXPECT_TRUE(trial.play(finding.scenario));
}

TEST_F(Verdict, HoldsTheScenarioItselfWhenItCannotBeSaved) {
  std::ofstream(folder) << "a file is in the way";
  Trial trial(host_builders()[0], Fault::one_page_too_many, all_laws());
  const auto text = verdict(trial, one_request(), folder.string());
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("not saved"), std::string::npos) << *text;
  EXPECT_NE(text->find("pagestorm scenario 1\n"), std::string::npos) << *text;
}

// A builder that is wrong once and then never again.
class OnceWrong final : public Builder {
 public:
  std::string_view name() const override { return "once-wrong"; }
  Capabilities capabilities() const override { return {}; }
  void enqueue(const Call& call) override { current().enqueue(call); }
  void complete() override {
    current().complete();
    ++calls_;
  }

 private:
  Builder& current() { return calls_ == 0 ? *wrong_ : *right_; }

  std::unique_ptr<Builder> wrong_ = host_builders()[0].make(Fault::one_page_too_many);
  std::unique_ptr<Builder> right_ = host_builders()[0].make(Fault::none);
  int calls_ = 0;
};

TEST_F(Verdict, SaysThatAFailureWhichDoesNotComeBackIsFlaky) {
  const BuilderEntry entry{"once-wrong", "", [](Fault) { return std::make_unique<OnceWrong>(); }};
  Trial trial(entry, Fault::none, all_laws());
  const auto text = verdict(trial, one_request(), folder.string());
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("flaky"), std::string::npos) << *text;
}

TEST(LawAlone, IsTheLawOfThatName) {
  const Laws laws = law_alone("padding_is_inert");
  ASSERT_EQ(laws.size(), 1u);
  EXPECT_EQ(laws[0]->name(), "padding_is_inert");
}

TEST(LawAlone, RefusesAnUnknownName) { EXPECT_THROW(law_alone("padding_is_fun"), std::invalid_argument); }

TEST(Trial, PlaysAgainstASoundPeerOnlyWhenTheBuilderIsAnother) {
  const auto entries = host_builders();
  sim::Scenario scenario = one_request();
  Trial alone(entries[1], Fault::verify_tokens_ignored, law_alone("paths_agree"));
  Trial compared(entries[1], Fault::verify_tokens_ignored, law_alone("paths_agree"), &entries[0]);
  scenario.steps.push_back({.kind = sim::StepKind::verify});
  EXPECT_FALSE(alone.play(scenario));
  EXPECT_TRUE(compared.play(scenario));
}

TEST(FailuresFolder, IsWherePagestormOutSays) {
  setenv("PAGESTORM_OUT", "/somewhere", 1);
  EXPECT_EQ(failures_folder(), "/somewhere/failures");
  unsetenv("PAGESTORM_OUT");
  EXPECT_EQ(failures_folder(), "failures");
}

}  // namespace
}  // namespace pagestorm::props
