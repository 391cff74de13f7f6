// Grading: every fault is still found, soon and small; what is not found, or not reached, is said.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "pagestorm/fault.hpp"
#include "run.hpp"

namespace pagestorm::cli {
namespace {

nlohmann::json report_in(const TempDir& dir) {
  return nlohmann::json::parse(text_of(dir / "report.json"), nullptr, false);
}

// This law never sees that fault: a hunt that ends when it is told to.
const Args hopeless = {"--fault", "window_kept_while_speculating", "--law", "paths_agree"};

Args with(Args args, const Args& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

// What every change has to keep: a fault that is found no more fails here, and so does one that takes too long.
TEST(Grade, FindsEveryFaultSoonAndSmall) {
  const TempDir dir;
  const Ran ran = run({"grade", "--seeds", "2", "--cases", "5000", "--jobs", "2", "--json", dir / "report.json"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.err, "");
  const nlohmann::json report = report_in(dir);
  ASSERT_EQ(report["faults"].size(), fault_catalogue().size());
  for (const nlohmann::json& fault : report["faults"]) EXPECT_EQ(fault["fate"], "found") << fault["fault"];
  const nlohmann::json& summary = report["summary"];
  EXPECT_LE(summary["cases"]["median"], 50);
  EXPECT_LE(summary["cases"]["percentile_95"], 2500);
  EXPECT_LE(summary["steps"]["median"], 3);
  EXPECT_LE(summary["steps"]["percentile_95"], 6);
}

TEST(Grade, PrintsALineAFaultAndThenTheLaws) {
  const Ran ran = run({"grade", "--seeds", "3", "--fault", "tail_not_zeroed", "--fault", "build_rounds_down"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(ran.out.starts_with("builder host · 2 faults · seeds 1 to 3 · generator boundaries · ")) << ran.out;
  EXPECT_NE(ran.out.find("\nbuild_rounds_down "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\ntail_not_zeroed "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\nfound     6 of 6 pairs of a fault and a seed, "), std::string::npos) << ran.out;
}

TEST(Grade, WritesTheSameDocumentWhoeverWorks) {
  const TempDir dir;
  for (const char* jobs : {"1", "2"})
    EXPECT_EQ(run({"grade", "--seeds", "2", "--fault", "build_rounds_down", "--fault", "dedup_forgets_row", "--jobs",
                   jobs, "--markdown", dir / jobs})
                  .code,
              0);
  const std::string text = text_of(dir / "1");
  EXPECT_EQ(text, text_of(dir / "2"));
  for (const char* part : {"# Faults\n", "\n## Not found\n\nNothing", "| `dedup_forgets_row` | sharing |",
                           "\n| `build_rounds_down` | `paths_agree` |\n", "\n| uniform | ", "\n| boundaries | "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Grade, EveryGeneratorFindsWhatIsEverywhere) {
  for (const char* generator : {"uniform", "swarm", "boundaries"}) {
    const Ran ran = run({"grade", "--seeds", "1", "--fault", "slots_not_divided", "--generator", generator});
    EXPECT_EQ(ran.code, 0) << generator << "\n" << ran.out << ran.err;
  }
}

TEST(Grade, WhatIsNotFoundStandsFirst) {
  const Ran ran =
      run(with(with({"grade"}, hopeless), {"--fault", "build_rounds_down", "--seeds", "2", "--cases", "50"}));
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  const std::size_t missed =
      ran.out.find("\n\nwindow_kept_while_speculating        not found on 2 of 2 seeds, in 50 cases each\n");
  const std::size_t found = ran.out.find("\nfound     2 of 4 pairs");
  EXPECT_NE(found, std::string::npos) << ran.out;
  EXPECT_LT(missed, found) << ran.out;
}

TEST(Grade, OutOfTimeSaysWhatWasNotReached) {
  const TempDir dir;
  const Ran ran = run(with(with({"grade"}, hopeless), {"--fault", "build_rounds_down", "--for", "1s", "--cases",
                                                       "100000000", "--json", dir / "report.json"}));
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("not reached on 5 of 5 seeds\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(" (out of time)\n"), std::string::npos) << ran.out;
  const nlohmann::json report = report_in(dir);
  EXPECT_EQ(report["out_of_time"], true);
  EXPECT_EQ(report["faults"][0]["fate"], "found");
  EXPECT_EQ(report["faults"][1]["fate"], "not reached");
}

TEST(Grade, AnInterruptEndsItWithItsReport) {
  const TempDir dir;
  Process process(with(with({"grade"}, hopeless), {"--cases", "100000000", "--json", dir / "report.json"}));
  for (int i = 0; i < 1000 && process.children().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  process.send(SIGINT);
  const Ran ran = process.wait(30);
  EXPECT_EQ(ran.code, 4) << ran.out << ran.err;  // nothing was graded to its end
  EXPECT_NE(ran.out.find("\nfound     0 of 5 pairs"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(" (interrupted)\n"), std::string::npos) << ran.out;
  EXPECT_EQ(report_in(dir)["interrupted"], true);
}

TEST(Grade, ABuilderThatIsAbsentIsAnErrorOfTheEnvironment) {
  if (run({"info"}).out.find("  cuda-stream     absent") == std::string::npos) GTEST_SKIP() << "there is a device";
  const Ran ran = run({"grade", "--seeds", "1", "--builder", "cuda-stream", "--fault", "build_rounds_down"});
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("cuda-stream"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace pagestorm::cli
