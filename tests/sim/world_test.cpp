// Requests and their pages: admit, evict, finish, puncture, and what a full pool refuses.

#include "sim/world.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sim/rng.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::sim {
namespace {

// Pages of 4 tokens, two requests; with SWA a window of 4.
struct Engine {
  Inputs inputs;
  World world;
  Config config = {.page_size = 4,
                   .context = 16,
                   .requests = 2,
                   .pages = 16,
                   .swa_pages = 16,
                   .window = 4,
                   .draft_tokens = 3,
                   .draft_steps = 2};

  void start() { world.start(config, inputs); }
  Outcome step(StepKind kind, std::int64_t amount = 0) {
    return world.apply({.kind = kind, .rows = 0, .amount = amount});
  }
  Outcome finish(std::int64_t who) { return world.apply({.kind = StepKind::finish, .who = who}); }
  Outcome puncture(std::int64_t who, std::int64_t page) {
    return world.apply({.kind = StepKind::puncture, .who = who, .amount = page});
  }
  const Request& request(std::size_t i) const { return world.requests().at(i); }
};

TEST(World, WithoutRequestsHasNothingToDoButAdmitArriveAndIdle) {
  Engine engine;
  engine.config.swa = true;
  engine.start();
  for (int i = 0; i < step_kind_count; ++i) {
    const auto kind = static_cast<StepKind>(i);
    if (kind == StepKind::admit || kind == StepKind::arrive || kind == StepKind::idle) continue;
    EXPECT_EQ(engine.step(kind, 3), Outcome::no_op) << name_of(kind);
  }
  EXPECT_EQ(engine.step(StepKind::idle), Outcome::batch);
  EXPECT_EQ(engine.world.live_pages(), 0);
}

TEST(World, AdmitsARequestWithSlotsForItsTokens) {
  Engine engine;
  engine.start();
  EXPECT_EQ(engine.step(StepKind::admit, 5), Outcome::changed);
  const Request& a = engine.request(0);
  EXPECT_EQ(a.serial, 0);
  EXPECT_EQ(a.row, 2);
  EXPECT_EQ(a.length, 5);
  EXPECT_EQ(a.allocated, 5);
  ASSERT_EQ(a.pages.size(), 2u);
  for (std::int64_t p = 0; p < 5; ++p)
    EXPECT_EQ(engine.inputs.slot(a.row, p), a.pages[static_cast<std::size_t>(p / 4)] * 4 + p % 4);
  EXPECT_EQ(engine.inputs.slot(a.row, 5), Inputs::hostile);
  EXPECT_EQ(engine.inputs.slot(a.row, 8), Inputs::hostile);
  EXPECT_EQ(engine.world.live_pages(), 2);
}

TEST(World, AdmitsARequestOfNoTokens) {
  Engine engine;
  engine.start();
  EXPECT_EQ(engine.step(StepKind::admit, 0), Outcome::changed);
  EXPECT_EQ(engine.request(0).pages.size(), 0u);
  EXPECT_EQ(engine.inputs.slot(2, 0), Inputs::hostile);
}

TEST(World, RefusesARequestWithoutARow) {
  Engine engine;
  engine.start();
  engine.step(StepKind::admit, 1);
  engine.step(StepKind::admit, 1);
  EXPECT_EQ(engine.request(1).row, 1);
  EXPECT_EQ(engine.step(StepKind::admit, 1), Outcome::no_op);
}

TEST(World, RefusesARequestLongerThanItsRow) {
  Engine engine;  // 16 + 2 * 3 + 2 + 4 = 28 columns
  engine.start();
  EXPECT_EQ(engine.step(StepKind::admit, 29), Outcome::no_op);
  EXPECT_EQ(engine.step(StepKind::admit, -1), Outcome::no_op);
  EXPECT_EQ(engine.step(StepKind::admit, 28), Outcome::changed);
}

TEST(World, RefusesARequestThatThePoolCannotHold) {
  Engine engine;
  engine.config.pages = 2;
  engine.start();
  EXPECT_EQ(engine.step(StepKind::admit, 9), Outcome::no_op);
  EXPECT_EQ(engine.world.live_pages(), 0);
  EXPECT_EQ(engine.step(StepKind::admit, 8), Outcome::changed);
}

TEST(World, TestsCapacityForTheWholeBatchBeforeAnythingIsWritten) {
  for (const bool swa : {false, true}) {
    Engine engine;
    engine.config.swa = swa;
    (swa ? engine.config.swa_pages : engine.config.pages) = 3;
    engine.start();
    engine.step(StepKind::admit, 4);
    engine.step(StepKind::admit, 4);
    // Each needs a page more; there is one.
    EXPECT_EQ(engine.step(StepKind::decode), Outcome::no_op);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(engine.request(i).length, 4);
      EXPECT_EQ(engine.request(i).allocated, 4);
      EXPECT_EQ(engine.request(i).pages.size(), 1u);
      EXPECT_EQ(engine.inputs.slot(engine.request(i).row, 4), Inputs::hostile);
    }
    EXPECT_EQ(engine.world.live_pages(), 2);
    EXPECT_EQ(engine.world.apply({.kind = StepKind::decode}), Outcome::batch);
  }
}

