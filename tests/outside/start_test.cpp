// Builders that cannot be started are the environment's fault: exit code 3, one line, and no case is played.

#include <gtest/gtest.h>

#include "library.hpp"
#include "tests/cli/refusal.hpp"

namespace pagestorm::outside {
namespace {

using cli::expect_refusal;
using cli::run;
using cli::TempDir;

TEST(Start, GarbageCapabilitiesNameTheField) {
  const TempDir folder;
  expect_refusal(check("garbage", folder), 3, "garbage.so: capabilities: without: 0xdeadbeef has bits");
}

TEST(Start, AnotherVersionOfTheAbiIsNamed) {
  const TempDir folder;
  expect_refusal(check("version", folder), 3, "version.so: speaks version 7 of the ABI, and this program version 1");
}

TEST(Start, AMissingSymbolIsNamed) {
  const TempDir folder;
  expect_refusal(check("missing", folder), 3, "missing.so: the symbol pagestorm_apply is missing");
}

TEST(Start, NamesOfOurOwnBuildersAreTaken) {
  const TempDir folder;
  expect_refusal(check("usurper", folder), 3, "usurper.so: calls itself host, as a builder of this program is called");
}

TEST(Start, TwoBuildersOfOneNameAreRefused) {
  const TempDir folder;
  const std::string again = library("whole").insert(library("whole").rfind('/'), "/.");
  expect_refusal(check("whole", folder, {"--builder", again, "--cases", "1"}), 3, "two builders are called whole");
}

TEST(Start, AMissingFileIsNamed) {
  const TempDir folder;
  expect_refusal(run({"check", "--builder", "./nothing.so", "--out", folder / "failures"}), 3,
                 "./nothing.so: cannot be loaded");
}

TEST(Start, ACommandThatCannotRunIsNamed) {
  const TempDir folder;
  expect_refusal(run({"check", "--builder", "/no/such/program --fast", "--out", folder / "failures"}), 3,
                 "/no/such/program: No such file or directory");
}

TEST(Start, ACommandThatIsNoBuilderIsNamed) {
  const TempDir folder;
  expect_refusal(run({"check", "--builder", "sh -c 'echo hello; exit 5'", "--out", folder / "failures"}), 3,
                 "exited with code 5; it printed: hello");
}

TEST(Start, ACommandWithoutAHelloIsNamed) {
  const TempDir folder;
  expect_refusal(
      run({"check", "--builder", "python3 '" + script("garbles.py") + "' hello", "--out", folder / "failures"}), 3,
      "began with a packet of kind 1685024615 and 12 bytes, where a hello has kind 1 and 1160 bytes");
}

TEST(Start, ASpecThatCannotBeTakenApartIsAnErrorOfUsage) {
  expect_refusal(run({"check", "--builder", "sh -c 'echo"}), 2, "a quote ' is not closed");
  expect_refusal(run({"check", "--builder", "sh -c true\n"}), 2, "holds a line break");
  expect_refusal(run({"check", "--builder", "./\xff.so"}), 2, "what is no UTF-8");
  expect_refusal(run({"check", "--builder", "mine"}), 2, "there is no builder 'mine'");
}

TEST(Start, HasTheTimeThatWasAskedFor) {
  const TempDir folder;
  expect_refusal(check("slow_start", folder, {"--start-time", "0.1s"}), 3,
                 "slow_start.so, before it was called, gave no hello");
  expect_refusal(run({"info", "--builder", library("slow_start"), "--start-time", "0.1s"}), 3, "gave no hello");
  EXPECT_EQ(run({"info", "--builder", library("slow_start"), "--start-time", "100s"}).code, 0);
}

TEST(Start, FaultsAreOurs) {
  expect_refusal(run({"check", "--builder", library("whole"), "--fault", "spills_past_width"}), 2,
                 "has no faults to switch on");
}

TEST(Start, InfoShowsWhatIsDeclared) {
  const cli::Ran whole = run({"info", "--builder", library("whole")});
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_NE(whole.out.find("nothing: the whole contract"), std::string::npos) << whole.out;
  const cli::Ran bare = run({"info", "--builder", library("bare")});
  EXPECT_TRUE(bare.out.starts_with("bare (")) << bare.out;
  EXPECT_NE(bare.out.find("\n  SWA outputs\n  the status word\n  refusals of shapes that do not fit\n"),
            std::string::npos)
      << bare.out;
}

}  // namespace
}  // namespace pagestorm::outside
