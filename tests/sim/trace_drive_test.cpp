#include "sim/trace_drive.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "sim/forward.hpp"
#include "sim/shrink.hpp"
#include "sim/text.hpp"
#include "trace_rig.hpp"

namespace pagestorm::sim {
namespace {

TEST(TraceDrive, EveryRequestOfEverySampleFinishesAndGivesEverythingBack) {
  for (const auto& requests : {mooncake(), azure(), lengths()})
    for (const bool swa : {false, true})
      for (const bool saturated : {false, true}) {
        DriveOptions options = fitting(requests);
        options.swa = swa;
        options.window = 512;
        options.saturated = saturated;
        options.chunk = 1000;
        Rig rig(requests, options);
        const DriveTally& tally = rig.run();
        EXPECT_TRUE(rig.drive().violations().empty());
        EXPECT_EQ(tally.requests, static_cast<std::int64_t>(requests.size()));
        EXPECT_TRUE(rig.player().world().requests().empty());
        EXPECT_EQ(rig.player().world().live_pages(), 0);
        EXPECT_GT(tally.pages_peak, 0);
        EXPECT_EQ(tally.forwards, rig.player().tallies()[0].steps) << "a forward pass was not judged";
        EXPECT_EQ(tally.rows, rig.player().tallies()[1].rows);
        EXPECT_EQ(std::accumulate(tally.live_share.begin(), tally.live_share.end(), std::int64_t{0}), tally.forwards);
      }
}

TEST(TraceDrive, PrefillsWhatIsNotCachedInChunks) {
  const auto requests = mooncake();
  DriveOptions options = fitting(requests);
  options.chunk = 100;
  Rig rig(requests, options);
  const DriveTally& tally = rig.run();
  EXPECT_EQ(tally.prefilled, rig.plan().tokens_in - rig.plan().tokens_cached);
  std::int64_t chunks = 0;
  for (const DriveRequest& request : rig.plan().requests) chunks += (request.input - request.cached + 99) / 100;
  EXPECT_EQ(rows_of(tally, Mode::extend), chunks);
}

TEST(TraceDrive, AcceptsTheMeanThatWasAskedFor) {
  const auto requests = lengths();
  for (const double mean : {1.0, 1.7, 2.5, 3.0, 3.9, 4.0}) {
    DriveOptions options = fitting(requests);
    options.accept = mean;
    Rig rig(requests, options);
    const DriveTally& tally = rig.run();
    EXPECT_EQ(tally.requests, static_cast<std::int64_t>(requests.size())) << mean;
    EXPECT_NEAR(tally.mean_accepted(), mean, 0.02 * mean);
    EXPECT_EQ(tally.verified, rows_of(tally, Mode::target_verify));
  }
}

TEST(AcceptDraw, MakesUpForWhatTheWorldAccepted) {
  for (const std::int64_t n : {2, 4, 8, 64})
    for (const double mean : {1.0, 1.3, 0.6 * static_cast<double>(n), 0.97 * static_cast<double>(n)}) {
      if (mean < 1) continue;
      AcceptDraw draw(mean, n, 7);
      std::int64_t accepted = 0;
      std::int64_t rows = 0;
      for (std::int64_t i = 0; i < 4000; ++i) {
        const std::int64_t batch = 1 + i % 67;
        const Step step = draw.next(batch);
        EXPECT_TRUE(draw.by_row().empty());
        std::int64_t now = 0;
        for (std::int64_t position = 0; position < batch; ++position) now += accepted_tokens(step, position, n);
        draw.note(now, batch);
        accepted += now;
        rows += batch;
      }
      EXPECT_NEAR(static_cast<double>(accepted) / static_cast<double>(rows), mean, 0.005 * mean) << n;
    }
}

TEST(TraceDrive, OneDraftTokenMeansPlainDecode) {
  const auto requests = azure();
  DriveOptions options = fitting(requests);
  options.draft_tokens = options.draft_steps = 1;
  Rig rig(requests, options);
  const DriveTally& tally = rig.run();
  EXPECT_EQ(tally.requests, static_cast<std::int64_t>(requests.size()));
  EXPECT_EQ(rows_of(tally, Mode::decode), rig.plan().tokens_out);
  EXPECT_EQ(rows_of(tally, Mode::target_verify), 0);
}

TEST(TraceDrive, OneLoopIsTheDraftStepsButTheLastThenVerifyAndDraftExtend) {
  const std::vector<TraceRequest> requests{{.input_tokens = 10, .output_tokens = 300}};
  DriveOptions options;
  options.draft_steps = 5;
  Rig rig(requests, options);
  const DriveTally& tally = rig.run();
  EXPECT_EQ(rows_of(tally, Mode::draft_decode), 4 * tally.verified);
  EXPECT_EQ(rows_of(tally, Mode::draft_extend), tally.verified - 1);  // who is finished drafts no more
}

TEST(TraceDrive, CutsWhatIsLongerThanTheContext) {
  const std::vector<TraceRequest> requests{
      {.input_tokens = 90, .output_tokens = 20}, {.input_tokens = 500, .output_tokens = 3}, {.input_tokens = 9}, {}};
  DriveOptions options{.page_size = 16, .context = 100, .batch = 2, .chunk = 32};
  Rig rig(requests, options);
  EXPECT_EQ(rig.run().requests, 4);
  EXPECT_EQ(rig.plan().clipped, 2);
  EXPECT_TRUE(rig.drive().violations().empty());
}

TEST(TraceDrive, WaitsForArrivalsAndForRows) {
  const std::vector<TraceRequest> requests{{.input_tokens = 5, .output_tokens = 30},
                                           {.arrival_s = 1000, .input_tokens = 5, .output_tokens = 30}};
  Rig apart(requests, {});
  EXPECT_EQ(apart.run().rows_peak, 1);
  EXPECT_GT(apart.drive().tally().virtual_s, 1000);
  Rig together(requests, {.saturated = true});
  EXPECT_EQ(together.run().rows_peak, 2);
  Rig narrow(requests, {.batch = 1, .saturated = true});
  EXPECT_EQ(narrow.run().rows_peak, 1);
  EXPECT_EQ(narrow.drive().tally().requests, 2);
}

TEST(TraceDrive, PrefixCacheKeepsLeadingBlocksAndRunsTheLastToken) {
  const std::vector<TraceRequest> requests{{.input_tokens = 1024, .prefix_blocks = {1, 2}},
                                           {.input_tokens = 1024, .prefix_blocks = {1, 2}},
                                           {.input_tokens = 1500, .prefix_blocks = {1, 9, 2}}};
  const DrivePlan plan = plan_drive(requests, {});
  EXPECT_EQ(plan.blocks, 7);
  EXPECT_EQ(plan.blocks_hit, 4);
  EXPECT_EQ(plan.requests[0].cached, 0);
  EXPECT_EQ(plan.requests[1].cached, 1023);
  EXPECT_EQ(plan.requests[2].cached, 512);
  EXPECT_EQ(plan.repeated, 1);
}

TEST(TraceDrive, SharesCoverThePlanOnce) {
  const DrivePlan plan = plan_drive(azure(), {});
  std::size_t total = 0;
  for (std::size_t i = 0; i < 3; ++i) total += share_of(plan, i, 3).size();
  EXPECT_EQ(total, plan.requests.size());
  EXPECT_TRUE(share_of({}, 0, 2).empty());
}

TEST(TraceDrive, ContextIsAPowerOfTwoInRange) {
  EXPECT_EQ(context_for({}), 4096);
  EXPECT_EQ(context_for(std::vector<TraceRequest>{{.input_tokens = 4096, .output_tokens = 1}}), 8192);
  EXPECT_EQ(context_for(std::vector<TraceRequest>{{.input_tokens = 2147483647}}), std::int64_t{1} << 20);
}

TEST(TraceDrive, ConfigurationIsLegalAtEveryPageSize) {
  for (const std::int64_t page_size : {1, 3, 64, 4096})
    for (const std::int64_t context : {1, 4096, 131072}) {
      DriveOptions options{.page_size = page_size, .context = context, .batch = 1024, .swa = true};
      EXPECT_EQ(complaint(config_of(options)), "");
    }
}

TEST(TraceDrive, IsDeterministic) {
  const auto requests = mooncake();
  DriveOptions options = fitting(requests);
  options.seed = 11;
  Rig one(requests, options);
  Rig two(requests, options);
  options.seed = 12;
  Rig other(requests, options);
  const DriveTally& a = one.run();
  const DriveTally& b = two.run();
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_EQ(a.live_share, b.live_share);
  EXPECT_EQ(a.virtual_s, b.virtual_s);
  EXPECT_NE(a.cells, other.run().cells);
}

TEST(TraceDrive, FindsFaultsAndSuspectsShowThemAgain) {
  const auto requests = mooncake();
  for (const Fault fault :
       {Fault::one_page_too_many, Fault::verify_tokens_ignored, Fault::last_row_skipped, Fault::end_of_page_read,
        Fault::translated_after_dividing, Fault::cumulative_sum_off_by_a_row}) {
    SCOPED_TRACE(fault_name(fault));
    DriveOptions options = fitting(requests);
    options.swa = true;
    Rig rig(requests, options, fault);
    rig.run();
    ASSERT_FALSE(rig.drive().violations().empty());
    EXPECT_FALSE(rig.drive().advance());
    const std::string law = rig.drive().violations().front().law;
    const std::vector<Scenario> suspects = rig.drive().suspects();
    ASSERT_EQ(suspects.size(), 3u);
    for (const Scenario& suspect : suspects) EXPECT_TRUE(rig.breaks(suspect, law));
    const Shrunk shrunk = shrink(
        suspects.front(), [&](const Scenario& candidate) { return rig.breaks(candidate, law); }, 300);
    EXPECT_LE(shrunk.scenario.steps.size(), 4u);
    EXPECT_EQ(parse(print({.law = law, .scenario = shrunk.scenario}), "t").scenario, shrunk.scenario);
  }
}

}  // namespace
}  // namespace pagestorm::sim
