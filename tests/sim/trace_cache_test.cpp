// Traces over a prefix cache and pools that run dry.

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/shrink.hpp"
#include "trace_rig.hpp"

namespace pagestorm::sim {
namespace {

DriveOptions cached(const std::vector<TraceRequest>& requests) {
  DriveOptions options = fitting(requests);
  options.cache = true;
  return options;
}

void expect_all_finished(Rig& rig) {
  EXPECT_TRUE(rig.drive().violations().empty());
  EXPECT_EQ(rig.drive().tally().requests, static_cast<std::int64_t>(rig.plan().requests.size()));
  EXPECT_EQ(rig.player().world().live_pages(), 0);
  EXPECT_FALSE(rig.drive().advance());
}

TEST(TraceCache, HitsAreWholePagesAndTheLastTokenRuns) {
  const std::vector<TraceRequest> requests{{.input_tokens = 1024, .output_tokens = 1, .prefix_blocks = {1, 2}},
                                           {.input_tokens = 1024, .output_tokens = 1, .prefix_blocks = {1, 2}},
                                           {.input_tokens = 1500, .output_tokens = 1, .prefix_blocks = {1, 9, 2}},
                                           {.input_tokens = 700, .output_tokens = 1, .prefix_blocks = {9, 2}}};
  DriveOptions options{.cache = true};
  Rig rig(requests, options);
  const DriveTally& tally = rig.run();
  expect_all_finished(rig);
  // Of the second request 1,023 tokens may hit: 15 pages of 64. A block at another place is another one.
  EXPECT_EQ(tally.hit_tokens, 960 + 512);
  EXPECT_EQ(tally.hit_blocks, 1 + 1);
  EXPECT_EQ(tally.prompt_blocks, 9);
  EXPECT_EQ(tally.prompt_tokens, 1024 + 1024 + 1500 + 700);
  EXPECT_EQ(tally.prefilled, tally.prompt_tokens - tally.hit_tokens);
  options.page_size = 48;
  Rig awkward(requests, options);
  EXPECT_EQ(awkward.run().hit_tokens, 1023 / 48 * 48 + 512 / 48 * 48);
}

TEST(TraceCache, ATreeThatNeverForgetsFindsWhatTheTraceRepeats) {
  const auto requests = mooncake();
  for (const bool swa : {false, true}) {
    DriveOptions options = cached(requests);
    options.swa = swa;
    options.window = 512;
    Rig rig(requests, options);
    const DriveTally& tally = rig.run();
    expect_all_finished(rig);
    EXPECT_GT(rig.plan().blocks_hit, 0);
    EXPECT_EQ(tally.hit_blocks, rig.plan().blocks_hit - rig.plan().repeated);
    std::int64_t whole_pages = 0;
    for (const DriveRequest& request : rig.plan().requests) whole_pages += request.cached / 64 * 64;
    EXPECT_EQ(tally.hit_tokens, whole_pages);
    EXPECT_EQ(tally.prefilled, rig.plan().tokens_in - whole_pages);
    EXPECT_EQ(tally.retractions, 0);
    EXPECT_EQ(tally.reclaimed, 0);
  }
}

TEST(TraceCache, PromptsWithoutBlocksAreLikeNobodys) {
  const auto requests = azure();
  Rig rig(requests, cached(requests));
  const DriveTally& tally = rig.run();
  expect_all_finished(rig);
  EXPECT_EQ(tally.hit_tokens, 0);
  EXPECT_EQ(tally.prefilled, rig.plan().tokens_in);
}

TEST(TraceCache, AQuarterOfThePagesEvictsAndFinishesAll) {
  const auto requests = mooncake();
  DriveOptions options = cached(requests);
  Rig unbounded(requests, options);
  const DriveTally& all = unbounded.run();
  for (const bool swa : {false, true}) {
    options.pool_pages = options.swa_pool_pages = all.pages_peak / 4;
    options.swa = swa;
    options.window = 512;
    Rig rig(requests, options);
    const DriveTally& tally = rig.run();
    expect_all_finished(rig);
    EXPECT_LE(tally.pages_peak, options.pool_pages);
    EXPECT_GT(tally.reclaimed, 0);
    EXPECT_LE(tally.hit_blocks, all.hit_blocks);
    EXPECT_EQ(tally.retractions, tally.readmissions);
    if (swa) {
      EXPECT_GT(tally.window_freed + tally.tombstones, 0);
    }
  }
}

TEST(TraceCache, AScarceSwaPoolLeavesTombstonesInPrefixesThatAreUsed) {
  std::vector<TraceRequest> requests;
  for (std::int64_t i = 0; i < 40; ++i)
    requests.push_back({.input_tokens = 2048 + 512 * (i % 5),
                        .output_tokens = 40,
                        .prefix_blocks = {0, 1, 2, 3, 10 + i % 3, 20 + i, 60 + i, 100 + i}});
  for (TraceRequest& request : requests)
    request.prefix_blocks.resize(static_cast<std::size_t>(request.input_tokens) / block_tokens);
  DriveOptions options{.page_size = 16, .cache = true, .swa_pool_pages = 300, .swa = true, .window = 256};
  Rig rig(requests, options);
  const DriveTally& tally = rig.run();
  expect_all_finished(rig);
  EXPECT_GT(tally.tombstones, 0);
  EXPECT_GT(tally.hit_tokens, 0);
}

// Short prompts, long answers: whoever comes in needs much more later.
std::vector<TraceRequest> growing() {
  std::vector<TraceRequest> requests;
  for (std::int64_t i = 0; i < 30; ++i)
    requests.push_back({.input_tokens = 20 + i, .output_tokens = 300 + 20 * (i % 7)});
  return requests;
}

DriveOptions tight(bool cache) {
  return {.page_size = 16, .batch = 16, .cache = cache, .pool_pages = 90, .saturated = true};
}

TEST(TraceCache, WhoIsRetractedComesBackAndFinishes) {
  for (const bool cache : {false, true})
    for (const std::int64_t draft_tokens : {1, 4}) {
      DriveOptions options = tight(cache);
      options.draft_tokens = draft_tokens;
      Rig rig(growing(), options);
      const DriveTally& tally = rig.run();
      expect_all_finished(rig);
      EXPECT_GT(tally.retractions, 0);
      EXPECT_EQ(tally.readmissions, tally.retractions);
      EXPECT_GT(tally.prefilled + tally.hit_tokens, rig.plan().tokens_in) << "nothing was computed again";
    }
}

TEST(TraceCache, AfterARetractionNobodyComesInUntilARequestHasFinished) {
  Rig rig(growing(), tight(true));
  const World& world = rig.player().world();
  const DriveTally& tally = rig.drive().tally();
  std::int64_t retractions = 0, finished = 0, held_back = 0;
  std::size_t live = 0;
  bool holds = false;
  while (rig.drive().advance()) {
    if (holds && tally.requests == finished) {
      EXPECT_LE(world.requests().size(), live) << "step " << tally.steps;
      ++held_back;
    }
    holds = (holds || tally.retractions > retractions) && tally.requests == finished;
    live = world.requests().size();
    retractions = tally.retractions;
    finished = tally.requests;
  }
  EXPECT_GT(held_back, 0);
  EXPECT_LT(tally.retractions, 2 * tally.requests) << "it thrashes";
}

TEST(TraceCache, APoolForOneRequestServesOneAfterAnother) {
  DriveOptions options = tight(true);
  const auto plan = plan_drive(growing(), options);
  const DriveRequest& longest = plan.requests[largest(plan.requests, options)];
  EXPECT_EQ(longest.target, 40 + 420);  // request 20, which needs as many pages as request 27
  options.pool_pages = pages_for_one(longest, options);
  Rig rig(growing(), options);
  rig.run();
  expect_all_finished(rig);
  --options.pool_pages;
  EXPECT_THROW(Rig(growing(), options), std::invalid_argument);
}

TEST(TraceCache, EngineFaultsAreFoundInATrace) {
  const auto requests = mooncake();
  for (const Fault fault :
       {Fault::shared_page_freed_by_owner, Fault::freed_slots_stay_mapped, Fault::reserved_tail_lost,
        Fault::evicted_by_scheduled_length, Fault::accepted_of_the_row_before}) {
    SCOPED_TRACE(fault_name(fault));
    DriveOptions options = cached(requests);
    options.swa = true;
    options.window = 512;
    Rig rig(requests, options, fault);
    rig.run();
    ASSERT_FALSE(rig.drive().violations().empty());
    const std::string law = rig.drive().violations().front().law;
    const std::vector<Scenario> suspects = rig.drive().suspects();
    EXPECT_TRUE(std::ranges::any_of(suspects, [&](const Scenario& one) { return rig.breaks(one, law); })) << law;
  }
}

TEST(TraceCache, IsDeterministic) {
  const auto requests = mooncake();
  DriveOptions options = cached(requests);
  options.pool_pages = 250;
  options.timeline = true;
  Rig one(requests, options);
  Rig two(requests, options);
  EXPECT_EQ(one.run().cells, two.run().cells);
  EXPECT_EQ(one.drive().timeline().csv(), two.drive().timeline().csv());
}

}  // namespace
}  // namespace pagestorm::sim
