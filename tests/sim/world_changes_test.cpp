// What the world says that a step changed is all that it changed: laws that follow changes rest on it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/engine/prompts.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"
#include "sim/world.hpp"

namespace pagestorm::sim {
namespace {

// Everything that changes are told of.
struct Snapshot {
  std::vector<std::int32_t> slots;  // by row and position
  std::vector<std::int64_t> map;    // by slot
  std::map<NodeId, std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>> nodes;

  bool operator==(const Snapshot&) const = default;
};

Snapshot snapshot_of(const World& world) {
  const Config& config = world.config();
  Snapshot shot;
  for (std::int64_t row = 0; row < config.request_rows(); ++row)
    for (std::int64_t p = 0; p < config.columns(); ++p) shot.slots.push_back(world.inputs().slot(row, p));
  for (std::int64_t slot = 0; config.swa && slot < (config.pages + 1) * config.page_size; ++slot)
    shot.map.push_back(world.inputs().mapped(slot));
  for (const NodeId id : world.cache().nodes().in_order())
    shot.nodes[id] = {world.cache().nodes()[id].pages, world.cache().nodes()[id].swa_pages};
  return shot;
}

void expect_told(const World& world, const Snapshot& before, const Snapshot& after) {
  const Config& config = world.config();
  for (std::size_t i = 0; i < after.slots.size(); ++i) {
    if (before.slots[i] == after.slots[i]) continue;
    const auto row = static_cast<std::int64_t>(i) / config.columns();
    const auto position = static_cast<std::int64_t>(i) % config.columns();
    EXPECT_TRUE(std::ranges::any_of(world.inputs().cells_written(),
                                    [&](const Inputs::Cells& cells) {
                                      return cells.row == row && cells.first <= position && position < cells.end;
                                    }))
        << "row " << row << ", position " << position;
  }
  for (std::size_t slot = 0; slot < after.map.size(); ++slot) {
    if (before.map[slot] == after.map[slot]) continue;
    const auto page = static_cast<std::int32_t>(static_cast<std::int64_t>(slot) / config.page_size);
    EXPECT_GT(std::ranges::count(world.inputs().pages_mapped(), page), 0) << "page " << page;
  }
  const auto nodes_told = [&](const auto& from, const auto& other) {
    for (const auto& [id, pages] : from) {
      const auto found = other.find(id);
      if (found != other.end() && found->second == pages) continue;
      EXPECT_GT(std::ranges::count(world.cache().nodes().changed(), id), 0) << "node " << id;
    }
  };
  nodes_told(before.nodes, after.nodes);
  nodes_told(after.nodes, before.nodes);
  EXPECT_TRUE(world.changed() || before == after);
}

TEST(WorldChanges, AreAllTold) {
  int played = 0;
  for (std::uint64_t i = 0; i < 4000 && played < 150; ++i) {
    const Scenario scenario = draw(sub_seed(5, i), {});
    const Config& config = scenario.config;
    const bool small = config.request_rows() * config.columns() < 4000 && config.pages * config.page_size < 4000;
    if (!small || config.layout.far != Far::none) continue;
    ++played;
    Inputs inputs;
    World world;
    world.start(config, inputs);
    Snapshot before = snapshot_of(world);
    for (const Step& step : scenario.steps) {
      world.apply(step);
      Snapshot after = snapshot_of(world);
      expect_told(world, before, after);
      if (testing::Test::HasFailure()) return;
      before = std::move(after);
    }
  }
  EXPECT_EQ(played, 150);
}

TEST(WorldChanges, AStepMayBringAPrompt) {
  const Config config{.page_size = 4, .context = 64, .cache = true};
  Inputs inputs;
  World world;
  world.start(config, inputs);
  const Content first = prompt_of_blocks(std::vector<std::int64_t>{7, 8}, 8, 16);
  const Content second = prompt_of_blocks(std::vector<std::int64_t>{7, 9}, 8, 13);
  const auto arrive = [&](const Content& prompt, std::int64_t family) {
    const Step step{.kind = StepKind::arrive, .amount = prompt.size(), .family = family};
    ASSERT_EQ(world.apply(step, {.prompt = &prompt}), Outcome::changed);
  };
  arrive(first, 1);
  EXPECT_EQ(world.requests().back().target, first);
  ASSERT_EQ(world.apply({.kind = StepKind::extend, .amount = 16}), Outcome::batch);
  ASSERT_EQ(world.apply({.kind = StepKind::share}), Outcome::changed);
  arrive(second, 1);
  EXPECT_EQ(world.requests().back().length, 8) << "the blocks decide what hits, not the family";
  EXPECT_EQ(world.requests().back().target, second);
}

TEST(WorldChanges, RoomForTheRestOfAPromptMayBuryItsOwnBeginning) {
  const Config config{.page_size = 4, .context = 64, .swa = true, .swa_pages = 10, .window = 4, .cache = true};
  Inputs inputs;
  World world;
  world.start(config, inputs);
  const auto apply = [&](const Step& step) { EXPECT_NE(world.apply(step), Outcome::no_op); };
  apply({.kind = StepKind::arrive, .amount = 32, .family = 1});
  apply({.kind = StepKind::extend, .amount = 32});
  apply({.kind = StepKind::finish});
  apply({.kind = StepKind::arrive, .amount = 17, .family = 1});  // ends within the stretch, and splits it
  apply({.kind = StepKind::finish});
  ASSERT_EQ(world.pool(Pool::swa).free(), 2);
  apply({.kind = StepKind::arrive, .amount = 44, .family = 1});
  const Request& request = world.requests().front();
  ASSERT_EQ(request.shared_columns, 8);
  EXPECT_EQ(world.tally().tombstones, 4);
  for (std::size_t c = 0; c < 8; ++c) EXPECT_EQ(request.swa_pages[c] == 0, c < 4) << "column " << c;
}

TEST(WorldChanges, AVerifyMaySayWhatEachRowAccepts) {
  const Config config{.page_size = 4, .context = 64, .draft_tokens = 4};
  Inputs inputs;
  World world;
  world.start(config, inputs);
  for (int i = 0; i < 3; ++i) world.apply({.kind = StepKind::admit, .amount = 10});
  const std::vector<std::int64_t> accepted{4, 1};
  ASSERT_EQ(world.apply({.kind = StepKind::verify, .rows = 0, .amount = 2}, {.accepted = accepted}), Outcome::batch);
  EXPECT_EQ(world.requests()[0].length, 14);
  EXPECT_EQ(world.requests()[1].length, 11);
  EXPECT_EQ(world.requests()[2].length, 10 + accepted_tokens({.amount = 2}, 2, 4)) << "the rest goes by the step";
}

TEST(Prompts, OfBlocksAreAlikeWhereBlocksAreAndLikeNothingElse) {
  const Content prompt = prompt_of_blocks(std::vector<std::int64_t>{0, prefix_blocks_end - 1, 0}, 512, 1030);
  EXPECT_EQ(prompt.size(), 1030);
  EXPECT_EQ(prompt.known(), 1030);
  ASSERT_EQ(prompt.runs().size(), 3u);
  EXPECT_EQ(prompt_of_blocks(std::vector<std::int64_t>{0, 5}, 512, 900).common_prefix(prompt), 512);
  EXPECT_EQ(prompt_of_blocks(std::vector<std::int64_t>{5, 0}, 512, 900).common_prefix(prompt), 0);
  for (std::int64_t family = 1; family <= families; ++family) {
    Content other;
    append_prompt(other, family, 300, 1030);
    for (const TokenRun& run : other.runs())
      for (const TokenRun& own : prompt.runs()) EXPECT_NE(run.base, own.base);
  }
  for (const TokenRun& run : prompt.runs()) EXPECT_EQ(owner_of(run.base), -1) << "no request's own";
  EXPECT_TRUE(prompt_of_blocks({}, 512, 0).runs().empty());
}

}  // namespace
}  // namespace pagestorm::sim
