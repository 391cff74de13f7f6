#include "props/laws/holdings.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <tuple>

#include "sim/rng.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::props {
namespace {

using Owned = std::multiset<std::tuple<std::int64_t, std::int32_t, std::int32_t>>;

// Without those that hold no page.
void add(Owned& owned, std::int64_t owner, std::int32_t page, std::int32_t swa_page) {
  if (page != 0 || swa_page != 0) owned.insert({owner, page, swa_page});
}

Owned recount(const sim::World& world) {
  Owned owned;
  const auto add_all = [&](std::int64_t owner, const auto& pages, const auto& swa_pages, std::size_t first) {
    for (std::size_t c = first; c < pages.size(); ++c)
      add(owned, owner, pages[c], swa_pages.empty() ? 0 : swa_pages[c]);
  };
  for (const sim::Request& request : world.requests())
    add_all(request.serial, request.pages, request.swa_pages, static_cast<std::size_t>(request.shared_columns));
  for (const sim::NodeId id : world.cache().nodes().in_order())
    add_all(Holding::cache, world.cache().nodes()[id].pages, world.cache().nodes()[id].swa_pages, 0);
  return owned;
}

TEST(Holdings, FollowWhatARecountFinds) {
  Holdings holdings;
  sim::Inputs inputs;
  sim::World world;
  std::size_t most_cached = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const sim::Scenario scenario = sim::draw(sim::sub_seed(11, i), {});
    world.start(scenario.config, inputs);
    holdings.start();
    Owned followed;
    for (const sim::Step& step : scenario.steps) {
      world.apply(step);
      holdings.update(world);
      for (const Holding& holding : holdings.gone()) {
        if (holding.page == 0 && holding.swa_page == 0) continue;
        const auto found = followed.find({holding.owner, holding.page, holding.swa_page});
        ASSERT_NE(found, followed.end()) << "case " << i << ": what goes was never there";
        followed.erase(found);
      }
      for (const Holding& holding : holdings.come()) add(followed, holding.owner, holding.page, holding.swa_page);
      ASSERT_EQ(followed, recount(world)) << "case " << i;
      most_cached = std::max(most_cached, world.cache().nodes().in_order().size());
    }
  }
  EXPECT_GT(most_cached, 3u) << "nothing was cached";
}

TEST(Holdings, NameTheirOwners) {
  EXPECT_EQ(owner_name(Holding::cache), "the prefix cache");
  EXPECT_EQ(owner_name(0), "A");
}

}  // namespace
}  // namespace pagestorm::props
