#include "sim/zone.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/rng.hpp"
#include "sim/swarm.hpp"
#include "sim/world.hpp"

namespace pagestorm::sim {

static bool operator==(const Range& a, const Range& b) { return a.first == b.first && a.last == b.last; }

namespace {

std::vector<Range> list(std::span<const Range> ranges) { return {ranges.begin(), ranges.end()}; }

// The zone of the last batch of a scenario.
struct Scene {
  Inputs inputs;
  World world;
  ImageLayout layout;
  Reference expected;
  Zone zone;

  void start(const Config& config) {
    layout.lay_out(config);
    world.start(config, inputs);
  }
  bool step(const Step& step) {
    if (world.apply(step) != Outcome::batch) return false;
    const Batch& batch = inputs.stage(world.forward());
    const std::int64_t room =
        world.config().swa ? std::max<std::int64_t>(0, batch.out_cache_loc.size + world.config().layout.write_room) : 0;
    expected.compute(batch, world.config().width(), room);
    zone.compute(layout, {batch.rows, room}, expected);
    return true;
  }
};

// A table of 2 by 3: one request of 5 tokens in pages of 4, so 2 live columns.
Config small(bool sweep) {
  Config config = {.page_size = 4, .context = 12, .requests = 2, .pages = 8};
  config.layout.sweep = sweep;
  return config;
}

// One live cell in a row far wider than the margin of a zone.
Config wide(bool sweep) {
  Config config = small(sweep);
  config.context = 4000;
  config.pages = 2000;
  return config;
}

void decode_of_five(Scene& scene, const Config& config) {
  scene.start(config);
  scene.step({.kind = StepKind::admit, .amount = 4});
  ASSERT_TRUE(scene.step({.kind = StepKind::decode}));
}

TEST(Zone, OfASmallDecodeIsTheLiteralOne) {
  Scene scene;
  decode_of_five(scene, small(true));
  const std::int64_t table = scene.layout.section(Part::page_table).first;
  EXPECT_EQ(list(scene.zone.live()),
            (std::vector<Range>{{64, 65}, {130, 131}, {196, 198}, {264, 266}, {table, table + 2}}));
  EXPECT_EQ(list(scene.zone.judged()), (std::vector<Range>{{0, 330}, {table - 64, table + 6 + 64}}));
  EXPECT_EQ(scene.zone.size(), 330 + 6 + 128);
}

TEST(Zone, InBytesIsTheZoneInWords) {
  Scene scene;
  decode_of_five(scene, small(true));
  const auto judged = scene.zone.judged();
  ASSERT_EQ(scene.zone.windows().size(), judged.size());
  for (std::size_t i = 0; i < judged.size(); ++i) {
    EXPECT_EQ(scene.zone.windows()[i].first, judged[i].first * 4);
    EXPECT_EQ(scene.zone.windows()[i].bytes, (judged[i].last - judged[i].first) * 4);
  }
}

TEST(Zone, OfABuildHasNothingLiveButTablesAndStatus) {
  Scene scene;
  decode_of_five(scene, small(true));
  const std::vector<std::int32_t> keys = {5};
  Reference tables;
  tables.compute(scene.inputs.build_batch(keys), 3, 0);
  Zone zone;
  zone.compute(scene.layout, {1, 0}, tables);
  const std::int64_t table = scene.layout.section(Part::page_table).first;
  EXPECT_EQ(list(zone.live()), (std::vector<Range>{{64, 65}, {table, table + 2}}));
  EXPECT_EQ(list(zone.judged()), list(scene.zone.judged()));
}

TEST(Zone, WithStridesHasEachLiveCellByItself) {
  Scene scene;
  Config config = small(true);
  config.layout.table_stride = 3;
  config.layout.output_stride = 2;
  decode_of_five(scene, config);
  const std::int64_t table = scene.layout.section(Part::page_table).first;
  const std::int64_t sums = scene.layout.section(Part::cu_seqlens_k).first;
  const auto live = list(scene.zone.live());
  EXPECT_NE(std::find(live.begin(), live.end(), Range{table + 3, table + 4}), live.end());
  EXPECT_NE(std::find(live.begin(), live.end(), Range{sums + 2, sums + 3}), live.end());
}

TEST(Zone, SweepCoversTheWholeTableAndItsFences) {
  Scene scene;
  decode_of_five(scene, wide(true));
  const Section& table = scene.layout.section(Part::page_table);
  const Range last = scene.zone.judged().back();
  EXPECT_LE(last.first, table.first - ImageLayout::fence);
  EXPECT_GE(last.last, table.last() + ImageLayout::fence);
}

TEST(Zone, WithoutSweepCoversAMarginOfEachRow) {
  Scene scene;
  decode_of_five(scene, wide(false));
  const Section& table = scene.layout.section(Part::page_table);
  const auto judged = list(scene.zone.judged());
  ASSERT_GE(judged.size(), 2u);
  EXPECT_EQ(judged[judged.size() - 2], (Range{table.first - 32, table.first + 2 + 32}));
  const std::int64_t next = table.at(1, 0);
  EXPECT_EQ(judged.back(), (Range{next - 32, next + 32}));
}

TEST(Zone, EndsWithTheImage) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Scenario scenario = draw(sub_seed(51, i), {});
    Scene scene;
    scene.start(scenario.config);
    for (const Step& step : scenario.steps) {
      if (!scene.step(step)) continue;
      ASSERT_GE(scene.zone.judged().front().first, 0);
      ASSERT_LE(scene.zone.judged().back().last, scene.layout.words());
    }
  }
}

