#include "sim/time/queue.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "sim/time/breach.hpp"
#include "sim/time/execute.hpp"
#include "sim/time/time_line.hpp"

namespace pagestorm::sim::time {
namespace {

constexpr Resource row{Kind::row, 1};
constexpr Resource page_map{Kind::map, 7};
constexpr Resource pinned{Kind::staging, 0};

class QueueTest : public testing::Test {
 protected:
  QueueTest() { queue.start(); }

  std::int64_t does(Actor actor, const char* name, Access access) {
    const std::int64_t number = queue.run(actor, name);
    queue.touch(access);
    return number;
  }
  std::int64_t reads(Actor actor, Resource resource, Span span = {}) {
    return does(actor, "read", {.resource = resource, .span = span});
  }
  std::int64_t writes(Actor actor, Resource resource, Span span = {}) {
    return does(actor, "write", {.resource = resource, .span = span, .writes = true});
  }

  Queue queue;
  Event event;
};

// Ticks of host, schedule, forward, plan, copy, load.
std::vector<std::uint32_t> ticks(const VectorClock& clock) {
  std::vector<std::uint32_t> all;
  for (int a = 0; a < actor_count; ++a) all.push_back(clock[static_cast<Actor>(a)]);
  return all;
}

TEST(VectorClock, LearnsTheLargerOfBoth) {
  VectorClock a, b;
  EXPECT_EQ(a.tick(Actor::schedule), 1u);
  EXPECT_EQ(a.tick(Actor::schedule), 2u);
  b.tick(Actor::schedule);
  b.tick(Actor::forward);
  EXPECT_FALSE(a.knows(Actor::forward, 1));
  EXPECT_TRUE(a.knows(Actor::forward, 0));
  a.join(b);
  EXPECT_EQ(ticks(a), (std::vector<std::uint32_t>{0, 2, 1, 0, 0, 0}));
  EXPECT_FALSE(b.knows(Actor::schedule, 2));
}

TEST_F(QueueTest, ClocksFollowEventsAndTheHost) {
  queue.run(Actor::host, "a");      // host 1
  queue.run(Actor::schedule, "b");  // after a
  queue.run(Actor::schedule, "c");
  queue.record(event, Actor::schedule, "scheduled");
  queue.run(Actor::schedule, "d");  // behind the event
  queue.wait(Actor::forward, event);
  queue.run(Actor::forward, "e");
  queue.wait(Actor::host, event);
  queue.run(Actor::plan, "f");  // enqueued after the host has waited
  const auto at = [&](std::int64_t number) { return ticks(queue.operation(number).clock); };
  EXPECT_EQ(at(0), (std::vector<std::uint32_t>{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(at(1), (std::vector<std::uint32_t>{1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(at(3), (std::vector<std::uint32_t>{1, 3, 0, 0, 0, 0}));
  EXPECT_EQ(at(4), (std::vector<std::uint32_t>{1, 2, 1, 0, 0, 0}));
  EXPECT_EQ(at(5), (std::vector<std::uint32_t>{1, 2, 0, 1, 0, 0}));
  EXPECT_TRUE(queue.done(event));
}

TEST_F(QueueTest, WhatNothingOrdersIsAHazard) {
  const std::int64_t read = reads(Actor::forward, page_map);
  EXPECT_TRUE(queue.hazards().empty());
  const std::int64_t write = writes(Actor::schedule, page_map);
  ASSERT_EQ(queue.hazards().size(), 1u);
  EXPECT_EQ(queue.hazards()[0].earlier, read);
  EXPECT_EQ(queue.hazards()[0].later, write);
  EXPECT_FALSE(queue.hazards()[0].before.writes);
  queue.next_step();
  EXPECT_TRUE(queue.hazards().empty());
}

TEST_F(QueueTest, AnEventOrders) {
  reads(Actor::forward, page_map);
  queue.record(event, Actor::forward, "read-done");
  queue.wait(Actor::schedule, event);
  writes(Actor::schedule, page_map);
  EXPECT_TRUE(queue.hazards().empty());
}

TEST_F(QueueTest, AnEventBeforeTheReadDoesNot) {
  queue.record(event, Actor::forward, "read-done");
  reads(Actor::forward, page_map);
  queue.wait(Actor::schedule, event);
  writes(Actor::schedule, page_map);
  EXPECT_EQ(queue.hazards().size(), 1u);
}

TEST_F(QueueTest, EventsChain) {
  Event second;
  reads(Actor::forward, page_map);
  queue.record(event, Actor::forward, "a");
  queue.wait(Actor::schedule, event);
  queue.record(second, Actor::schedule, "b");
  queue.wait(Actor::plan, second);
  writes(Actor::plan, page_map);
  EXPECT_TRUE(queue.hazards().empty());
}

TEST_F(QueueTest, AStreamIsInOrderAndReadsDoNotConflict) {
  reads(Actor::forward, page_map);
  reads(Actor::plan, page_map);
  reads(Actor::host, page_map);
  EXPECT_TRUE(queue.hazards().empty());
  Queue other;
  other.start();
  other.run(Actor::forward, "write");
  other.touch({.resource = page_map, .writes = true});
  other.run(Actor::forward, "read");
  other.touch({.resource = page_map});
  EXPECT_TRUE(other.hazards().empty());
}

TEST_F(QueueTest, OfTwoReadersBothMustBeDone) {
  reads(Actor::forward, page_map);
  const std::int64_t other = reads(Actor::plan, page_map);
  queue.record(event, Actor::forward, "read-done");
  queue.wait(Actor::schedule, event);
  writes(Actor::schedule, page_map);
  ASSERT_EQ(queue.hazards().size(), 1u);
  EXPECT_EQ(queue.hazards()[0].earlier, other);
}

TEST_F(QueueTest, RowsConflictWherePositionsMeet) {
  reads(Actor::forward, row, {0, 5});
  writes(Actor::schedule, row, {5, 8});
  EXPECT_TRUE(queue.hazards().empty());
  writes(Actor::schedule, row, {4, 8});
  EXPECT_EQ(queue.hazards().size(), 1u);
}

// A later, shorter read does not stand for the longer one before it.
TEST_F(QueueTest, ALongReadIsNotForgottenForAShortOne) {
  reads(Actor::forward, row, {0, 9});
  queue.record(event, Actor::plan, "nothing");
  reads(Actor::forward, row, {0, 2});
  writes(Actor::schedule, row, {6, 7});
  ASSERT_EQ(queue.hazards().size(), 1u);
  EXPECT_EQ(queue.hazards()[0].earlier, 0);
}

TEST_F(QueueTest, ManyTouchesOfARowAreForgottenOnlyWhenTheHostKnows) {
  for (std::int32_t i = 0; i < 40; ++i) reads(Actor::forward, row, {i, i + 1});
  writes(Actor::schedule, row, {3, 4});
  EXPECT_EQ(queue.hazards().size(), 1u);
  queue.next_step();
  queue.sync(Actor::forward);
  writes(Actor::schedule, row, {0, 40});
  EXPECT_TRUE(queue.hazards().empty());
}

TEST_F(QueueTest, ACopyReadsItsSourceWhenItRuns) {
  writes(Actor::host, pinned);
  const std::int64_t copy = reads(Actor::schedule, pinned);
  queue.record(event, Actor::schedule, "staged");
  writes(Actor::host, pinned);
  ASSERT_EQ(queue.hazards().size(), 1u);
  EXPECT_EQ(breach_of(queue, queue.hazards()[0]), Breach::host_copy);
  const auto seen = execute(queue, {.pace = Pace::early, .delayed = copy});
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(show(seen[0].meant), "generation 1");
  EXPECT_EQ(show(seen[0].first), "generation 2");
  EXPECT_FALSE(seen[0].torn());
  queue.next_step();
  queue.wait(Actor::host, event);
  writes(Actor::host, pinned);
  EXPECT_TRUE(queue.hazards().empty());
}

// --- graphs

class ReplayTest : public QueueTest, public testing::WithParamInterface<GraphEvents> {};

TEST_P(ReplayTest, DecidesWhereAnEventInsideStands) {
  queue.run(Actor::forward, "before");
  queue.begin_replay(Actor::forward, GetParam());
  reads(Actor::forward, page_map);
  queue.record(event, Actor::forward, "read-done");
  const std::int64_t last = queue.run(Actor::forward, "layers");
  queue.end_replay();
  queue.wait(Actor::schedule, event);
  writes(Actor::schedule, page_map);
  const std::uint32_t expected[] = {2, 1, 3};  // forward operations done: the read, none of the graph, all of it
  EXPECT_EQ(event.clock[Actor::forward], expected[static_cast<int>(GetParam())]);
  EXPECT_EQ(queue.hazards().size(), GetParam() == GraphEvents::before ? 1u : 0u);
  EXPECT_EQ(event.operation, GetParam() == GraphEvents::before ? 0 : GetParam() == GraphEvents::inside ? 1 : last);
}

INSTANTIATE_TEST_SUITE_P(Each, ReplayTest,
                         testing::Values(GraphEvents::inside, GraphEvents::before, GraphEvents::after));

// --- running

TEST_F(QueueTest, RunInTheOrderOfTheQueueEverythingIsAsMeant) {
  writes(Actor::load, row, {0, 4});
  reads(Actor::forward, row, {0, 4});
  EXPECT_TRUE(execute(queue, {.pace = Pace::early}).empty());
  EXPECT_FALSE(execute(queue, {.pace = Pace::late}).empty());
}

TEST_F(QueueTest, AReadThatIsOvertakenIsTorn) {
  writes(Actor::schedule, row, {0, 4});
  queue.record(event, Actor::schedule, "scheduled");
  queue.wait(Actor::forward, event);
  const std::int64_t read = reads(Actor::forward, row, {0, 4});
  writes(Actor::schedule, row, {2, 3});
  const auto seen = execute(queue, {.pace = Pace::early, .stretched = read});
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_TRUE(seen[0].torn());
  EXPECT_EQ(seen[0].first, (Picture{{{0, 4}, 1}}));
  EXPECT_EQ(seen[0].second, (Picture{{{0, 2}, 1}, {{2, 3}, 2}, {{3, 4}, 1}}));
  EXPECT_EQ(show(seen[0].second), "generations 1 and 2");
}

TEST_F(QueueTest, WhatIsOrderedIsSeenAsMeantInEveryOrder) {
  for (int i = 0; i < 6; ++i) {
    queue.wait(Actor::schedule, event);
    writes(Actor::schedule, row, {i, i + 3});
    queue.record(event, Actor::schedule, "scheduled");
    queue.wait(Actor::forward, event);
    reads(Actor::forward, row, {0, 9});
    queue.record(event, Actor::forward, "read-done");
  }
  ASSERT_TRUE(queue.hazards().empty());
  EXPECT_TRUE(execute(queue, {.pace = Pace::late}).empty());
  for (std::uint64_t seed = 0; seed < 50; ++seed) EXPECT_TRUE(execute(queue, {Pace::drawn, seed}).empty());
}

// --- what people see

TEST_F(QueueTest, TheReportNamesBothOperationsAndWhatWasWaitedFor) {
  queue.run(Actor::forward, "launch", 3);
  queue.record(event, Actor::forward, "read-done");
  queue.run(Actor::forward, "build tables", 3);
  queue.touch({.resource = page_map});
  queue.wait(Actor::schedule, event);
  queue.run(Actor::schedule, "finish");
  queue.touch({.resource = page_map, .writes = true});
  ASSERT_EQ(queue.hazards().size(), 1u);
  const HazardText text = describe(queue, queue.hazards()[0]);
  EXPECT_EQ(text.place, "the map of page 7");
  EXPECT_EQ(text.expected, "'build tables' of forward 3 (forward) is done before 'finish' (schedule)");
  EXPECT_EQ(text.got,
            "nothing orders them: the last that schedule knows of forward is 'read-done', recorded behind 'launch' of "
            "forward 3 (forward); missing: an event of forward behind 'build tables', waited for by schedule");
  EXPECT_EQ(text.time_line,
            "  in the order of the queue\n"
            "       0 forward   launch of forward 3\n"
            "  >    1 forward   build tables of forward 3                reads it\n"
            "         schedule  waits for read-done (forward behind 0)\n"
            "  >    2 schedule  finish                                   writes it\n\n"
            "  with 'build tables' of forward 3 (forward) held back, it reads generation 0 and then generation 1; "
            "meant: generation 0");
}

}  // namespace
}  // namespace pagestorm::sim::time
