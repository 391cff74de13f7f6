#include "sim/engine/idle_queue.hpp"

#include <gtest/gtest.h>

#include <map>

#include "sim/rng.hpp"

namespace pagestorm::sim {
namespace {

// What is true of the nodes, and a queue that is told when one becomes idle.
struct Nodes {
  std::map<std::int32_t, std::uint64_t> last_uses = {};
  std::map<std::int32_t, bool> idle = {};
  IdleQueue queue = {};

  void rest(std::int32_t id) {
    idle[id] = true;
    queue.enter(id, last_uses[id]);
  }
  std::optional<std::int32_t> oldest() {
    return queue.oldest([this](std::int32_t id) { return idle[id] ? last_uses[id] : 0; });
  }
  std::optional<std::int32_t> oldest_by_search() const {
    std::optional<std::int32_t> found;
    for (const auto& [id, is_idle] : idle)
      if (is_idle && (!found || last_uses.at(id) < last_uses.at(*found))) found = id;
    return found;
  }
};

TEST(IdleQueue, GivesTheOldestAndKeepsIt) {
  Nodes nodes{.last_uses = {{5, 30}, {6, 10}, {7, 20}}};
  EXPECT_EQ(nodes.oldest(), std::nullopt);
  for (const std::int32_t id : {5, 6, 7}) nodes.rest(id);
  EXPECT_EQ(nodes.oldest(), 6);
  EXPECT_EQ(nodes.oldest(), 6);
}

TEST(IdleQueue, FollowsUsesThatItWasNotToldOf) {
  Nodes nodes{.last_uses = {{1, 10}, {2, 20}}};
  nodes.rest(1);
  nodes.rest(2);
  nodes.last_uses[1] = 30;
  EXPECT_EQ(nodes.oldest(), 2);
  nodes.idle[2] = false;
  EXPECT_EQ(nodes.oldest(), 1);
  nodes.rest(2);
  EXPECT_EQ(nodes.oldest(), 2);
}

TEST(IdleQueue, TakesANodeThatCameBackWithAnOlderUse) {
  Nodes nodes{.last_uses = {{1, 40}, {2, 20}}};
  nodes.rest(1);
  nodes.rest(2);
  nodes.last_uses[1] = 10;  // a split gives the name to a node that was used long ago
  nodes.rest(1);
  EXPECT_EQ(nodes.oldest(), 1);
}

TEST(IdleQueue, AgreesWithASearch) {
  Rng rng(3);
  Nodes nodes;
  std::uint64_t clock = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto id = static_cast<std::int32_t>(rng.between(1, 30));
    switch (rng.between(0, 3)) {
      case 0: nodes.idle[id] = false; break;
      case 1: nodes.last_uses[id] = ++clock; break;
      default:
        if (nodes.last_uses[id] == 0) nodes.last_uses[id] = ++clock;
        nodes.rest(id);
    }
    ASSERT_EQ(nodes.oldest(), nodes.oldest_by_search()) << "after " << i << " changes";
  }
}

}  // namespace
}  // namespace pagestorm::sim
