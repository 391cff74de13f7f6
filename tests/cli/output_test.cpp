// Where output cannot go: it is said, and no verdict or scenario is lost.

#include <gtest/gtest.h>

#include "refusal.hpp"
#include "run.hpp"
#include "sim/text.hpp"

namespace pagestorm::cli {
namespace {

const Args failing = {"check", "--fault", "last_row_skipped", "--cases", "200", "--seed", "7", "--builder", "host"};

Args plus(Args args, const Args& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

void expect_environment(const Ran& ran, const std::string& says) { expect_refusal(ran, 3, says); }

TEST(Output, AFolderForFailuresThatCannotBeIsRefusedBeforeTheRun) {
  const TempDir dir;
  const std::string file = dir.write("file", "");
  for (const char* command : {"check", "fuzz"}) {
    expect_environment(run({command, "--cases", "5", "--out", file}), file);
    expect_environment(run({command, "--cases", "5", "--out", file + "/below"}), file + "/below");
    expect_environment(run({command, "--cases", "5", "--out", "/proc/x"}), "/proc/x");
  }
  expect_environment(run({"trace", sample("azure_sample.csv"), "--out", file}), file);
  expect_environment(run({"trace", sample("azure_sample.csv"), "--out", "/proc/x"}), "/proc/x");
}

TEST(Output, AReportThatCannotBeWrittenKeepsNothingBack) {
  const TempDir dir;
  const How how{.folder = dir.path()};
  for (const char* option : {"--json", "--junit"}) {
    const Ran held = run({"check", "--cases", "20", option, "/dev/full"}, how);
    expect_environment(held, "/dev/full: cannot be written: No space left on device");
    EXPECT_NE(held.out.find("\nheld: 0 violations in "), std::string::npos) << held.out;
    const Ran violated = run(plus(failing, {option, "/dev/full"}), how);
    expect_environment(violated, "/dev/full: cannot be written: No space left on device");
    EXPECT_NE(violated.out.find("\nviolated: "), std::string::npos) << violated.out;
    EXPECT_EQ(saved_by(violated.out).problem, "") << violated.out;
    expect_environment(run({"check", "--cases", "5", option, dir / "no/report"}, how), dir / "no/report");
  }
  const Ran traced = run({"trace", sample("azure_sample.csv"), "--json", "/dev/full"}, how);
  expect_environment(traced, "/dev/full: cannot be written: No space left on device");
  EXPECT_NE(traced.out.find("\nheld: 0 violations in "), std::string::npos) << traced.out;
}

TEST(Output, AStandardOutputThatIsFullIsNoSuccess) {
  const TempDir dir;
  const How full{.folder = dir.path(), .out = "/dev/full"};
  for (const Args& args : {Args{"info"}, Args{"info", "--laws"}, Args{"check", "--cases", "5"}})
    expect_environment(run(args, full), "");
}

// The scenario that a report prints instead of saving it.
std::string printed_scenario(const std::string& out) {
  const std::size_t at = out.find("pagestorm scenario 1\n");
  // Another failure follows after an empty line.
  return at == std::string::npos ? "" : out.substr(at, out.find("\n\n", at) - at) + "\n";
}

TEST(Output, WhenTheDiskFillsUpTheScenarioIsPrinted) {
  const TempDir dir;
  const How how{.folder = dir.path(), .file_limit = 64};
  for (const Args& options : {Args{}, Args{"--jobs", "2"}, Args{"--in-process"}}) {
    const Ran ran = run(plus(failing, options), how);
    EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
    EXPECT_NE(ran.out.find("\n  not saved failures/"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("cannot be written: File too large"), std::string::npos) << ran.out;
    const std::string text = printed_scenario(ran.out);
    ASSERT_NE(text, "") << ran.out;
    EXPECT_LE(sim::parse(text, "stdout").scenario.steps.size(), 3u);
    EXPECT_EQ(run({"replay", dir.write("printed", text)}).code, 0);
    EXPECT_TRUE(std::filesystem::is_empty(dir.path() / "failures"));
  }
}

TEST(Output, WhenTheDiskFillsUpATraceLosesNothingEither) {
  const TempDir dir;
  const Ran ran = run({"trace", sample("azure_sample.csv"), "--fault", "last_row_skipped"},
                      {.folder = dir.path(), .file_limit = 64});
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  const std::string text = printed_scenario(ran.out);
  ASSERT_NE(text, "") << ran.out;
  EXPECT_EQ(run({"replay", dir.write("printed", text)}).code, 0);
}

TEST(Output, AFolderWithAnyNameIsReplayedByAShell) {
  const TempDir dir;
  for (const std::string name : {"it's; here", "a b$(x)", "-dash", "~"}) {
    const Ran ran = run(plus(failing, {"--out=" + name}), {.folder = dir.path()});
    ASSERT_EQ(ran.code, 1) << name << ran.err;
    const std::string last = lines_of(ran.out).back();
    const std::string command = last.substr(last.find("pagestorm replay"));
    const Ran replayed = run({"-c", "pagestorm() { \"$PAGESTORM_PROGRAM\" \"$@\"; }; " + command},
                             {.folder = dir.path(), .program = "/bin/sh"});
    EXPECT_EQ(replayed.code, 1) << command << "\n" << replayed.out << replayed.err;
  }
}

}  // namespace
}  // namespace pagestorm::cli