// Live cells, counted from the reference.
std::int64_t live_words(const Scene& scene) {
  const std::int64_t rows = scene.expected.rows();
  std::int64_t cells = 0;
  for (std::int64_t r = 0; r < rows; ++r) cells += scene.expected.live(r);
  const bool swa = scene.layout.swa();
  const std::int64_t room =
      swa ? std::max<std::int64_t>(0, scene.inputs.batch().out_cache_loc.size + scene.world.config().layout.write_room)
          : 0;
  return 1 + rows + 2 * (rows + 1) + cells * (swa ? 2 : 1) + 2 * room;
}

void expect_ascending(std::span<const Range> ranges) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    ASSERT_LE(ranges[i].first, ranges[i].last);
    if (i > 0) {
      ASSERT_LE(ranges[i - 1].last, ranges[i].first);
    }
  }
}

std::int64_t words_in(std::span<const Range> ranges) {
  std::int64_t words = 0;
  for (const Range& range : ranges) words += range.last - range.first;
  return words;
}

// Whether every word of `inner` lies in one range of `outer`; both ascending.
bool covers(std::span<const Range> outer, std::span<const Range> inner) {
  auto at = outer.begin();
  for (const Range& range : inner) {
    if (range.first == range.last) continue;
    while (at != outer.end() && at->last < range.last) ++at;
    if (at == outer.end() || range.first < at->first) return false;
  }
  return true;
}

TEST(Zone, LiveAndUntouchableWordsPartitionTheJudgedOnes) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Scenario scenario = draw(sub_seed(52, i), {});
    Scene scene;
    scene.start(scenario.config);
    for (const Step& step : scenario.steps) {
      if (!scene.step(step)) continue;
      const Zone& zone = scene.zone;
      expect_ascending(zone.judged());
      expect_ascending(zone.live());
      expect_ascending(zone.untouchable());
      ASSERT_TRUE(covers(zone.judged(), zone.live())) << "scenario " << i;
      ASSERT_TRUE(covers(zone.judged(), zone.untouchable())) << "scenario " << i;
      // Disjoint: merged in order, no two overlap.
      std::vector<Range> both = list(zone.live());
      both.insert(both.end(), zone.untouchable().begin(), zone.untouchable().end());
      std::erase_if(both, [](const Range& r) { return r.first == r.last; });
      std::sort(both.begin(), both.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
      expect_ascending(both);
      ASSERT_EQ(words_in(both), zone.size()) << "scenario " << i;
      ASSERT_EQ(words_in(zone.live()), live_words(scene)) << "scenario " << i;
    }
  }
}

}  // namespace
}  // namespace pagestorm::sim