TEST(World, GivesSwaPagesToColumnsInsideTheWindowOnly) {
  Engine engine;
  engine.config.swa = true;
  engine.start();
  engine.step(StepKind::admit, 14);  // the window starts at 10, in column 2
  const Request& a = engine.request(0);
  ASSERT_EQ(a.swa_pages.size(), 4u);
  EXPECT_EQ(a.swa_pages[0], 0);
  EXPECT_EQ(a.swa_pages[1], 0);
  EXPECT_GT(a.swa_pages[2], 0);
  EXPECT_GT(a.swa_pages[3], 0);
  EXPECT_EQ(a.evicted_pages, 2);
}

TEST(World, EvictsWholePagesThatHaveLeftTheWindow) {
  Engine engine;
  engine.config.swa = true;
  engine.start();
  engine.step(StepKind::admit, 8);
  EXPECT_EQ(engine.request(0).evicted_pages, 1);
  for (int i = 0; i < 3; ++i) engine.step(StepKind::decode);
  EXPECT_EQ(engine.request(0).length, 11);  // the window starts at 7, still in column 1
  EXPECT_EQ(engine.step(StepKind::evict), Outcome::no_op);
  EXPECT_GT(engine.request(0).swa_pages[1], 0);
  engine.step(StepKind::decode);
  EXPECT_EQ(engine.step(StepKind::evict), Outcome::changed);
  EXPECT_EQ(engine.request(0).swa_pages[1], 0);
  EXPECT_GT(engine.request(0).swa_pages[2], 0);
  EXPECT_EQ(engine.request(0).evicted_pages, 2);
  EXPECT_EQ(engine.step(StepKind::evict), Outcome::no_op);
}

TEST(World, EvictsNoPageThatAVerifyMayGoBackTo) {
  Engine engine;
  engine.config.swa = true;
  engine.start();
  engine.step(StepKind::admit, 11);
  engine.world.apply({.kind = StepKind::verify, .who = 1, .rows = 0, .amount = 3});
  EXPECT_EQ(engine.request(0).length, 14);
  EXPECT_EQ(engine.step(StepKind::evict), Outcome::no_op);  // the window of 11 starts in column 1
  EXPECT_EQ(engine.step(StepKind::draft_extend), Outcome::batch);
  EXPECT_EQ(engine.step(StepKind::evict), Outcome::changed);
  EXPECT_EQ(engine.request(0).evicted_pages, 2);
}

TEST(World, HasNothingToEvictWithoutSwa) {
  Engine engine;
  engine.start();
  engine.step(StepKind::admit, 16);
  EXPECT_EQ(engine.step(StepKind::evict), Outcome::no_op);
}

TEST(World, TakesEverythingBackFromAFinishedRequest) {
  Engine engine;
  engine.config.swa = true;
  engine.start();
  engine.step(StepKind::admit, 9);
  engine.step(StepKind::admit, 3);
  const std::vector<std::int32_t> pages = engine.request(0).pages;
  EXPECT_EQ(engine.finish(2), Outcome::changed);  // 2 modulo 2 alive
  ASSERT_EQ(engine.world.requests().size(), 1u);
  EXPECT_EQ(engine.request(0).serial, 1);
  EXPECT_EQ(engine.world.live_pages(), 1);
  engine.step(StepKind::admit, 9);
  EXPECT_EQ(engine.request(1).serial, 2);
  EXPECT_EQ(engine.request(1).row, 2);
  // The pool gives what came back last first: the same pages, the other way round.
  EXPECT_EQ(std::vector<std::int32_t>(engine.request(1).pages.rbegin(), engine.request(1).pages.rend()), pages);
}

TEST(World, PuncturesThePageModuloThePagesWritten) {
  Engine engine;
  engine.start();
  engine.step(StepKind::admit, 5);
  EXPECT_EQ(engine.puncture(0, 7), Outcome::changed);
  EXPECT_EQ(engine.request(0).punctured, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(engine.inputs.slot(2, 4), -1);
  EXPECT_NE(engine.inputs.slot(2, 0), -1);
  engine.puncture(0, 1);
  EXPECT_EQ(engine.request(0).punctured.size(), 1u);
}

TEST(World, PuncturesNothingWhereNothingIsWritten) {
  Engine engine;
  engine.start();
  engine.step(StepKind::admit, 0);
  EXPECT_EQ(engine.puncture(0, 0), Outcome::no_op);
}

TEST(World, LetsTwoRequestsShareNoPageButThePrefixCaches) {
  Inputs inputs;
  World world;
  for (std::uint64_t i = 0; i < 300; ++i) {
    Space space;
    space.far = false;
    const Scenario scenario = draw(sub_seed(31, i), space);
    world.start(scenario.config, inputs);
    for (const Step& step : scenario.steps) {
      world.apply(step);
      std::set<std::int32_t> full, swa;
      std::int64_t pages = world.cache().nodes().full().owned;
      for (const Request& request : world.requests()) {
        const auto shared = static_cast<std::size_t>(request.shared_columns);
        for (std::size_t c = shared; c < request.pages.size(); ++c) ASSERT_TRUE(full.insert(request.pages[c]).second);
        for (std::size_t c = shared; c < request.swa_pages.size(); ++c)
          ASSERT_TRUE(request.swa_pages[c] == 0 || swa.insert(request.swa_pages[c]).second);
        for (const std::int32_t page : full) ASSERT_FALSE(world.cache().owns(page));
        pages += static_cast<std::int64_t>(request.pages.size() - shared);
        ASSERT_LE(request.allocated, scenario.config.columns());
        ASSERT_LE(request.length, request.allocated);
      }
      ASSERT_EQ(world.live_pages(), pages);
    }
  }
}

}  // namespace
}  // namespace pagestorm::sim
