// How the world drafts in branches and verifies trees.

#include <gtest/gtest.h>

#include <vector>

#include "sim/flash/asks.hpp"
#include "sim/flash/draft_tree.hpp"
#include "sim/world.hpp"

namespace pagestorm::sim {
namespace {

struct Engine {
  Inputs inputs;
  World world;

  explicit Engine(const Config& config, Fault fault = Fault::none) { world.start(config, inputs, fault); }
  const Forward& play(const std::vector<Step>& steps) {
    for (const Step& step : steps) world.apply(step);
    return world.forward();
  }
  std::int64_t moves() const {
    std::int64_t moved = 0;
    for (const PoolEvent& event : world.events()) moved += event.kind == EventKind::moved ? 1 : 0;
    return moved;
  }
};

Config branching() {
  return {.page_size = 4, .context = 64, .draft_tokens = 5, .draft_steps = 3, .flash = true, .top_k = 2};
}

TEST(FlashWorld, DraftsInPagesOfEachBranch) {
  Engine engine(branching());
  const Forward& forward =
      engine.play({{.kind = StepKind::admit, .amount = 6}, {.kind = StepKind::draft, .amount = 1}});
  EXPECT_TRUE(forward.cascade);
  EXPECT_EQ(forward.branches, 2);
  const ForwardRow& row = forward.rows.at(0);
  EXPECT_EQ(row.length, 4) << "the pass over the prefix has its whole pages";
  EXPECT_EQ(row.committed, 6);
  EXPECT_EQ(row.position(0), 7);
  EXPECT_EQ(row.position(1), 15) << "vector V6: the second branch begins at 12, with a copy of the tail";
  EXPECT_EQ(engine.moves(), 2);
  const Request& request = engine.world.requests().at(0);
  EXPECT_EQ(request.draft.at(12), request.draft.at(4));
  EXPECT_EQ(request.draft.at(13), request.draft.at(5));
  EXPECT_NE(request.draft.at(7), request.draft.at(15));
  EXPECT_EQ(request.draft.at(8), 0u) << "the third step drafts it";
}

TEST(FlashWorld, MovesThePathThatAVerifyAccepted) {
  Engine engine(branching());
  engine.play({{.kind = StepKind::admit, .amount = 6}, {.kind = StepKind::verify, .amount = 3}});
  const ForwardRow row = engine.world.forward().rows.at(0);
  const DraftTree tree = draft_tree(row.tree, 5, 2);
  const std::vector<std::int64_t> path = tree.path_of_depth(row.accepted);
  const Content verified = engine.world.requests().at(0).target;
  EXPECT_EQ(engine.world.requests().at(0).length, 6 + row.accepted);
  engine.play({{.kind = StepKind::decode}});
  const Content& target = engine.world.requests().at(0).target;
  for (std::size_t m = 0; m < path.size(); ++m)
    EXPECT_EQ(target.at(6 + static_cast<std::int64_t>(m)), verified.at(6 + path[m])) << m;
}

TEST(FlashWorld, OfTopOneDraftsChains) {
  Config config = branching();
  config.top_k = 1;
  Engine engine(config);
  const Forward& draft = engine.play({{.kind = StepKind::admit, .amount = 6}, {.kind = StepKind::draft}});
  EXPECT_EQ(draft.mode, Mode::draft_decode);
  EXPECT_FALSE(draft.cascade);
  EXPECT_EQ(asks_of(config, draft), (std::vector<Ask>{{FlashOp::draft_expand, false}}));
  const Forward& verify = engine.play({{.kind = StepKind::verify, .amount = 5}});
  EXPECT_EQ(verify.mode, Mode::target_verify);
  engine.play({{.kind = StepKind::decode}});
  EXPECT_EQ(engine.moves(), 0) << "a chain lies where it belongs";
}

TEST(FlashWorld, AsksForWhatAPassNeeds) {
  Config config = branching();
  config.swa = true;
  config.chunk = 5;
  Engine engine(config);
  engine.play({{.kind = StepKind::admit, .amount = 6}});
  EXPECT_EQ(config.chunk_tokens(), 8) << "whole pages";
  EXPECT_EQ(asks_of(config, engine.play({{.kind = StepKind::verify}})),
            (std::vector<Ask>{{FlashOp::verify_expand, false}, {FlashOp::merged_verify, true}}));
  EXPECT_EQ(asks_of(config, engine.play({{.kind = StepKind::decode}})),
            (std::vector<Ask>{{FlashOp::local_blocks, false},
                              {FlashOp::local_blocks, true},
                              {FlashOp::prompt_window, true},
                              {FlashOp::schedule, false}}));
  config.flash = false;
  EXPECT_TRUE(asks_of(config, engine.world.forward()).empty());
}

TEST(FlashWorld, HasRoomForTheBranchesOfEveryLength) {
  for (std::int64_t length = 0; length <= 64; ++length) {
    Engine engine(branching());
    engine.play({{.kind = StepKind::admit, .amount = length}, {.kind = StepKind::draft, .amount = 2}});
    ASSERT_EQ(engine.world.forward().rows.size(), 1u) << length;
    const ForwardRow& row = engine.world.forward().rows[0];
    ASSERT_LT(row.position(1), engine.world.requests().at(0).allocated) << length;
  }
}

}  // namespace
}  // namespace pagestorm::sim
