// Every fault is found, shrunk, saved, and replayed by the command that is printed.

#include <gtest/gtest.h>

#include <algorithm>

#include "pagestorm/fault.hpp"
#include "run.hpp"
#include "sim/text.hpp"

namespace pagestorm::cli {
namespace {

class Faults : public testing::TestWithParam<std::string> {};

TEST_P(Faults, IsFoundShrunkSavedAndReplayed) {
  const std::string& fault = GetParam();
  const TempDir dir;
  const How how{.folder = dir.path()};
  const Ran found = run({"check", "--fault", fault, "--cases", "20000", "--seed", "7", "--out", "found"}, how);
  ASSERT_EQ(found.code, 1) << found.out << found.err;
  EXPECT_NE(found.out.find("\nviolated: "), std::string::npos);
  const Saved saved = saved_by(found.out);
  ASSERT_EQ(saved.problem, "") << found.out;
  EXPECT_TRUE(saved.file.starts_with("found/")) << saved.file;

  const sim::Finding finding = sim::parse(text_of(dir / saved.file), saved.file);
  EXPECT_EQ(finding.fault, fault);
  const bool in_engine = fault_site(*fault_by_name(fault)) == FaultSite::engine;
  EXPECT_LE(finding.scenario.steps.size(), in_engine                     ? 9u
                                           : fault == "stale_page_kept"  ? 5u
                                           : fault == "prompt_forgotten" ? 5u
                                                                         : 4u)
      << text_of(dir / saved.file);
  EXPECT_NE(found.out.find("\n" + finding.law + " is VIOLATED by " + finding.builder + " + " + fault),
            std::string::npos)
      << found.out;

  const Ran replayed = run(saved.replay, how);
  EXPECT_EQ(replayed.code, 1) << replayed.out << replayed.err;
  EXPECT_NE(replayed.out.find("\n" + finding.law + " is VIOLATED by " + finding.builder + " + " + fault),
            std::string::npos)
      << replayed.out;

  Args sound = saved.replay;
  ASSERT_EQ(std::erase(sound, "--with-fault"), 1u);
  const Ran without = run(sound, how);
  EXPECT_EQ(without.code, 0) << without.out << without.err;
  EXPECT_NE(without.out.find("\nheld on " + finding.builder + "\n"), std::string::npos) << without.out;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const FaultEntry& entry : fault_catalogue()) all.emplace_back(entry.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Faults, testing::ValuesIn(names()), [](const auto& fault) { return fault.param; });

}  // namespace
}  // namespace pagestorm::cli
