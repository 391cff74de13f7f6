// Queues as descriptions, run in virtual time: what a queue is free of, no delay shows; what it is not, one does.

#include "sim/time/stream_plan.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "sim/rng.hpp"
#include "sim/time/delays.hpp"
#include "sim/time/host_streams.hpp"

namespace pagestorm::sim::time {
namespace {

using enum StreamItemKind;

std::vector<Sight> sights(const Queue& queue, std::span<const StreamDelay> delays) {
  const StreamPlan plan(queue);
  const auto runner = host_streams();
  runner->prepare(plan.work());
  return plan.wrong(runner->run(delays));
}

std::vector<StreamItemKind> kinds(const StreamWork& work) {
  std::vector<StreamItemKind> all;
  for (const StreamItem& item : work.items) all.push_back(item.kind);
  return all;
}

/// A row of which one stream writes two parts and another reads across both.
Queue two_parts(bool waits) {
  Queue queue;
  queue.start();
  queue.run(Actor::schedule, "write");
  queue.touch({.resource = {Kind::row, 3}, .span = {0, 4}, .writes = true});
  queue.touch({.resource = {Kind::row, 3}, .span = {4, 9}, .writes = true});
  Event event;
  queue.record(event, Actor::schedule, "written");
  if (waits) queue.wait(Actor::forward, event);
  queue.run(Actor::forward, "read");
  queue.touch({.resource = {Kind::row, 3}, .span = {2, 6}});
  queue.touch({.resource = {Kind::staging, 1}});
  return queue;
}

// Ends at 0, 2, 4, 6 and 9 are four cells, behind the pinned one.
TEST(StreamPlan, CutsARowAtEveryEndOfASpan) {
  const Queue queue = two_parts(true);
  const StreamPlan plan(queue);
  const StreamWork& work = plan.work();
  EXPECT_EQ(work.pinned_cells, 1);
  EXPECT_EQ(work.cells, 5);
  std::vector<std::array<std::int32_t, 2>> touches;
  for (const StreamTouch& touch : work.touches) touches.push_back({touch.cell, touch.generation});
  EXPECT_EQ(touches,
            (std::vector<std::array<std::int32_t, 2>>{{1, 1}, {2, 1}, {3, 2}, {4, 2}, {2, 0}, {3, 0}, {0, 0}}));
  EXPECT_EQ(kinds(work), (std::vector{operation, record, wait, operation}));
}

// Lanes of a device write in any order: only the last write of an operation to a cell is one.
TEST(StreamPlan, AnOperationWritesACellOnce) {
  Queue queue;
  queue.start();
  queue.run(Actor::schedule, "write");
  queue.touch({.resource = {Kind::row, 3}, .span = {0, 4}, .writes = true});
  queue.touch({.resource = {Kind::row, 3}, .span = {2, 6}, .writes = true});
  queue.run(Actor::schedule, "write again");
  queue.touch({.resource = {Kind::row, 3}, .span = {0, 6}, .writes = true});
  std::vector<std::array<std::int32_t, 2>> touches;
  const StreamPlan plan(queue);
  for (const StreamTouch& touch : plan.work().touches) touches.push_back({touch.cell, touch.generation});
  EXPECT_EQ(touches, (std::vector<std::array<std::int32_t, 2>>{{0, 1}, {1, 2}, {2, 2}, {0, 3}, {1, 3}, {2, 3}}));
}

TEST(StreamPlan, LeavesOutEventsThatNobodyWaitsFor) {
  const Queue queue = two_parts(false);
  EXPECT_EQ(kinds(StreamPlan(queue).work()), (std::vector{operation, operation}));
}

TEST(StreamPlan, TakesInEventsInsideAReplayAndBehindIt) {
  for (const GraphEvents events : {GraphEvents::before, GraphEvents::inside, GraphEvents::after}) {
    Queue queue;
    queue.start();
    queue.run(Actor::forward, "eager");
    queue.begin_replay(Actor::forward, events);
    queue.run(Actor::forward, "first");
    Event event;
    queue.record(event, Actor::forward, "read-done");
    queue.run(Actor::forward, "second");
    queue.end_replay();
    queue.wait(Actor::schedule, event);
    queue.run(Actor::schedule, "write");
    const StreamPlan plan(queue);
    const std::vector<StreamItemKind> wanted =
        events == GraphEvents::before
            ? std::vector{operation, record, begin_replay, operation, operation, end_replay, wait, operation}
        : events == GraphEvents::inside
            ? std::vector{operation, begin_replay, operation, record, operation, end_replay, wait, operation}
            : std::vector{operation, begin_replay, operation, operation, end_replay, record, wait, operation};
    EXPECT_EQ(kinds(plan.work()), wanted) << static_cast<int>(events);
  }
}

TEST(StreamPlan, SaysWhatAReadSawInPartsOfOneGeneration) {
  const Queue queue = two_parts(false);
  const auto found = sights(queue, std::vector<StreamDelay>{{0, 100, 0}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].operation, 1);
  EXPECT_EQ(found[0].meant, (Picture{{{2, 4}, 1}, {{4, 6}, 2}}));
  EXPECT_TRUE(found[0].first.empty());
  const auto torn = sights(queue, std::vector<StreamDelay>{{0, 0, 100}});
  ASSERT_EQ(torn.size(), 1u);
  EXPECT_TRUE(torn[0].torn());
  EXPECT_EQ(torn[0].first, torn[0].meant);
}

TEST(StreamPlan, AWaitHoldsWhateverTheDelay) {
  const Queue queue = two_parts(true);
  EXPECT_TRUE(sights(queue, std::vector<StreamDelay>{{0, 10'000, 10'000}}).empty());
}

TEST(StreamPlan, NeedsTheWholeQueue) {
  Queue queue;
  queue.start();
  for (int i = 0; i < 2000; ++i) queue.run(Actor::host, "work");
  queue.next_step();
  EXPECT_THROW(StreamPlan{queue}, std::invalid_argument);
}

/// A program drawn from a seed over three streams and the host, which touches pinned memory only.
Queue drawn(std::uint64_t seed) {
  Rng rng(seed);
  Queue queue;
  queue.start();
  std::array<Event, 3> events;
  const std::int64_t length = rng.between(4, 24);
  for (std::int64_t i = 0; i < length; ++i) {
    const auto actor = static_cast<Actor>(rng.between(0, 3));
    Event& event = events[rng.below(events.size())];
    switch (rng.below(4)) {
      case 0:
        if (actor != Actor::host) queue.record(event, actor, "event");
        break;
      case 1: queue.wait(actor, event); break;
      default: {
        Access access{.resource = {actor == Actor::host || rng.one_in(2) ? Kind::mirror : Kind::row, 1},
                      .writes = rng.one_in(2)};
        if (access.resource.kind == Kind::row) {
          access.span.first = static_cast<std::int32_t>(rng.between(0, 3));
          access.span.end = access.span.first + static_cast<std::int32_t>(rng.between(1, 3));
        }
        queue.run(actor, "operation");
        queue.touch(access);
      }
    }
  }
  return queue;
}

TEST(Streams, ShowNothingWhereNothingIsUnordered) {
  int free = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Queue queue = drawn(sub_seed(31, i));
    if (!queue.hazards().empty()) continue;
    ++free;
    const StreamPlan plan(queue);
    for (std::uint64_t seed = 0; seed < 4; ++seed)
      ASSERT_TRUE(sights(queue, draw_delays(plan.work(), seed)).empty()) << "program " << i;
  }
  EXPECT_GT(free, 800);
}

TEST(Streams, ShowEachHazardWhenItsEarlierOperationIsHeldUp) {
  int shown = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Queue queue = drawn(sub_seed(32, i));
    if (queue.hazards().empty() || !can_be_seen(queue.hazards().front())) continue;
    ++shown;
    for (const HoldUp how : {HoldUp::delayed, HoldUp::stretched}) {
      const StreamDelay delay = hold_up(queue.hazards().front(), how, 10'000);
      EXPECT_FALSE(sights(queue, {&delay, 1}).empty()) << "program " << i;
    }
  }
  EXPECT_GT(shown, 500);
}

TEST(Streams, RefuseWhatCannotBeRun) {
  const auto runner = host_streams();
  StreamWork work{
      .actors = 2, .cells = 1, .items = {{operation, 0, 0}}, .operations = {{0, 0, 1}}, .touches = {{0, 1}}};
  EXPECT_THROW(runner->prepare(work), std::invalid_argument);  // the host, outside of pinned memory
  work.pinned_cells = 1;
  work.touches = {{0, 1}, {0, 2}};
  work.operations = {{0, 0, 2}};
  EXPECT_THROW(runner->prepare(work), std::invalid_argument);  // one operation, one cell, two writes
  work.operations = {{0, 0, 1}};
  runner->prepare(work);
  EXPECT_THROW(runner->run(std::vector<StreamDelay>{{1, 0, 0}}), std::invalid_argument);
  EXPECT_THROW(runner->run(std::vector<StreamDelay>{{0, stream_delay_us_max + 1, 0}}), std::invalid_argument);
  work.items.push_back({wait, 1, 0});
  EXPECT_THROW(runner->prepare(work), std::invalid_argument);  // there is no event
  work.events = 1;
  EXPECT_THROW(runner->prepare(work), std::invalid_argument);  // it was not recorded
  work.items = {{begin_replay, 1, 0}, {operation, 0, 0}};
  EXPECT_THROW(runner->prepare(work), std::invalid_argument);  // another actor's
}

}  // namespace
}  // namespace pagestorm::sim::time
