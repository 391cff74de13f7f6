#include "sim/patience.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace pagestorm::sim {
namespace {

std::uint64_t now = 0;
std::uint64_t clock_of_test() { return now; }

void note(Patience& patience, std::string_view law, int times = 1) {
  Violation violation;
  violation.law = law;
  for (int i = 0; i < times; ++i) patience.note(std::span(&violation, 1));
}

TEST(Patience, CountsHangsAndCrashes) {
  Patience hangs(ends_in_time);
  note(hangs, ends_in_time, 14);
  EXPECT_FALSE(hangs.is_over());
  note(hangs, ends_in_time);
  EXPECT_EQ(hangs.why_over(), "15 candidates that hung");
  Patience crashes(does_not_crash);
  note(crashes, does_not_crash, 79);
  EXPECT_FALSE(crashes.is_over());
  note(crashes, does_not_crash);
  EXPECT_EQ(crashes.why_over(), "80 candidates that crashed");
}

TEST(Patience, TakesWhatCostsNoProcess) {
  Patience patience(does_not_crash);
  note(patience, takes_what_it_promised, 1000);
  note(patience, "writes_only_live_cells", 1000);
  patience.note({});
  EXPECT_FALSE(patience.is_over());
}

TEST(Patience, CountsTimeFromTheFirstProcessThatWasLost) {
  for (const auto& [law, seconds] : {std::pair{does_not_crash, std::uint64_t{7}}, {ends_in_time, 4}}) {
    now = 1'000'000'000;
    Patience patience(law, clock_of_test);
    now += 60'000'000'000;
    EXPECT_FALSE(patience.is_over());
    note(patience, law);
    now += seconds * 1'000'000'000 - 1;
    note(patience, law);
    EXPECT_FALSE(patience.is_over());
    ++now;
    EXPECT_EQ(patience.why_over(), std::to_string(seconds) + " s");
  }
}

TEST(Patience, HasNoClockForOtherLaws) {
  now = 1;
  Patience patience("writes_only_live_cells", clock_of_test);
  note(patience, does_not_crash);
  now += 60'000'000'000;
  EXPECT_FALSE(patience.is_over());
}

}  // namespace
}  // namespace pagestorm::sim
