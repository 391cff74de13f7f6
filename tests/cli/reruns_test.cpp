// --reruns: which laws that run a builder again judge a pass.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "props/laws.hpp"
#include "report.hpp"

namespace pagestorm::cli {
namespace {

using nlohmann::json;

// Passes that each law with runs of its own judged on the plain host builder, and those of a law without.
struct Judged {
  std::map<std::string, std::int64_t> again;
  std::int64_t passes = 0;
};

Judged judged(const std::string& reruns) {
  const TempDir dir;
  const Reported reported =
      report_of(dir, {"check", "--seed", "1", "--cases", "200", "--builder", "host", "--reruns", reruns});
  EXPECT_EQ(reported.ran.code, 0) << reported.ran.out << reported.ran.err;
  EXPECT_EQ(reported.json["reruns"], reruns);
  std::map<std::string, bool> reruns_of;
  for (const props::LawEntry& entry : props::law_catalogue())
    reruns_of[std::string(entry.name)] = entry.make()->reruns();
  Judged all;
  for (const json& row : reported.json["rows"]) {
    const std::string law = row["law"];
    if (reruns_of.at(law)) all.again[law] = row["steps"];
    if (law == "agrees_with_reference") all.passes = row["steps"];
  }
  return all;
}

TEST(Reruns, OneLawThatRunsTheBuilderAgainJudgesEachPass) {
  const Judged whole = judged("all");
  const Judged drawn = judged("one");
  EXPECT_EQ(drawn.passes, whole.passes);
  std::int64_t sum = 0;
  for (const auto& [law, steps] : drawn.again) {
    EXPECT_GT(steps, 0) << law;
    EXPECT_LT(steps, whole.again.at(law)) << law;
    sum += steps;
  }
  EXPECT_EQ(sum, drawn.passes);
  EXPECT_EQ(judged("by-cost").again, whole.again);
}

TEST(Reruns, AreDrawnTheSameWithAnyNumberOfWorkers) {
  const Args drawn = {"check", "--seed", "2", "--cases", "100", "--builder", "host", "--reruns", "one"};
  Args shared = drawn;
  shared.insert(shared.end(), {"--jobs", "3"});
  const TempDir dir;
  EXPECT_EQ(counts(report_of(dir, drawn).json), counts(report_of(dir, shared).json));
}

// The smallest scenario is found by all laws, so that it does not hang on what was drawn.
TEST(Reruns, FaultsThatOnlyARerunShowsAreFoundAndReplayed) {
  for (const char* fault : {"stale_page_kept", "build_rounds_down", "status_overwritten", "neighbour_awaited"}) {
    const TempDir dir;
    const Ran ran = run({"check", "--seed", "1", "--cases", "300", "--builder", "host", "--reruns", "one", "--fault",
                         fault, "--out", dir / "out"});
    EXPECT_EQ(ran.code, 1) << fault << ran.out << ran.err;
    const Saved saved = saved_by(ran.out);
    EXPECT_EQ(saved.problem, "") << fault << ran.out;
    EXPECT_EQ(run(saved.replay).code, 1) << fault;
  }
}

TEST(Reruns, ATextThatIsNoKindIsRefused) {
  const Ran ran = run({"check", "--reruns", "some"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("--reruns"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("by-cost"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace pagestorm::cli
