// Builders of somebody else under the laws: those that are right hold, and those with a fault are found out.

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "library.hpp"

namespace pagestorm::outside {
namespace {

using cli::Args;
using cli::Ran;
using cli::TempDir;

/// A right builder, and an excuse that it declares besides those of every outside builder.
struct Right {
  const char* name;
  const char* excuse = nullptr;

  friend std::ostream& operator<<(std::ostream& out, const Right& one) { return out << one.name; }
};

class RightBuilders : public testing::TestWithParam<Right> {};

TEST_P(RightBuilders, HoldAndAreExcusedFromNoMoreThanTheyDeclare) {
  const Right& one = GetParam();
  const TempDir folder;
  const Ran ran = check(one.name, folder, {"--cases", "200"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("held: 0 violations in 200 cases"), std::string::npos) << ran.out;
  const std::string excused = std::string("excused   ") + one.name + " from ";
  if (one.excuse != nullptr) {
    EXPECT_NE(ran.out.find(excused + one.excuse + " ("), std::string::npos) << ran.out;
  }
  int excuses = 0;
  for (std::size_t at = 0; (at = ran.out.find(excused, at)) != std::string::npos; ++at) ++excuses;
  const int of_every_one = 2;  // no other order of its lanes, and nothing that is enqueued ahead
  EXPECT_EQ(excuses, of_every_one + (one.excuse == nullptr ? 0 : std::string(one.name) == "bare" ? 3 : 1)) << ran.out;
}

INSTANTIATE_TEST_SUITE_P(Outside, RightBuilders,
                         testing::Values(Right{"whole"}, Right{"shifts", "page_sizes"},
                                         Right{"full_width", "full_width"}, Right{"no_clamp", "clamps"},
                                         Right{"element_zero", "element_zero"}, Right{"zero_page", "absent"},
                                         Right{"on_trust", "refusals"}, Right{"bare", "status"}),
                         [](const auto& info) { return std::string(info.param.name); });

// No scenario of a builder without SWA comes to an evicted window: that says nothing against it.
TEST(RightBuilder, IsNotAskedForWhatItLeavesOut) {
  const TempDir folder;
  const Ran ran = check("bare", folder, {"--cases", "5000"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("not reached  window evicted"), std::string::npos) << ran.out;
}

/// A builder with one fault, and the law that sees it first.
struct Wrong {
  const char* name;
  const char* law;

  friend std::ostream& operator<<(std::ostream& out, const Wrong& one) { return out << one.name; }
};

class WrongBuilders : public testing::TestWithParam<Wrong> {};

TEST_P(WrongBuilders, AreFoundShrunkAndReplayed) {
  const Wrong& one = GetParam();
  const TempDir folder;
  const Ran ran = check(one.name, folder);
  ASSERT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find(std::string(one.law) + " is VIOLATED by " + one.name), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(" shrunk to "), std::string::npos) << ran.out;
  const cli::Saved saved = cli::saved_by(ran.out);
  ASSERT_EQ(saved.problem, "") << ran.out;
  EXPECT_NE(cli::text_of(saved.file).find("builder: " + library(one.name) + "\n"), std::string::npos);
  const Ran replayed = cli::run(saved.replay);
  EXPECT_EQ(replayed.code, 1) << replayed.out << replayed.err;
  EXPECT_NE(replayed.out.find(std::string(one.law) + " is VIOLATED by " + one.name), std::string::npos) << replayed.out;
  const Ran sound = cli::run({"replay", saved.file, "--builder", "host"});
  EXPECT_EQ(sound.code, 0) << sound.out << sound.err;
}

INSTANTIATE_TEST_SUITE_P(Outside, WrongBuilders,
                         testing::Values(Wrong{"crash", "does_not_crash"}, Wrong{"hang", "ends_in_time"},
                                         Wrong{"stray", "writes_only_live_cells"},
                                         Wrong{"offset32", "writes_only_live_cells"},
                                         Wrong{"tombstone", "agrees_with_reference"},
                                         Wrong{"width", "writes_only_live_cells"}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Others, PlayOnWhenOneCrashes) {
  const TempDir folder;
  const Ran ran = check("crash", folder, {"--builder", "host", "--builder", library("whole"), "--cases", "200"});
  EXPECT_EQ(ran.code, 1);
  const Ran alone = cli::run({"check", "--builder", "host", "--seed", "1", "--cases", "200", "--out", folder / "none"});
  // The first figure of a row of the table: cases that the law judged.
  const auto cases = [](const Ran& of, const std::string& name) {
    for (const std::string& line : cli::lines_of(of.out))
      if (line.starts_with("agrees_with_reference ") && line.find(" " + name + " ") != std::string::npos)
        return cli::args_of(line).at(1);
    return std::string("no row");
  };
  EXPECT_EQ(cases(ran, "host"), cases(alone, "host")) << ran.out;
  EXPECT_EQ(cases(ran, "whole"), cases(alone, "host")) << ran.out;
}

TEST(Files, DoNotStartCommandsByThemselves) {
  const TempDir folder;
  const cli::Saved saved = cli::saved_by(check("width", folder).out);
  const Ran ran = cli::run({"replay", saved.file});
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_NE(ran.err.find("names the outside builder"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace pagestorm::outside
