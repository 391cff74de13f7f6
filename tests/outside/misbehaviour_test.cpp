// Whatever the process of an outside builder does, it is a verdict with a file, and the program lives.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <thread>

#include "library.hpp"

namespace pagestorm::outside {
namespace {

using cli::Ran;
using cli::TempDir;

struct Misbehaviour {
  const char* name;
  const char* verdict;  ///< the beginning of the line that tells
  const char* why;      ///< part of the sentence

  friend std::ostream& operator<<(std::ostream& out, const Misbehaviour& one) { return out << one.name; }
};

class Misbehaving : public testing::TestWithParam<Misbehaviour> {};

TEST_P(Misbehaving, IsAVerdictWithAFile) {
  const Misbehaviour& one = GetParam();
  const TempDir folder;
  const Ran ran = check(one.name, folder, {"--cases", "1500"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find(std::string("\n") + one.verdict), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(one.why), std::string::npos) << ran.out;
  const cli::Saved saved = cli::saved_by(ran.out);
  ASSERT_EQ(saved.problem, "") << ran.out;
  EXPECT_NE(cli::text_of(saved.file), "");
}

INSTANTIATE_TEST_SUITE_P(
    Outside, Misbehaving,
    testing::Values(Misbehaviour{"leaves", "does_not_crash is VIOLATED by leaves", "exited with code 3"},
                    Misbehaviour{"blow_up", "does_not_crash is VIOLATED by blow_up",
                                 "(aborted); it printed: out of memory"},
                    Misbehaviour{"thousand", "does_not_crash is VIOLATED by thousand",
                                 "in call 1000 of its process, was ended by signal 11 (segmentation fault)"},
                    Misbehaviour{"fences", "writes_only_live_cells is VIOLATED by fences", "the fence"},
                    Misbehaviour{"inputs", "does_not_crash is VIOLATED by inputs", "(segmentation fault)"},
                    Misbehaviour{"wild", "does_not_crash is VIOLATED by wild", "(segmentation fault)"},
                    Misbehaviour{"refuses", "takes_what_it_promised is VIOLATED by refuses",
                                 "returned 22: a page of three tokens is not for me"}),
    [](const auto& info) { return std::string(info.param.name); });

/// The files of a folder that hold a scenario; none where there is no folder.
std::vector<std::string> scenarios_in(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".scenario") found.push_back(entry.path());
  return found;
}

TEST(Sleeper, IsSavedBeforeItIsShrunk) {
  const TempDir folder;
  cli::Process process({"check", "--builder", library("sleeps"), "--seed", "1", "--out", folder / "failures"});
  while (scenarios_in(folder / "failures").empty()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  process.send(SIGKILL);
  EXPECT_EQ(process.wait().signal, SIGKILL) << "shrinking was not under way";
  const std::vector<std::string> saved = scenarios_in(folder / "failures");
  ASSERT_EQ(saved.size(), 1u);
  EXPECT_NE(cli::text_of(saved[0]).find("law: ends_in_time\n"), std::string::npos);
}

/// Runs a command of a report as a shell would.
Ran in_a_shell(const std::string& command) {
  return cli::run({"-c", "pagestorm() { \"$PAGESTORM_PROGRAM\" \"$@\"; }; " + command}, {.program = "/bin/sh"});
}

TEST(Crash, ThatDoesNotComeBackAloneIsReplayedWithWhatWasBefore) {
  const TempDir folder;
  for (const cli::Args& how : {cli::Args{"--seed", "1"}, {"--seed", "7", "--jobs", "2"}}) {
    cli::Args args{"check", "--builder", library("thousand"), "--cases", "300", "--out", folder / "it's here"};
    args.insert(args.end(), how.begin(), how.end());
    const Ran ran = cli::run(args);
    EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
    EXPECT_NE(ran.out.find("  alone     the same scenario in a fresh process holds; after the "), std::string::npos)
        << ran.out;
    const std::string last = cli::lines_of(ran.out).back();
    EXPECT_NE(last.find(".run'/*.scenario --builder "), std::string::npos) << last;
    const Ran replayed = in_a_shell(last.substr(last.find("pagestorm replay")));
    EXPECT_EQ(replayed.code, 1) << replayed.out << replayed.err;
    EXPECT_NE(replayed.out.find("\ndoes_not_crash is VIOLATED by thousand"), std::string::npos) << replayed.out;
    EXPECT_NE(replayed.out.find("in call 1000 of its process"), std::string::npos) << replayed.out;
  }
}

TEST(Crash, ThatDoesNotComeBackAtAllIsSaidToDependOnTheProcess) {
  const TempDir folder;
  const std::string mark = folder / "mark";
  setenv("PAGESTORM_TEST_MARK", mark.c_str(), 1);
  const Ran ran = check("once", folder);
  unsetenv("PAGESTORM_TEST_MARK");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("does_not_crash is VIOLATED, once in four plays, by once"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("in a fresh process holds: what it did before plays a part\n"), std::string::npos) << ran.out;
  EXPECT_EQ(cli::saved_by(ran.out).problem, "") << ran.out;
}

TEST(Sleeper, IsStoppedByTheClock) {
  const TempDir folder;
  const Ran ran = check("sleeps", folder, {"--law", "agrees_with_reference"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("ends_in_time is VIOLATED by sleeps"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("gave no answer within "), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace pagestorm::outside
