// pagestorm streams: what it counts, and that it would have noticed.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/stream_runs.hpp"
#include "refusal.hpp"
#include "run.hpp"
#include "sim/time/host_streams.hpp"

namespace pagestorm::cli {
namespace {

/// Streams that do not do as they are told, in one way.
class Careless final : public StreamRunner {
 public:
  enum class Way : std::uint8_t { forgets_waits, forgets_delays };

  explicit Careless(Way way) : way_(way) {}

  void prepare(const StreamWork& work) override {
    StreamWork changed = work;
    if (way_ == Way::forgets_waits)
      std::erase_if(changed.items, [](const StreamItem& item) { return item.kind == StreamItemKind::wait; });
    inner_->prepare(changed);
  }

  StreamSights run(std::span<const StreamDelay> delays) override {
    return inner_->run(way_ == Way::forgets_delays ? std::span<const StreamDelay>() : delays);
  }

 private:
  Way way_;
  std::unique_ptr<StreamRunner> inner_ = sim::time::host_streams();
};

constexpr StreamRuns few{.runs = 4, .placements = 50};

TEST(Streams, WithoutWaitsShowSomethingInEveryPlan) {
  Careless runner(Careless::Way::forgets_waits);
  for (const sim::RightPlan& plan : sim::right_plans()) {
    const PlanRuns ran = run_plan(runner, std::string(plan.name), sim::StreamScene(stream_scenario(plan.timing)), few);
    EXPECT_EQ(ran.placements, few.placements);
    EXPECT_GT(ran.odd, 0) << plan.name;
    EXPECT_NE(ran.seen, "");
  }
  EXPECT_GT(run_drawn(runner, few).odd, 0);
  const HazardRuns ran = run_hazard(runner, pair_of(sim::stream_hazards().front()), few);
  EXPECT_EQ(ran.shown_right, few.runs);
}

TEST(Streams, WithoutDelaysShowNoHazard) {
  Careless runner(Careless::Way::forgets_delays);
  for (const sim::StreamHazard& hazard : sim::stream_hazards()) {
    const HazardRuns ran = run_hazard(runner, pair_of(hazard), few);
    EXPECT_EQ(ran.shown, 0) << hazard.name;
    EXPECT_EQ(ran.seen, "") << hazard.name;
  }
}

TEST(Streams, OnTheHostShowEveryHazardAndNothingElse) {
  const TempDir dir;
  const Ran ran = run({"streams", "--on", "host", "--placements", "100", "--json", dir / "streams.json"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.out.find("WRONG"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("held: every delay shows its hazard"), std::string::npos) << ran.out;
  const auto json = nlohmann::json::parse(text_of(dir / "streams.json"));
  EXPECT_EQ(json["hazards"].size(), sim::stream_hazards().size());
  for (const auto& hazard : json["hazards"]) {
    EXPECT_EQ(hazard["shown"], 20) << hazard;
    EXPECT_EQ(hazard["shown_when_right"], 0) << hazard;
  }
  EXPECT_EQ(json["plans"].size(), sim::right_plans().size() + 1);
  for (const auto& plan : json["plans"]) EXPECT_EQ(plan["odd"], 0) << plan;
}

// A hold-up that is too short is no delay: the program must say that it showed nothing.
TEST(Streams, SayWhenADelayShowsNothing) {
  const Ran ran = run({"streams", "--on", "host", "--hazard", "read-end-early", "--hold-up", "1", "--placements", "1"});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("WRONG"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("violated:"), std::string::npos) << ran.out;
}

TEST(Streams, AHazardComesWithItsReport) {
  const Ran ran = run({"streams", "--on", "host", "--hazard", "staging-in-part"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("missing: an event of schedule behind 'copy lengths in', waited for by host"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(ran.out.find("plan without a hazard"), std::string::npos) << ran.out;
}

TEST(Streams, OfAFileGoByItsFault) {
  const std::string file = std::string(PAGESTORM_BUILT_FROM) + "/tests/corpus/vllm-24527.scenario";
  const Ran bent = run({"streams", "--on", "host", file, "--with-fault"});
  EXPECT_EQ(bent.code, 0) << bent.out << bent.err;
  EXPECT_NE(bent.out.find("  20 of 20      0 of 20 "), std::string::npos) << bent.out;
  const Ran sound = run({"streams", "--on", "host", file, "--placements", "50"});
  EXPECT_EQ(sound.code, 0) << sound.out << sound.err;
  EXPECT_NE(sound.out.find("  0 of 50 "), std::string::npos) << sound.out;
}

TEST(Streams, OfAFileThatIsWrongByItselfHaveNoCorrectedPlan) {
  const TempDir dir;
  const std::string file = dir.write("one.scenario",
                                     "pagestorm scenario 1\nswa: on\n"
                                     "timing: overlap tables=reused slots=1 plan_stream\nsteps:\n"
                                     "  admit amount=3\n  draft-extend\n  draft-extend\n");
  const Ran ran = run({"streams", "--on", "host", file});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("not known"), std::string::npos) << ran.out;
}

TEST(Streams, OfAFileThatQueuesNothingAreRefused) {
  const TempDir dir;
  const std::string file = dir.write("still.scenario", "pagestorm scenario 1\nsteps:\n  admit amount=3\n");
  expect_refusal(run({"streams", "--on", "host", file}), 2, file + ": timing: nothing is queued");
  expect_refusal(run({"streams", "--on", "host", "--with-fault"}), 2, "--with-fault: name a scenario file");
}

TEST(Streams, WithoutADeviceAreRefused) {
  const std::string absent = device_streams_absent_because();
  if (absent.empty()) GTEST_SKIP() << "there is a device";
  expect_refusal(run({"streams"}), 3, "--on device: nothing can be run: " + absent);
}

TEST(Streams, OfNoSuchNameAreRefused) {
  expect_refusal(run({"streams", "--hazard", "cold-coffee"}), 2, "--hazard: there is no hazard 'cold-coffee'");
}

TEST(Streams, OnADeviceShowWhatTheyShowOnTheHost) {
  if (const std::string absent = device_streams_absent_because(); !absent.empty()) GTEST_SKIP() << absent;
  const Ran ran = run({"streams", "--placements", "100"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
}

}  // namespace
}  // namespace pagestorm::cli
