// Saved scenarios play again; what is no scenario is refused with its place.

#include <gtest/gtest.h>

#include "refusal.hpp"
#include "run.hpp"
#include "sim/text.hpp"

namespace pagestorm::cli {
namespace {

const std::string scenario =
    "pagestorm scenario 1\nlaw: writes_only_live_cells\nbuilder: host\nfault: last_row_skipped\nnote: by hand\n"
    "page_size: 4\ncontext: 32\nsteps:\n  admit amount=7\n  decode\n  verify amount=2\n  finish\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Replay, PlaysOnTheBuilderOfTheFileOrAnother) {
  const TempDir dir;
  const std::string file = dir.write("a.scenario", scenario);
  const Ran own = run({"replay", file});
  EXPECT_EQ(own.code, 0) << own.err;
  EXPECT_EQ(own.out, file + "\n  by hand\nheld on host\n");
  EXPECT_EQ(run({"replay", file, "--builder", "host-audited"}).out, file + "\n  by hand\nheld on host-audited\n");
  EXPECT_EQ(run({"replay", "--builder", "host-audited", file}).out, file + "\n  by hand\nheld on host-audited\n");
  EXPECT_EQ(run({"replay", "--law", "paths_agree", file}).code, 0);
}

TEST(Replay, SwitchesOnTheFaultOfTheFile) {
  const TempDir dir;
  const std::string file = dir.write("a.scenario", scenario);
  const Ran ran = run({"replay", "--with-fault", file});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_NE(ran.out.find("\nwrites_only_live_cells is VIOLATED by host + last_row_skipped\n"), std::string::npos);
}

TEST(Replay, PrintsAsManyLinesAsSteps) {
  const TempDir dir;
  const std::string file = dir.write("a.scenario", scenario);
  const std::vector<std::string> plain = lines_of(run({"replay", file}).out);
  const Ran ran = run({"replay", "--steps", file});
  EXPECT_EQ(ran.code, 0);
  const std::vector<std::string> lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), plain.size() + 1 + 4) << ran.out;
  const std::string kinds[] = {"admit", "decode", "verify", "finish"};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string& line = lines[lines.size() - 5 + i];
    EXPECT_TRUE(line.starts_with("    " + std::to_string(i + 1) + "  " + kinds[i])) << line;
  }
}

TEST(Replay, TakesSeveralFilesAndTheWorstVerdict) {
  const TempDir dir;
  const std::string sound = dir.write("sound.scenario", with(scenario, "last_row_skipped", "tail_not_zeroed"));
  const std::string bad = dir.write("bad.scenario", scenario);
  const Ran both = run({"replay", sound, bad, "--with-fault", "--law", "reads_only_live_cells"});
  EXPECT_NE(both.out.find(sound + "\n"), std::string::npos);
  EXPECT_NE(both.out.find(bad + "\n"), std::string::npos);
  EXPECT_EQ(run({"replay", sound, bad}).code, 0);
  EXPECT_EQ(run({"replay", bad, sound, "--with-fault"}).code, 1);
}

TEST(Replay, IsUndecidedWhenNothingCanBeJudged) {
  const TempDir dir;
  const std::string empty = dir.write("empty.scenario", "pagestorm scenario 1\nsteps:\n");
  const std::string held = dir.write("held.scenario", scenario);
  const Ran ran = run({"replay", empty});
  EXPECT_EQ(ran.code, 4) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("undecided: "), std::string::npos) << ran.out;
  EXPECT_EQ(run({"replay", empty, held}).code, 4);
  EXPECT_EQ(run({"replay", held, empty}).code, 4);
  EXPECT_EQ(run({"replay", held, "--law", "swa_slots_are_valid"}).code, 4);
}

TEST(Replay, RefusesFilesThatCannotBeRead) {
  const TempDir dir;
  expect_refusal(run({"replay", dir / "nowhere"}), 3, dir / "nowhere: cannot be read: No such file");
  expect_refusal(run({"replay", dir.path()}), 3, "is a folder; name a file");
  expect_refusal(run({"replay", "/proc/self/mem"}), 3, "/proc/self/mem: cannot be read: Input/output error");
}

TEST(Replay, RefusesWhatIsNoScenarioWithItsPlace) {
  const TempDir dir;
  const auto refused = [&](const std::string& text) { return run({"replay", dir.write("f", text)}); };
  const std::string f = dir / "f";
  expect_refusal(refused(""), 2, f + ":1: schema: missing");
  expect_refusal(refused(scenario.substr(0, scenario.find("steps:"))), 2, f + ":7: steps: missing");
  expect_refusal(refused(scenario.substr(0, scenario.find("amount=2") + 4)), 2, f + ":11: ");
  expect_refusal(refused(with(scenario, "page_size: 4", "page_size: 0")), 2, f + ":6: page_size: 0 is not a page size");
  expect_refusal(refused(with(scenario, "decode", "decoed")), 2, f + ":10: ");
  expect_refusal(refused(std::string("\x7f"
                                     "ELF\0\1",
                                     6)),
                 2, f + ":1: text: byte 0x7f");
}

TEST(Replay, RefusesNamesThatDoNotExist) {
  const TempDir dir;
  const std::string file = dir.write("f", scenario);
  const std::string no_fault = dir.write("no-fault", with(scenario, "fault: last_row_skipped\n", ""));
  const std::string odd_fault = dir.write("odd-fault", with(scenario, "last_row_skipped", "gremlins"));
  const std::string odd_builder = dir.write("odd-builder", with(scenario, "builder: host", "builder: toast"));
  expect_refusal(run({"replay", "--with-fault", no_fault}), 2, no_fault + ": names no fault");
  expect_refusal(run({"replay", "--with-fault", odd_fault}), 2, odd_fault + ": fault: there is no fault 'gremlins'");
  EXPECT_EQ(run({"replay", odd_fault}).code, 0);
  expect_refusal(run({"replay", odd_builder}), 2, odd_builder + ": ");
  expect_refusal(run({"replay", odd_builder}), 2, "there is no builder 'toast'");
  EXPECT_EQ(run({"replay", odd_builder, "--builder", "host"}).code, 0);
  expect_refusal(run({"replay", file, "--builder", "toast"}), 2, "--builder: there is no builder 'toast'");
  expect_refusal(run({"replay", file, "--law", "murphy"}), 2, "--law: there is no law 'murphy'");
}

}  // namespace
}  // namespace pagestorm::cli
