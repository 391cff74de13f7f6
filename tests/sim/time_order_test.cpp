// The happens-before check against a walk over the graph of what was enqueued.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "sim/rng.hpp"
#include "sim/time/execute.hpp"
#include "sim/time/queue.hpp"

namespace pagestorm::sim::time {
namespace {

/// Everything enqueued as a node, with an edge from each node that must be done before.
class Walk {
 public:
  /// A node on an actor's line, and behind what the host has come to.
  std::size_t add(Actor actor) {
    std::vector<std::size_t> before;
    for (const Actor line : {actor, Actor::host})
      if (const auto last = last_[static_cast<std::size_t>(line)]; last >= 0)
        before.push_back(static_cast<std::size_t>(last));
    last_[static_cast<std::size_t>(actor)] = static_cast<std::int64_t>(before_.size());
    before_.push_back(before);
    return before_.size() - 1;
  }
  void add_edge(std::size_t from, std::size_t to) { before_[to].push_back(from); }

  bool reaches(std::size_t from, std::size_t to) const {
    if (from == to) return true;
    for (const std::size_t before : before_[to])
      if (reaches(from, before)) return true;
    return false;
  }

 private:
  std::array<std::int64_t, actor_count> last_ = {-1, -1, -1, -1, -1, -1};
  std::vector<std::vector<std::size_t>> before_;
};

struct Done {
  std::size_t node;
  Access access;
};

bool conflict(const Access& a, const Access& b) {
  return a.resource == b.resource && (a.writes || b.writes) && a.span.meets(b.span);
}

/// A program drawn from a seed, enqueued in a queue and in a graph.
struct Program {
  explicit Program(std::uint64_t seed) : rng(seed) {
    queue.start();
    const std::int64_t length = rng.between(4, 16);
    for (std::int64_t i = 0; i < length; ++i) add();
  }

  void add() {
    const auto actor = static_cast<Actor>(rng.between(0, 3));
    const std::size_t which = rng.below(events.size());
    switch (rng.below(4)) {
      case 0:
        queue.record(events[which], actor, "event");
        recorded[which] = static_cast<std::int64_t>(walk.add(actor));
        return;
      case 1: {
        queue.wait(actor, events[which]);
        const std::size_t node = walk.add(actor);
        if (recorded[which] >= 0) walk.add_edge(static_cast<std::size_t>(recorded[which]), node);
        return;
      }
      default: touch(actor);
    }
  }

  void touch(Actor actor) {
    Access access{.resource = {rng.one_in(2) ? Kind::row : Kind::map, 1}, .writes = rng.one_in(2)};
    if (access.resource.kind == Kind::row) {
      access.span.first = static_cast<std::int32_t>(rng.between(0, 3));
      access.span.end = access.span.first + static_cast<std::int32_t>(rng.between(1, 3));
    }
    queue.run(actor, "operation");
    queue.touch(access);
    done.push_back({walk.add(actor), access});
  }

  bool has_hazard() const {
    for (std::size_t b = 0; b < done.size(); ++b)
      for (std::size_t a = 0; a < b; ++a)
        if (conflict(done[a].access, done[b].access) && !walk.reaches(done[a].node, done[b].node)) return true;
    return false;
  }

  Rng rng;
  Queue queue;
  Walk walk;
  std::array<Event, 3> events;
  std::array<std::int64_t, 3> recorded = {-1, -1, -1};
  std::vector<Done> done;
};

TEST(HappensBefore, AgreesWithAWalkOverTheGraph) {
  int hazards = 0;
  constexpr int programs = 20'000;
  for (std::uint64_t i = 0; i < programs; ++i) {
    const Program program(sub_seed(11, i));
    ASSERT_EQ(!program.queue.hazards().empty(), program.has_hazard()) << "program " << i;
    hazards += program.has_hazard() ? 1 : 0;
  }
  EXPECT_GT(hazards, programs / 4);
  EXPECT_LT(hazards, programs * 3 / 4);
}

TEST(HappensBefore, NamesTwoThatConflictAndAreNotOrdered) {
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const Program program(sub_seed(12, i));
    for (const Hazard& hazard : program.queue.hazards()) {
      const Done& earlier = program.done[static_cast<std::size_t>(hazard.earlier)];
      const Done& later = program.done[static_cast<std::size_t>(hazard.later)];
      EXPECT_TRUE(conflict(earlier.access, later.access));
      EXPECT_FALSE(program.walk.reaches(earlier.node, later.node));
    }
  }
}

// What is ordered gives the same in every order; what is not, if a read is part of it, shows in some.
TEST(HappensBefore, IsWhatTheExecutorSees) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Program program(sub_seed(13, i));
    if (program.queue.hazards().empty()) {
      for (std::uint64_t seed = 0; seed < 4; ++seed)
        EXPECT_TRUE(execute(program.queue, {Pace::drawn, seed}).empty()) << "program " << i;
      EXPECT_TRUE(execute(program.queue, {.pace = Pace::late}).empty()) << "program " << i;
      continue;
    }
    const Hazard& first = program.queue.hazards().front();
    if (first.before.writes == first.after.writes) continue;
    EXPECT_FALSE(execute(program.queue, {.stretched = first.earlier}).empty()) << "program " << i;
  }
}

}  // namespace
}  // namespace pagestorm::sim::time
