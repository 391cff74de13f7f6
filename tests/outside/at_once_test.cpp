// A crash or a hang is told as soon as it happens, with a file, and again when it is smaller; reports are as without.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cli/at_once.hpp"
#include "library.hpp"
#include "tests/cli/report.hpp"

namespace pagestorm::outside {
namespace {

using cli::Args;
using cli::Ran;
using cli::TempDir;

const std::string now_smaller = "  now it is made smaller; as it is: ";

/// Lines of stderr that start with one of these.
std::vector<std::string> told(const Ran& ran, const std::string& start) {
  std::vector<std::string> found;
  for (const std::string& line : cli::lines_of(ran.err))
    if (line.starts_with(start)) found.push_back(line);
  return found;
}

std::size_t files_in(const std::string& folder) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files += entry.is_regular_file() ? 1 : 0;
  return files;
}

TEST(AtOnce, ACrashIsToldAndThenWhatItShrankTo) {
  const TempDir folder;
  const Ran ran = check("crash", folder);
  const auto what = told(ran, "does_not_crash is VIOLATED by crash (case ");
  ASSERT_EQ(what.size(), 1u) << ran.err;
  EXPECT_NE(what[0].find("of its process, was ended by signal 11 (segmentation fault)"), std::string::npos) << what[0];
  const auto how = told(ran, now_smaller + "pagestorm replay ");
  ASSERT_EQ(how.size(), 1u) << ran.err;
  EXPECT_TRUE(how[0].ends_with(" --builder " + library("crash"))) << how[0];
  const cli::Saved saved = cli::saved_by(ran.out);
  ASSERT_EQ(saved.problem, "") << ran.out;
  const auto smaller = told(ran, "  case ");
  ASSERT_EQ(smaller.size(), 1u) << ran.err;
  EXPECT_NE(smaller[0].find(" steps, after "), std::string::npos) << smaller[0];
  EXPECT_TRUE(smaller[0].ends_with(": pagestorm replay " + saved.file + " --builder " + library("crash")))
      << smaller[0];
  EXPECT_EQ(files_in(folder / "failures"), 1u) << "the first file makes room";
}

TEST(AtOnce, OneOfManyWorkersIsHeardOnce) {
  const TempDir folder;
  for (const Args& how : {Args{"--jobs", "3"}, Args{"--in-process"}}) {
    Args args{"check", "--builder", library("leaves"), "--builder", "host", "--seed", "1", "--cases", "60"};
    args.insert(args.end(), how.begin(), how.end());
    const cli::Reported reported = cli::report_of(folder, args);
    EXPECT_EQ(reported.ran.code, 1) << reported.ran.out << reported.ran.err;
    const std::size_t met = told(reported.ran, now_smaller).size();
    EXPECT_GE(met, 1u) << reported.ran.err;
    EXPECT_EQ(told(reported.ran, "does_not_crash is VIOLATED by leaves (case ").size(), met) << reported.ran.err;
    EXPECT_EQ(told(reported.ran, "  case ").size(), met) << reported.ran.err;
    // Several workers may have met it, and shrunk it to the same.
    EXPECT_GE(reported.json["failures"].size(), 1u) << reported.ran.out;
    EXPECT_LE(reported.json["failures"].size(), met) << reported.ran.out;
    for (const auto& failure : reported.json["failures"]) {
      EXPECT_EQ(failure["law"], "does_not_crash");
      EXPECT_NE(cli::text_of(folder / failure["file"].get<std::string>()), "") << failure;
    }
  }
}

TEST(AtOnce, AHangIsToldWhileItIsMadeSmaller) {
  const TempDir folder;
  cli::Process process(
      {"check", "--builder", library("sleeps"), "--call-time", "1s", "--seed", "1", "--out", folder / "failures"});
  while (process.err().find(now_smaller) == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  process.send(SIGKILL);
  const Ran ran = process.wait();
  EXPECT_EQ(ran.signal, SIGKILL) << "shrinking was not under way";
  EXPECT_EQ(told(ran, "ends_in_time is VIOLATED by sleeps (case ").size(), 1u) << ran.err;
  const std::string how = told(ran, now_smaller).at(0);
  EXPECT_TRUE(how.ends_with(" --builder " + library("sleeps") + " --call-time 1s")) << how;
  const Ran replayed = cli::run(cli::args_of(how.substr(how.find("pagestorm replay"))));
  EXPECT_EQ(replayed.code, 1) << replayed.out << replayed.err;
  EXPECT_NE(replayed.out.find("ends_in_time is VIOLATED by sleeps"), std::string::npos) << replayed.out;
  EXPECT_NE(replayed.out.find("gave no answer within 1.0"), std::string::npos) << replayed.out;
}

TEST(AtOnce, WhatShrinksSlowlyIsToldMeanwhile) {
  const TempDir folder;
  cli::Process process({"check", "--builder", library("slow"), "--seed", "1", "--out", folder / "failures"});
  while (process.err().find(now_smaller) == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  process.send(SIGKILL);
  const Ran ran = process.wait();
  EXPECT_EQ(ran.signal, SIGKILL) << "shrinking was not under way";
  EXPECT_EQ(told(ran, "writes_only_live_cells is VIOLATED by slow (case ").size(), 1u) << ran.err;
  const std::string how = told(ran, now_smaller).at(0);
  EXPECT_EQ(cli::run(cli::args_of(how.substr(how.find("pagestorm replay")))).code, 1) << how;
}

TEST(AtOnce, EveryLimitThatWasTypedIsReplayedWith) {
  const TempDir folder;
  const Ran ran = check("blow_up", folder,
                        {"--builder-memory", "300", "--call-work", "0", "--start-time", "40s", "--cases", "300"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("it printed: out of memory"), std::string::npos) << ran.out;
  EXPECT_TRUE(cli::lines_of(ran.out).back().ends_with(" --start-time 40s --call-work 0 --builder-memory 300"))
      << ran.out;
  EXPECT_EQ(cli::run(cli::saved_by(ran.out).replay).code, 1);
}

TEST(AtOnce, ConformSaysItToo) {
  const TempDir folder;
  const Ran ran = cli::run(
      {"conform", "--builder", library("crash"), "--seed", "1", "--cases", "60", "--out", folder / "failures"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_GE(told(ran, "does_not_crash is VIOLATED by crash (case ").size(), 1u) << ran.err;
  EXPECT_EQ(ran.out.find(now_smaller), std::string::npos) << ran.out;
}

TEST(AtOnce, ConformReportsAHangThatOutlastsItsTime) {
  const TempDir folder;
  const Ran ran = cli::run({"conform", "--builder", library("sleeps"), "--call-time", "3s", "--seed", "1", "--for",
                            "1s", "--out", folder / "failures"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_EQ(told(ran, "ends_in_time is VIOLATED by sleeps (case ").size(), 1u) << ran.err;
  EXPECT_NE(ran.out.find(" by ends_in_time in "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(" --builder " + library("sleeps") + " --call-time 3s"), std::string::npos) << ran.out;
}

TEST(AtOnce, AnEdgeCallHasACommandInsteadOfAFile) {
  const TempDir folder;
  const Ran ran = cli::run(
      {"conform", "--builder", library("edge"), "--seed", "1", "--cases", "200", "--out", folder / "failures"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_EQ(told(ran, "does_not_crash is VIOLATED by edge (edge call ").size(), 1u) << ran.err;
  const auto how = told(ran, "  pagestorm conform --builder " + library("edge"));
  ASSERT_EQ(how.size(), 1u) << ran.err;
  EXPECT_EQ(cli::run(cli::args_of(how[0])).code, 1);
}

TEST(AtOnce, ATraceSavesAndSaysItToo) {
  const TempDir folder;
  const Ran ran = cli::run({"trace", cli::sample("azure_sample.csv"), "--builder", library("crash"), "--page-size",
                            "64", "--jobs", "1", "--out", folder / "failures"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_EQ(told(ran, "does_not_crash is VIOLATED by crash (engine 1 of 1, step ").size(), 1u) << ran.err;
  EXPECT_EQ(told(ran, now_smaller + "pagestorm replay ").size(), 1u) << ran.err;
  EXPECT_EQ(told(ran, "  engine 1 of 1, step ").size(), 1u) << ran.err;
  const cli::Saved saved = cli::saved_by(ran.out);
  ASSERT_EQ(saved.problem, "") << ran.out;
  EXPECT_EQ(cli::run(saved.replay).code, 1) << ran.out;
  EXPECT_EQ(files_in(folder / "failures"), 1u);
}

/// What one of them says, line by line.
struct Heard {
  std::string lines;
  cli::Tell tell = [this](const std::string& more) { lines += more + "\n"; };
};

const cli::Failure failure{.law = "does_not_crash", .builder = "mine"};
const sim::Finding finding{.law = "does_not_crash", .builder = "./mine.so"};

TEST(AtOnce, WhatCannotBeSavedIsToldAllTheSame) {
  Heard heard;
  cli::AtOnce at_once("/proc/none", "", heard.tell);
  EXPECT_FALSE(at_once.told());
  at_once.keep(failure, finding, "case 7", "it left");
  EXPECT_TRUE(at_once.told());
  EXPECT_TRUE(heard.lines.starts_with("does_not_crash is VIOLATED by mine (case 7): it left\n" + now_smaller +
                                      "not saved: /proc/none: "))
      << heard.lines;
  at_once.give_way_to({.save_error = "neither"});
  EXPECT_EQ(cli::lines_of(heard.lines).size(), 2u) << heard.lines;
}

TEST(AtOnce, TheFirstFileStaysWhereTheSmallerOneCannotBeSaved) {
  const TempDir folder;
  Heard heard;
  cli::AtOnce at_once(folder.path(), " --call-time 9s", heard.tell);
  at_once.keep(failure, finding, "case 7", "it left");
  at_once.give_way_to({.save_error = "the disk is full"});
  EXPECT_EQ(files_in(folder.path()), 1u);
  EXPECT_TRUE(heard.lines.ends_with(" --builder ./mine.so --call-time 9s\n")) << heard.lines;
  at_once.give_way_to({.steps_after = 3});
  EXPECT_EQ(files_in(folder.path()), 0u) << "it was known already";
  EXPECT_TRUE(heard.lines.ends_with("  case 7 in 3 steps, after 0.00 s: the same as one before\n")) << heard.lines;
}

TEST(AtOnce, WhereProcessesStartSlowlyTheSmallestFoundInTimeIsReported) {
  const TempDir folder;
  const Ran ran = check("slow_start", folder);
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("does_not_crash is VIOLATED by slow_start"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("  smaller   there may be one: shrinking ended after 7 s\n"), std::string::npos) << ran.out;
  const cli::Saved saved = cli::saved_by(ran.out);
  ASSERT_EQ(saved.problem, "") << ran.out;
  EXPECT_EQ(cli::run(saved.replay).code, 1);
}

}  // namespace
}  // namespace pagestorm::outside
