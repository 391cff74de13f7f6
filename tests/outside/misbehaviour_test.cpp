// Whatever the process of an outside builder does, it is a verdict with a file, and the program lives.

#include <gtest/gtest.h>

#include <string>

#include "library.hpp"

namespace pagestorm::outside {
namespace {

using cli::Ran;
using cli::TempDir;

struct Misbehaviour {
  const char* name;
  const char* verdict;  ///< the beginning of the line that tells
  const char* why;      ///< part of the sentence
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
    testing::Values(
        Misbehaviour{"leaves", "does_not_crash is VIOLATED by leaves", "exited with code 3"},
        Misbehaviour{"blow_up", "does_not_crash is VIOLATED by blow_up", "(aborted); it printed: out of memory"},
        Misbehaviour{"thousand", "does_not_crash is VIOLATED, once in four plays, by thousand",
                     "in call 1000 of its process, was ended by signal 11 (segmentation fault)"},
        Misbehaviour{"fences", "writes_only_live_cells is VIOLATED by fences", "the fence"},
        Misbehaviour{"inputs", "does_not_crash is VIOLATED by inputs", "(segmentation fault)"},
        Misbehaviour{"refuses", "takes_what_it_promised is VIOLATED by refuses",
                     "returned 22: a page of three tokens is not for me"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Sleeper, IsStoppedByTheClock) {
  const TempDir folder;
  const Ran ran = check("sleeps", folder, {"--law", "agrees_with_reference"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("ends_in_time is VIOLATED by sleeps"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("gave no answer within "), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace pagestorm::outside
