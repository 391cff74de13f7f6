#include "sim/overlap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace pagestorm::sim {
namespace {

using time::Access;
using time::Kind;
using time::Operation;
using time::Span;

class OverlapTest : public testing::Test {
 protected:
  void start(Config config) {
    config.timing.overlap = true;
    world.start(config, inputs);
  }
  void apply(const Step& step) {
    const time::Queue& queue = world.overlap() == nullptr ? none : world.overlap()->plan().queue();
    before = queue.end();
    world.apply(step);
  }

  /// What the operations of that name touched in the last step, of one kind.
  std::vector<Access> touched(std::string_view name, Kind kind) const {
    const time::Queue& queue = world.overlap()->plan().queue();
    std::vector<Access> found;
    for (std::int64_t i = before; i < queue.end(); ++i)
      if (queue.operation(i).name == name)
        for (const Access& access : queue.accesses(queue.operation(i)))
          if (access.resource.kind == kind) found.push_back(access);
    return found;
  }
  std::vector<std::int32_t> ids(std::string_view name, Kind kind, bool writes) const {
    std::vector<std::int32_t> found;
    for (const Access& access : touched(name, kind))
      if (access.writes == writes) found.push_back(access.resource.id);
    return found;
  }
  const Request& request(std::size_t at = 0) const { return world.requests()[at]; }

  time::Queue none;
  Inputs inputs;
  World world;
  std::int64_t before = 0;
};

TEST_F(OverlapTest, IsThereOnlyWhereTheEngineOverlaps) {
  world.start({}, inputs);
  EXPECT_EQ(world.overlap(), nullptr);
  start({});
  ASSERT_NE(world.overlap(), nullptr);
  world.start({}, inputs);
  EXPECT_EQ(world.overlap(), nullptr);
}

// Five tokens are three pages of two; a verify of three sees eight positions.
TEST_F(OverlapTest, AVerifyReadsItsRowItsPagesAndTheirMap) {
  start({.page_size = 2, .context = 32, .swa = true, .window = 4, .draft_tokens = 3});
  apply({.kind = StepKind::admit, .amount = 5});
  const auto row = static_cast<std::int32_t>(request().row);
  const auto loaded = touched("load", Kind::row);
  ASSERT_EQ(loaded.size(), 1u);
  EXPECT_EQ(loaded[0].resource.id, row);
  EXPECT_EQ(loaded[0].span, (Span{0, 5}));
  EXPECT_EQ(ids("load", Kind::kv, true), request().pages);
  EXPECT_EQ(ids("seed lengths", Kind::relay, true), std::vector<std::int32_t>{row});

  apply({.kind = StepKind::verify, .amount = 2});
  const auto& pages = request().pages;
  const std::vector<std::int32_t> seen(pages.begin(), pages.begin() + 4);
  const auto read = touched("build tables", Kind::row);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].span, (Span{0, 8}));
  EXPECT_EQ(read[0].owner, 0);
  EXPECT_EQ(ids("build tables", Kind::map, false), seen);
  EXPECT_EQ(ids("layers", Kind::kv, false), seen);
  EXPECT_EQ(ids("layers", Kind::kv, true), std::vector<std::int32_t>(seen.begin() + 2, seen.end()));
  EXPECT_EQ(ids("gather lengths", Kind::relay, false), std::vector<std::int32_t>{row});
  EXPECT_EQ(ids("sample", Kind::relay, true), std::vector<std::int32_t>{row});
  // Positions 5 to 7 are written; the query at 5 looks back to position 1, in column 0.
  const auto& swa = request().swa_pages;
  std::vector<std::int32_t> windowed;
  std::copy_if(swa.begin(), swa.begin() + 4, std::back_inserter(windowed), [](std::int32_t page) { return page != 0; });
  EXPECT_EQ(ids("layers", Kind::swa_kv, false), windowed);
}

TEST_F(OverlapTest, ADecodeAdvancesByOneAndPublishesNothing) {
  start({.page_size = 4, .context = 32});
  apply({.kind = StepKind::admit, .amount = 4});
  apply({.kind = StepKind::decode});
  EXPECT_EQ(touched("build tables", Kind::row)[0].span, (Span{0, 5}));
  EXPECT_TRUE(ids("build tables", Kind::map, false).empty());
  EXPECT_TRUE(ids("gather lengths", Kind::relay, false).empty());
  EXPECT_TRUE(ids("sample", Kind::relay, true).empty());
}

TEST_F(OverlapTest, AFinishTakesItsPagesOutOfTheMap) {
  start({.page_size = 2, .context = 16, .swa = true, .window = 16});
  apply({.kind = StepKind::admit, .amount = 4});
  auto pages = request().pages;
  apply({.kind = StepKind::decode});
  pages = request().pages;
  apply({.kind = StepKind::finish});
  EXPECT_EQ(ids("finish", Kind::map, true), pages);
  EXPECT_TRUE(world.overlap()->plan().hazards().empty());
}

TEST_F(OverlapTest, ARowThatIsGivenOutAgainHasAnotherOwner) {
  start({.requests = 1});
  apply({.kind = StepKind::admit, .amount = 3});
  const std::int64_t row = request().row;
  apply({.kind = StepKind::decode});
  apply({.kind = StepKind::finish});
  apply({.kind = StepKind::admit, .amount = 2});
  ASSERT_EQ(request().row, row);
  for (const Access& access : touched("admit", Kind::row)) EXPECT_EQ(access.owner, 1);
  EXPECT_EQ(ids("seed lengths", Kind::relay, true), std::vector<std::int32_t>{static_cast<std::int32_t>(row)});
}

TEST_F(OverlapTest, APaddedRowReadsNothingThatAnybodyWrites) {
  start({.requests = 4, .buckets = {4}});
  apply({.kind = StepKind::admit, .amount = 3});
  apply({.kind = StepKind::decode});
  EXPECT_EQ(touched("build tables", Kind::row).size(), 1u);
  apply({.kind = StepKind::idle, .amount = 2});
  EXPECT_TRUE(touched("build tables", Kind::row).empty());
  EXPECT_EQ(world.overlap()->plan().forwards(), 2);
}

}  // namespace
}  // namespace pagestorm::sim
