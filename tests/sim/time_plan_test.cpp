#include "sim/time/plan.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/time/breach.hpp"

namespace pagestorm::sim::time {
namespace {

/// A verify of one request with two pages.
StepWork verify() {
  StepWork work{.name = "reserve", .plans_batch = true};
  work.has_forward = work.captured = work.speculates = work.may_plan = work.commits = true;
  work.rows_read = {{1, {0, 8}, 0}};
  work.relays = {1};
  work.maps_read = work.pages_read = {3, 5};
  work.pages_written = {5};
  return work;
}

StepWork decode() {
  StepWork work = verify();
  work.speculates = work.may_plan = work.commits = false;
  return work;
}

StepWork draft_extend() {
  StepWork work = verify();
  work.speculates = work.commits = false;
  return work;
}

/// Results are processed: the map of page 3 changes.
StepWork frees() { return {.name = "evict", .maps_written = {3}}; }

/// The first breach of some steps.
std::optional<Breach> breach(const Timing& timing, const std::vector<StepWork>& steps, Fault fault = Fault::none) {
  Plan plan;
  plan.start(timing, fault);
  for (const StepWork& step : steps) {
    plan.play(step);
    if (!plan.hazards().empty()) return breach_of(plan.queue(), plan.hazards().front());
  }
  return std::nullopt;
}

// Draft extends need no lengths of each other: nothing else orders them.
std::optional<Breach> many(const Timing& timing, Fault fault = Fault::none) {
  return breach(timing, std::vector<StepWork>(12, draft_extend()), fault);
}

// --- read ends

class EachReadEnd : public testing::TestWithParam<ReadEnd> {
 protected:
  Timing timing() const { return {.overlap = true, .read_end = GetParam()}; }
};

TEST_P(EachReadEnd, IsLateEnough) {
  for (const bool events : {true, false})
    for (const bool plan : {true, false}) {
      Timing here = timing();
      here.graph_events = events;
      here.plan_stream = plan;
      EXPECT_FALSE(breach(here, {decode(), frees(), verify(), frees(), decode()}));
      if (GetParam() == ReadEnd::pre_replay) continue;
      here.tables = Tables::in_graph;
      EXPECT_FALSE(breach(here, {decode(), frees(), verify(), frees(), decode()}));
    }
}

TEST_P(EachReadEnd, OnePointEarlierIsReported) {
  StepWork eager = decode();
  eager.captured = false;
  for (const StepWork& forward : {decode(), eager, verify()})
    EXPECT_EQ(breach(timing(), {forward, frees()}, Fault::read_done_one_point_early), Breach::reuse);
}

TEST_P(EachReadEnd, IsFencedByTheCoarseBarrierWhateverIsDeclared) {
  Timing here = timing();
  here.barrier = Barrier::coarse;
  EXPECT_FALSE(breach(here, {decode(), frees()}, Fault::read_done_one_point_early));
}

std::string name_of_end(const testing::TestParamInfo<ReadEnd>& info) {
  constexpr const char* names[] = {"pre_replay", "in_replay", "post_replay", "unknown"};
  return names[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(All, EachReadEnd,
                         testing::Values(ReadEnd::pre_replay, ReadEnd::in_replay, ReadEnd::post_replay,
                                         ReadEnd::unknown),
                         name_of_end);

TEST(GraphEvent, RecordedBeforeTheReplayIsTooEarly) {
  const Timing timing{.overlap = true, .read_end = ReadEnd::in_replay, .graph_events = false};
  EXPECT_EQ(breach(timing, {decode(), frees()}, Fault::graph_event_before_replay), Breach::reuse);
  Timing supported = timing;
  supported.graph_events = true;
  EXPECT_FALSE(breach(supported, {decode(), frees()}, Fault::graph_event_before_replay));
}

// --- barriers

TEST(LoopTop, LeavesTheProcessingOfResultsUnfenced) {
  const Timing timing{.overlap = true, .barrier = Barrier::loop_top};
  EXPECT_EQ(breach(timing, {decode(), frees()}), Breach::reuse);
  StepWork arrives{.name = "arrive", .plans_batch = true, .maps_written = {3}};
  EXPECT_FALSE(breach(timing, {decode(), arrives}));
}

// --- buffers: which hold in a dozen draft extends

struct Case {
  Tables tables;
  std::int64_t slots;
  bool plan_stream;
  std::int64_t lag;
  bool holds;
};

class Buffers : public testing::TestWithParam<Case> {};

TEST_P(Buffers, AreSafeOrNot) {
  const Case& one = GetParam();
  const Timing timing{.overlap = true,
                      .read_end = one.tables == Tables::in_graph ? ReadEnd::in_replay : ReadEnd::pre_replay,
                      .tables = one.tables,
                      .slots = one.slots,
                      .plan_stream = one.plan_stream,
                      .lag = one.lag};
  const auto met = many(timing);
  EXPECT_EQ(met, one.holds ? std::nullopt : std::optional(Breach::generation));
}

std::string name(const testing::TestParamInfo<Case>& info) {
  constexpr const char* tables[] = {"fresh", "reused", "ring", "in_graph"};
  const Case& one = info.param;
  return std::string(tables[static_cast<int>(one.tables)]) + "_" + std::to_string(one.slots) +
         (one.plan_stream ? "_planned" : "") + "_lag_" + std::to_string(one.lag);
}

// One stream that writes and reads is in order by itself.
INSTANTIATE_TEST_SUITE_P(OnOneStream, Buffers,
                         testing::Values(Case{Tables::fresh, 1, false, 4, true},
                                         Case{Tables::reused, 1, false, 4, true}, Case{Tables::ring, 1, false, 4, true},
                                         Case{Tables::in_graph, 1, false, 4, true}),
                         name);

// With events, any number of slots does: who writes waits.
INSTANTIATE_TEST_SUITE_P(Planned, Buffers,
                         testing::Values(Case{Tables::fresh, 1, true, 1, true}, Case{Tables::fresh, 1, true, 4, true},
                                         Case{Tables::in_graph, 1, true, 4, true}, Case{Tables::ring, 1, true, 1, true},
                                         Case{Tables::ring, 1, true, 4, true}, Case{Tables::ring, 2, true, 1, true},
                                         Case{Tables::ring, 2, true, 4, true}),
                         name);

// Without, only the host's waiting for results orders them: a slot more than passes may be under way.
INSTANTIATE_TEST_SUITE_P(
    PlannedWithoutEvents, Buffers,
    testing::Values(Case{Tables::reused, 1, true, 1, false}, Case{Tables::reused, 2, true, 1, true},
                    Case{Tables::reused, 2, true, 2, false}, Case{Tables::reused, 3, true, 2, true},
                    Case{Tables::reused, 3, true, 3, false}, Case{Tables::reused, 4, true, 3, true}),
    name);

TEST(FreshTables, NeedTheirStreamsRecordedWhereTheHostRunsFurtherAhead) {
  const auto with = [](std::int64_t lag) { return Timing{.overlap = true, .plan_stream = true, .lag = lag}; };
  EXPECT_FALSE(many(with(1), Fault::table_freed_to_its_stream)) << "two tables take turns by themselves";
  EXPECT_EQ(many(with(2), Fault::table_freed_to_its_stream), Breach::generation);
}

TEST(Ring, WithoutItsEventsIsAReusedBuffer) {
  const Timing timing{.overlap = true, .tables = Tables::ring, .slots = 2, .plan_stream = true, .lag = 2};
  EXPECT_EQ(many(timing, Fault::buffer_reused_without_event), Breach::generation);
}

// --- lengths on the host

TEST(Lengths, AreNeededByTheBackendAndTheAlgorithm) {
  for (const Algorithm algorithm : {Algorithm::eagle, Algorithm::mtp, Algorithm::standalone, Algorithm::dflash}) {
    const Timing host{.overlap = true, .algorithm = algorithm, .host_bound = true};
    const Timing device{.overlap = true, .algorithm = algorithm, .host_bound = false};
    EXPECT_EQ(host.needs_host_lengths(), algorithm != Algorithm::dflash);
    EXPECT_FALSE(device.needs_host_lengths());
    for (const Timing& timing : {host, device}) {
      const std::vector<StepWork> verifies(4, verify());
      EXPECT_FALSE(breach(timing, verifies));
      const bool needs = timing.needs_host_lengths();
      EXPECT_EQ(breach(timing, verifies, Fault::mirror_read_before_copy),
                needs ? std::optional(Breach::host_copy) : std::nullopt);
      for (const Fault fault : {Fault::host_maximum_taken, Fault::absent_mirror_read})
        EXPECT_EQ(breach(timing, verifies, fault), needs ? std::nullopt : std::optional(Breach::sync));
    }
  }
}

/// Waits of the host between two launches.
std::int64_t host_waits(const Timing& timing) {
  Plan plan;
  plan.start(timing, Fault::none);
  for (int i = 0; i < 5; ++i) plan.play(verify());
  const auto before = plan.queue().waits().size();
  plan.play(verify());
  std::int64_t count = 0;
  for (const Waited& waited : plan.queue().waits().subspan(before)) count += waited.actor == Actor::host ? 1 : 0;
  return count;
}

TEST(Lengths, OnTheHostCostAWaitForEachVerify) {
  EXPECT_EQ(host_waits({.overlap = true}), 1) << "for the results of the forward pass before";
  EXPECT_EQ(host_waits({.overlap = true, .host_bound = true}), 2);
  EXPECT_EQ(host_waits({.overlap = true, .algorithm = Algorithm::dflash, .host_bound = true}), 1);
}

// --- pinned memory

TEST(Staging, IsWrittenAgainOnceItWasCopied) {
  for (const bool reused : {false, true}) {
    const Timing timing{.overlap = true, .staging_reused = reused};
    const std::vector<StepWork> decodes(6, decode());
    EXPECT_FALSE(breach(timing, decodes));
    for (const Fault fault : {Fault::staging_overwritten, Fault::staging_guarded_in_part})
      EXPECT_EQ(breach(timing, decodes, fault), reused ? std::optional(Breach::host_copy) : std::nullopt);
  }
}

}  // namespace
}  // namespace pagestorm::sim::time
