// Whatever the process of an outside builder does, it is a verdict with a file, and the program lives.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
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
                    Misbehaviour{"thousand", "does_not_crash is VIOLATED, once in four plays, by thousand",
                                 "in call 1000 of its process, was ended by signal 11 (segmentation fault)"},
                    Misbehaviour{"fences", "writes_only_live_cells is VIOLATED by fences", "the fence"},
                    Misbehaviour{"inputs", "does_not_crash is VIOLATED by inputs", "(segmentation fault)"},
                    Misbehaviour{"refuses", "takes_what_it_promised is VIOLATED by refuses",
                                 "returned 22: a page of three tokens is not for me"}),
    [](const auto& info) { return std::string(info.param.name); });

/// A way to answer badly, and part of the sentence that tells.
struct Answer {
  const char* way;
  const char* why;

  friend std::ostream& operator<<(std::ostream& out, const Answer& one) { return out << one.way; }
};

class Answers : public testing::TestWithParam<Answer> {};

TEST_P(Answers, ThatAreNoneAreCrashes) {
  const TempDir folder;
  const std::string command = "python3 '" + script("garbles.py") + "' " + GetParam().way;
  const Ran ran = cli::run({"check", "--builder", command, "--law", "agrees_with_reference", "--seed", "1", "--cases",
                            "5", "--rows", "1", "--out", folder / "failures"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("does_not_crash is VIOLATED by garbles"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(GetParam().why), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("--builder 'python3 '"), std::string::npos) << ran.out;
}

INSTANTIATE_TEST_SUITE_P(Outside, Answers,
                         testing::Values(Answer{"kind", "answered with a packet of kind 99 and 1024 bytes"},
                                         Answer{"short", "and 3 bytes, where an answer has kind 6 and 1024 bytes"},
                                         Answer{"serial", "answered call 2 instead"},
                                         Answer{"chatters", "exited with code 1; it printed: "}),
                         [](const auto& info) { return std::string(info.param.way); });

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

TEST(Crash, ThatDoesNotComeBackIsSaidToDependOnTheProcess) {
  const TempDir folder;
  const Ran ran = check("thousand", folder, {"--cases", "100"});
  EXPECT_NE(ran.out.find("  alone     the same scenario in a fresh process holds"), std::string::npos) << ran.out;
  const Ran replayed = cli::run(cli::saved_by(ran.out).replay);
  EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
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
