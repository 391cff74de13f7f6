#include "sim/time/breach.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace pagestorm::sim::time {
namespace {

struct By {
  Actor actor;
  bool writes;
  std::int32_t owner = -1;
  bool again = false;
};

/// What it breaks when two touch the same without an event between them.
std::optional<Breach> breach(Kind kind, const By& first, const By& second) {
  Queue queue;
  queue.start();
  for (const By& by : {first, second}) {
    queue.run(by.actor, "operation");
    queue.touch({.resource = {kind, 3}, .owner = by.owner, .writes = by.writes, .again = by.again});
  }
  if (queue.hazards().empty()) return std::nullopt;
  return breach_of(queue, queue.hazards().front());
}

constexpr bool reads = false;
constexpr bool writes = true;

TEST(Breach, OfARowGoesByWhoOwnsIt) {
  EXPECT_EQ(breach(Kind::row, {Actor::forward, reads, 1}, {Actor::schedule, writes, 1}), Breach::reuse);
  EXPECT_EQ(breach(Kind::row, {Actor::forward, reads, 1}, {Actor::schedule, writes, 2}), Breach::reissue);
  EXPECT_EQ(breach(Kind::row, {Actor::load, writes, 1}, {Actor::forward, reads, 1}), Breach::generation);
}

TEST(Breach, OfTheMapGoesByWhetherACopyWasTaken) {
  EXPECT_EQ(breach(Kind::map, {Actor::forward, reads}, {Actor::schedule, writes}), Breach::reuse);
  EXPECT_EQ(breach(Kind::map, {Actor::forward, reads, -1, true}, {Actor::schedule, writes}), Breach::generation);
  EXPECT_EQ(breach(Kind::map, {Actor::schedule, writes}, {Actor::plan, reads}), Breach::generation);
}

TEST(Breach, OfAPageGoesByWhoComesFirst) {
  for (const Kind kind : {Kind::kv, Kind::swa_kv}) {
    EXPECT_EQ(breach(kind, {Actor::forward, writes}, {Actor::load, writes}), Breach::reissue);
    EXPECT_EQ(breach(kind, {Actor::forward, reads}, {Actor::load, writes}), Breach::reissue);
    EXPECT_EQ(breach(kind, {Actor::load, writes}, {Actor::forward, reads}), Breach::generation);
  }
}

TEST(Breach, OfTablesAndLengthsIsOfGenerations) {
  for (const Kind kind : {Kind::table, Kind::lengths})
    EXPECT_EQ(breach(kind, {Actor::forward, reads}, {Actor::plan, writes}), Breach::generation);
  EXPECT_EQ(breach(Kind::relay, {Actor::forward, writes}, {Actor::schedule, reads}), Breach::generation);
}

TEST(Breach, OfPinnedMemoryIsOfCopies) {
  EXPECT_EQ(breach(Kind::staging, {Actor::schedule, reads}, {Actor::host, writes}), Breach::host_copy);
  EXPECT_EQ(breach(Kind::mirror, {Actor::copy, writes}, {Actor::host, reads}), Breach::host_copy);
  EXPECT_EQ(breach(Kind::outputs, {Actor::forward, writes}, {Actor::host, reads}), Breach::host_copy);
  EXPECT_EQ(breach(Kind::relay, {Actor::forward, writes}, {Actor::copy, reads}), Breach::host_copy);
}

TEST(Breach, OfWhatTheHostDoesNeedsNoSecondOperation) {
  for (const Wrong wrong : {Wrong::waits, Wrong::absent, Wrong::behind}) {
    Queue queue;
    queue.start();
    queue.run(Actor::host, "take the longest length", 2);
    queue.object(wrong);
    ASSERT_EQ(queue.hazards().size(), 1u);
    EXPECT_EQ(breach_of(queue, queue.hazards()[0]), Breach::sync);
    const HazardText text = describe(queue, queue.hazards()[0]);
    EXPECT_EQ(text.place, "'take the longest length' of forward 2 (host)");
    EXPECT_EQ(text.expected == "a path that does without", wrong != Wrong::behind);
  }
}

}  // namespace
}  // namespace pagestorm::sim::time
