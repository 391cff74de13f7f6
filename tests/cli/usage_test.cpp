// What is typed wrong is refused with one clear line; what is asked for is explained.

#include <gtest/gtest.h>

#include "run.hpp"

namespace pagestorm::cli {
namespace {

struct Help {
  std::string command;
  std::vector<std::string> options;
};

const std::vector<std::string> campaign_options = {
    "--builder", "--law",        "--fault", "--cases",  "--for",   "--seed",  "--page-size",
    "--seq-len", "--rows",       "--mode",  "--timing", "--swa",   "--near",  "--clean",
    "--jobs",    "--in-process", "--out",   "--json",   "--junit", "--judge", "--reader"};
const std::vector<std::string> limit_options = {"--start-time", "--call-work", "--call-time", "--builder-memory"};

const Help helps[] = {
    {"check", campaign_options},
    {"fuzz", campaign_options},
    {"replay", {"FILE", "--builder", "--law", "--with-fault", "--steps"}},
    {"trace", {"FILE",     "--format", "--page-size", "--context",   "--batch", "--draft-tokens", "--draft-steps",
               "--accept", "--swa",    "--window",    "--chunk",     "--limit", "--builder",      "--law",
               "--fault",  "--jobs",   "--seed",      "--saturated", "--out",   "--json"}},
    {"grade",
     {"--fault", "--law", "--builder", "--seeds", "--for", "--cases", "--jobs", "--generator", "--matrix", "--compare",
      "--json", "--markdown"}},
    {"streams",
     {"FILE", "--on", "--with-fault", "--hazard", "--only", "--runs", "--hold-up", "--placements", "--seed", "--json"}},
    {"bench", {}},
    {"info", {"--faults", "--laws"}},
};

TEST(Usage, HelpOfTheProgramNamesEverySubcommand) {
  const Ran ran = run({"--help"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  for (const Help& help : helps)
    EXPECT_NE(ran.out.find("\n  " + help.command + " "), std::string::npos) << help.command;
}

TEST(Usage, HelpOfASubcommandNamesItsOptions) {
  for (const Help& help : helps) {
    const Ran ran = run({help.command, "--help"});
    EXPECT_EQ(ran.code, 0) << help.command;
    EXPECT_EQ(ran.err, "") << help.command;
    for (const std::string& option : help.options)
      EXPECT_NE(ran.out.find("  " + option + " "), std::string::npos) << help.command << " " << option;
  }
}

TEST(Usage, LimitsOfOutsideBuildersAreAGroupOfTheirOwn) {
  for (const char* command : {"check", "fuzz", "conform", "replay", "trace", "info"}) {
    const Ran ran = run({command, "--help"});
    const std::size_t group = ran.out.find("\nOutside builders:\n");
    ASSERT_NE(group, std::string::npos) << command << ran.out;
    for (const std::string& option : limit_options)
      EXPECT_NE(ran.out.find("\n  " + option + " ", group), std::string::npos) << command << " " << option;
  }
}

struct Refused {
  Args args;
  std::vector<std::string> says;  ///< what the message holds: the option, what was typed, what to type
};

// One line that says what is wrong, and perhaps the hint that --help is there.
void expect_refused(const Refused& refused) {
  const TempDir dir;
  std::string typed;
  for (const std::string& arg : refused.args) typed += " " + arg;
  const Ran ran = Process(refused.args, {.folder = dir.path()}).wait(30);
  EXPECT_EQ(ran.code, 2) << typed << "\n" << ran.out << ran.err;
  EXPECT_EQ(ran.out, "") << typed;
  const std::vector<std::string> lines = lines_of(ran.err);
  ASSERT_GE(lines.size(), 1u) << typed;
  EXPECT_TRUE(lines.size() == 1 || (lines.size() == 2 && lines[1] == "Run with --help for what can be typed."))
      << typed << "\n"
      << ran.err;
  EXPECT_TRUE(lines[0].starts_with("pagestorm: ")) << typed << "\n" << ran.err;
  for (const std::string& word : refused.says)
    EXPECT_NE(lines[0].find(word), std::string::npos) << typed << "\n" << ran.err << "lacks " << word;
}

TEST(Usage, SubcommandsAndOptionsThatDoNotExistAreNamed) {
  const Refused refusals[] = {
      {{}, {"subcommand", "check"}},
      {{"chek"}, {"subcommand", "chek", "check"}},
      {{"check", "extra"}, {"extra"}},
      {{"check", "--foo"}, {"--foo"}},
      {{"fuzz", "--foo", "3"}, {"--foo"}},
      {{"replay", "--foo", "x"}, {"--foo"}},
      {{"replay"}, {"FILE", "required"}},
      {{"trace"}, {"FILE", "required"}},
      {{"trace", "a", "b"}, {"b"}},
      {{"info", "--foo"}, {"--foo"}},
      {{"--foo"}, {"--foo"}},
  };
  for (const Refused& refused : refusals) expect_refused(refused);
}

TEST(Usage, ValuesThatCannotBeAreRefusedWithWhatToType) {
  const Refused refusals[] = {
      {{"--page-size", "0"}, {"--page-size", "0", "1 to 4096"}},
      {{"--page-size", "5000"}, {"--page-size", "5000", "1 to 4096"}},
      {{"--page-size", "1..5000"}, {"--page-size", "5000", "1 to 4096"}},
      {{"--page-size", "1,,4"}, {"--page-size", "1 to 4096"}},
      {{"--page-size", "8..4"}, {"--page-size", "8..4", "smaller number first"}},
      {{"--page-size", "abc"}, {"--page-size", "abc", "1 to 4096"}},
      {{"--page-size", ""}, {"--page-size"}},
      {{"--page-size"}, {"--page-size"}},
      {{"--seq-len", "-1..5"}, {"--seq-len", "-1", "0 to 1048576"}},
      {{"--seq-len", "9..3"}, {"--seq-len", "9..3", "smaller number first"}},
      {{"--seq-len", "99999999"}, {"--seq-len", "99999999", "0 to 1048576"}},
      {{"--seq-len", "3..99999999999999999999"}, {"--seq-len", "99999999999999999999"}},
      {{"--seq-len", ""}, {"--seq-len"}},
      {{"--rows", "0"}, {"--rows", "0", "1 to 1024"}},
      {{"--rows", "1025"}, {"--rows", "1025", "1 to 1024"}},
      {{"--rows", "abc"}, {"--rows", "abc"}},
      {{"--mode", "foo"}, {"--mode", "foo", "decode", "verify", "idle"}},
      {{"--mode", "decode,"}, {"--mode", "decode", "verify", "idle"}},
      {{"--mode", ""}, {"--mode"}},
      {{"--timing", "overlap lag=9"}, {"--timing: lag: 9", "1 to 4"}},
      {{"--timing", "overlap tables=pool"}, {"--timing: tables: pool", "in-graph"}},
      {{"--timing", "overlap tables=in-graph"}, {"--timing: timing: ", "read_end=in-replay"}},
      {{"--law", "foo"}, {"--law", "foo", "writes_only_live_cells"}},
      {{"--fault", "foo"}, {"--fault", "foo", "pagestorm info"}},
      {{"--fault", ""}, {"--fault"}},
      {{"--builder", "foo"}, {"--builder", "foo", "host-audited", "cuda-graph"}},
      {{"--builder", ""}, {"--builder"}},
      {{"--for", "0s"}, {"--for", "0s", "30s"}},
      {{"--for", "abc"}, {"--for", "abc", "30s"}},
      {{"--for", "-3s"}, {"--for", "-3s", "30s"}},
      {{"--for", "3d"}, {"--for", "3d", "30s"}},
      {{"--for", "inf"}, {"--for", "inf", "30s"}},
      {{"--for", "nan"}, {"--for", "nan", "30s"}},
      {{"--for", "1e300h"}, {"--for", "1e300h", "30s"}},
      {{"--for", ""}, {"--for"}},
      {{"--cases", "0"}, {"--cases", "0", "1 to"}},
      {{"--cases", "-1"}, {"--cases", "-1", "1 to"}},
      {{"--cases", "abc"}, {"--cases", "abc"}},
      {{"--cases", "99999999999999999999"}, {"--cases"}},
      {{"--jobs", "0"}, {"--jobs", "0", "1 to 256"}},
      {{"--jobs", "257"}, {"--jobs", "257", "1 to 256"}},
      {{"--seed", "xyz"}, {"--seed", "xyz", "hash"}},
      {{"--seed", "-1"}, {"--seed", "-1", "hash"}},
      {{"--seed", "18446744073709551616"}, {"--seed", "18446744073709551616"}},
      {{"--seed", "0x"}, {"--seed", "0x", "hash"}},
      {{"--seed", std::string(40, 'g')}, {"--seed", "hash"}},
      {{"--swa", "maybe"}, {"--swa", "maybe", "on", "off", "both"}},
      {{"--reader", "gpu"}, {"--reader", "gpu", "host", "device", "both"}},
      {{"--reader", "both", "--law", "paths_agree"}, {"--reader both", "attention_reads_what_was_written", "--law"}},
      {{"--reader", "device", "--judge", "both"}, {"--reader device", "--judge both", "--judge host"}},
      {{"--out", ""}, {"--out"}},
      {{"--json", ""}, {"--json"}},
      {{"--junit", ""}, {"--junit"}},
  };
  for (Refused refused : refusals) {
    refused.args.insert(refused.args.begin(), "check");
    expect_refused(refused);
  }
}

TEST(Usage, LimitsThatCannotBeAreRefusedWithWhatToType) {
  const Refused refusals[] = {
      {{"--start-time", "0.01s"}, {"--start-time: 0.01s", "0.1s to 300s"}},
      {{"--start-time", "0"}, {"--start-time", "'0'", "30s"}},
      {{"--call-work", "301"}, {"--call-work: 301", "0.01s to 300s", "0 for no limit"}},
      {{"--call-work", "-1s"}, {"--call-work", "-1s"}},
      {{"--call-time", "10m"}, {"--call-time: 10m", "0.01s to 300s"}},
      {{"--call-time", "0"}, {"--call-time", "'0'", "30s"}},
      {{"--call-time", ""}, {"--call-time"}},
      {{"--builder-memory", "4G"}, {"--builder-memory", "'4G'", "1 to 1048576 MiB", "0 for no limit"}},
      {{"--builder-memory", "1048577"}, {"--builder-memory", "1048577"}},
      {{"--builder-memory", "-1"}, {"--builder-memory", "-1"}},
  };
  for (const std::string command : {"check", "conform", "info"})
    for (Refused refused : refusals) {
      refused.args.insert(refused.args.begin(), {command, "--builder", "./mine.so"});
      expect_refused(refused);
    }
  for (const std::string command : {"check", "conform"})
    expect_refused(
        {{command, "--builder", "host", "--call-time", "9s"}, {"--call-time", "outside builders", "--builder"}});
}

TEST(Usage, AGradingThatCannotBeIsRefusedWithWhatToType) {
  const Refused refusals[] = {
      {{"--fault", "foo"}, {"--fault", "foo", "pagestorm info"}},
      {{"--fault", "none"}, {"--fault", "none", "pagestorm info"}},
      {{"--fault", ""}, {"--fault"}},
      {{"--law", "foo"}, {"--law", "foo", "writes_only_live_cells"}},
      {{"--builder", "foo"}, {"--builder", "foo", "host-audited"}},
      {{"--generator", "foo"}, {"--generator", "foo", "uniform", "swarm", "boundaries"}},
      {{"--seeds", "0"}, {"--seeds", "0"}},
      {{"--seeds", "abc"}, {"--seeds", "abc"}},
      {{"--cases", "0"}, {"--cases", "0"}},
      {{"--jobs", "257"}, {"--jobs", "257"}},
      {{"--for", "abc"}, {"--for", "abc", "30s"}},
      {{"--json", ""}, {"--json"}},
      {{"--markdown", ""}, {"--markdown"}},
      {{"extra"}, {"extra"}},
  };
  for (Refused refused : refusals) {
    refused.args.insert(refused.args.begin(), "grade");
    expect_refused(refused);
  }
}

TEST(Usage, ACommitHashAndADecimalAndAHexadecimalAreSeeds) {
  const TempDir dir;
  const auto seed_line = [&](const std::string& seed) {
    const Ran ran = run({"check", "--cases", "3", "--seed", seed}, {.folder = dir.path()});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out.substr(0, ran.out.find(" ·"));
  };
  EXPECT_EQ(seed_line("4e7fba9c1d0a5b6e7f8091a2b3c4d5e6f7089123"), "seed 0x4e7fba9c1d0a5b6e");
  EXPECT_EQ(seed_line("255"), "seed 0x00000000000000ff");
  EXPECT_EQ(seed_line("0x5eed"), "seed 0x0000000000005eed");
  EXPECT_EQ(seed_line("18446744073709551615"), "seed 0xffffffffffffffff");
}

}  // namespace
}  // namespace pagestorm::cli
