// What the device is told: the arrays of a batch, and memory that no earlier scenario shows through.

#include "sim/inputs.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "sim/rng.hpp"
#include "sim/swarm.hpp"
#include "sim/world.hpp"

namespace pagestorm::sim {
namespace {

std::int64_t element(const IntVector& vector, std::int64_t i) {
  return vector.type == IntType::int64 ? static_cast<const std::int64_t*>(vector.data)[i * vector.stride]
                                       : static_cast<const std::int32_t*>(vector.data)[i * vector.stride];
}

std::vector<std::int64_t> elements(const IntVector& vector, std::int64_t more = 0) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < vector.size + more; ++i) all.push_back(element(vector, i));
  return all;
}

std::vector<std::byte> bytes_of(const Inputs& inputs) {
  const Region region = inputs.region();
  return {region.base, region.base + region.above};
}

void play(const Scenario& scenario, Inputs& inputs, World& world) {
  world.start(scenario.config, inputs);
  for (const Step& step : scenario.steps)
    if (world.apply(step) == Outcome::batch) {
      inputs.stage(world.forward());
      std::vector<std::int32_t> keys;
      for (const ForwardRow& row : world.forward().rows) keys.push_back(static_cast<std::int32_t>(row.length));
      inputs.build_batch(keys);
    }
}

Space near_space() {
  Space space;
  space.far = false;
  space.length_high = 300;
  space.page_size_high = 64;
  return space;
}

TEST(Inputs, OfAScenarioDoNotDependOnTheScenarioBefore) {
  Inputs reused;
  World world;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Scenario before = draw(sub_seed(41, 2 * i), near_space());
    const Scenario scenario = draw(sub_seed(41, 2 * i + 1), near_space());
    play(before, reused, world);
    play(scenario, reused, world);
    Inputs fresh;
    World other;
    play(scenario, fresh, other);
    ASSERT_TRUE(bytes_of(reused) == bytes_of(fresh)) << "pair " << i;
  }
}

TEST(Inputs, OfAScenarioDoNotDependOnAFarOneBefore) {
  Config far = {.requests = 3, .layout = {.far = Far::req_to_token}};
  Config near = {.requests = 3};
  const std::vector<Step> steps = {{.kind = StepKind::admit, .amount = 60}, {.kind = StepKind::decode}};
  Inputs reused, fresh;
  World world;
  play({far, steps}, reused, world);
  play({near, steps}, reused, world);
  play({near, steps}, fresh, world);
  EXPECT_EQ(bytes_of(reused), bytes_of(fresh));
}

struct Desk {
  Inputs inputs;
  Config config = {.page_size = 2, .context = 8, .requests = 2, .pages = 6, .draft_tokens = 1, .draft_steps = 1};
  Forward forward = {
      .mode = Mode::extend,
      .tokens_per_row = 1,
      .real_rows = 2,
      .rows = {{.request = 0, .owner = 2, .pool_row = 2, .length = 3, .new_tokens = 2, .first_write = 1, .writes = 2},
               {.length = 1, .writes = 1}}};

  const Batch& stage() {
    inputs.lay_out(config);
    inputs.write_slots(2, 0, 3, std::array{2, 3});
    return inputs.stage(forward);
  }
};

TEST(Inputs, StageWhatTheForwardPassSays) {
  Desk desk;
  const Batch& batch = desk.stage();
  EXPECT_EQ(batch.mode, Mode::extend);
  EXPECT_EQ(batch.page_size, 2);
  EXPECT_EQ(batch.rows, 2);
  EXPECT_EQ(elements(batch.req_pool_indices), (std::vector<std::int64_t>{2, 0}));
  EXPECT_EQ(elements(batch.seq_lens), (std::vector<std::int64_t>{3, 1}));
  EXPECT_EQ(elements(batch.extend_seq_lens), (std::vector<std::int64_t>{2, 0}));
  EXPECT_EQ(elements(batch.out_cache_loc), (std::vector<std::int64_t>{5, 6, 0}));
  EXPECT_EQ(batch.full_to_swa.data, nullptr);
  EXPECT_EQ(batch.req_to_token.rows, 3);
  EXPECT_EQ(batch.req_to_token.cols, 8 + 2 + 1 + 4);
  EXPECT_EQ(batch.req_to_token.data[2 * batch.req_to_token.row_stride + 1], 5);
}

TEST(Inputs, StageHostileValuesAfterTheLastElement) {
  Desk desk;
  const Batch& batch = desk.stage();
  EXPECT_EQ(elements(batch.seq_lens, 1).back(), Inputs::hostile);
  EXPECT_EQ(elements(batch.req_pool_indices, 1).back(), Inputs::hostile);
  EXPECT_EQ(elements(batch.out_cache_loc, 1).back(), Inputs::hostile);
}

TEST(Inputs, StageNoExtendLengthsOutsideExtend) {
  Desk desk;
  desk.forward.mode = Mode::decode;
  EXPECT_EQ(elements(desk.stage().extend_seq_lens), (std::vector<std::int64_t>{Inputs::hostile, Inputs::hostile}));
}

TEST(Inputs, StageTheSameInEveryLayout) {
  Desk plain;
  plain.config.swa = true;
  const Batch& want = plain.stage();
  Desk desk;
  desk.config = plain.config;
  desk.config.layout = {IntType::int32, IntType::int32, IntType::int32, IntType::int32, 3, 2, 4, 5};
  const Batch& got = desk.stage();
  EXPECT_EQ(got.seq_lens.type, IntType::int32);
  EXPECT_EQ(got.seq_lens.stride, 3);
  EXPECT_EQ(got.req_to_token.col_stride, 4);
  EXPECT_EQ(got.req_to_token.row_stride, 15 * 4 + 5);
  EXPECT_EQ(elements(got.req_pool_indices), elements(want.req_pool_indices));
  EXPECT_EQ(elements(got.seq_lens), elements(want.seq_lens));
  EXPECT_EQ(elements(got.out_cache_loc), elements(want.out_cache_loc));
  EXPECT_EQ(elements(got.full_to_swa), elements(want.full_to_swa));
}

TEST(Inputs, StageAMinusOneAsTheFirstWriteSlotOfAnOddRow) {
  Desk desk;
  desk.forward.rows[0].odd = Odd::negative_slot;
  EXPECT_EQ(elements(desk.stage().out_cache_loc), (std::vector<std::int64_t>{-1, 6, 0}));
}

TEST(Inputs, MapSlotsOfAPageToTheSameOffsets) {
  Desk desk;
  desk.config.swa = true;
  desk.inputs.lay_out(desk.config);
  desk.inputs.map_pages(std::array{3}, std::array{5});
  const IntVector map = desk.inputs.stage(desk.forward).full_to_swa;
  EXPECT_EQ(elements(map), (std::vector<std::int64_t>{0, 0, 0, 0, 0, 0, 10, 11, 0, 0, 0, 0, 0, 0}));
  desk.inputs.map_pages(std::array{3}, std::array{0});
  EXPECT_EQ(element(map, 6), 0);
  EXPECT_EQ(element(map, 7), 0);
}

TEST(Inputs, OfBuildHaveTheFinalLengthsAndNoWriteSlots) {
  Desk desk;
  desk.stage();
  const std::vector<std::int32_t> keys = {7, 4};
  const Batch build = desk.inputs.build_batch(keys);
  EXPECT_EQ(build.entry, Entry::build);
  EXPECT_EQ(elements(build.seq_lens), (std::vector<std::int64_t>{7, 4}));
  EXPECT_EQ(build.out_cache_loc.size, 0);
  EXPECT_EQ(elements(desk.inputs.batch().seq_lens), (std::vector<std::int64_t>{3, 1}));
}

TEST(Inputs, OfTheFirstRowsHaveTheirWriteSlotsOnly) {
  Desk desk;
  desk.stage();
  const Batch first = desk.inputs.batch_of_first(desk.forward, 1);
  EXPECT_EQ(first.rows, 1);
  EXPECT_EQ(elements(first.seq_lens), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(elements(first.out_cache_loc), (std::vector<std::int64_t>{5, 6}));
}

TEST(Inputs, WithBlankLengthsReadZeroUntilTheNextStage) {
  Desk desk;
  const Batch& batch = desk.stage();
  desk.inputs.blank_lengths();
  EXPECT_EQ(elements(batch.seq_lens), (std::vector<std::int64_t>{0, 0}));
  desk.inputs.stage(desk.forward);
  EXPECT_EQ(elements(batch.seq_lens), (std::vector<std::int64_t>{3, 1}));
}

TEST(Inputs, AreDisturbedOnlyWhereNobodyMayReadAndTwiceIsNever) {
  Desk desk;
  desk.stage();
  const std::vector<std::byte> before = bytes_of(desk.inputs);
  const std::vector<std::int64_t> live = {2, 1};
  desk.inputs.disturb(desk.forward, live);
  EXPECT_EQ(desk.inputs.slot(2, 0), 4);
  EXPECT_NE(desk.inputs.slot(2, 1), 5);
  EXPECT_EQ(desk.inputs.slot(2, 2), 6);
  EXPECT_NE(desk.inputs.slot(2, 4), 0);
  EXPECT_EQ(desk.inputs.slot(0, 0), 0);
  desk.inputs.disturb(desk.forward, live);
  EXPECT_EQ(bytes_of(desk.inputs), before);
}

TEST(Inputs, NameEveryByteThatChanged) {
  Inputs inputs;
  World world;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Scenario scenario = draw(sub_seed(43, i), near_space());
    world.start(scenario.config, inputs);
    // A builder with memory of its own: zeroed when inputs are laid out anew, then told of changes.
    std::vector<std::byte> copy(static_cast<std::size_t>(inputs.region().above));
    const auto carry = [&] {
      for (const Window& window : inputs.changed())
        std::memcpy(copy.data() + window.first, inputs.region().base + window.first,
                    static_cast<std::size_t>(window.bytes));
      inputs.forget_changes();
    };
    for (const Step& step : scenario.steps) {
      if (world.apply(step) != Outcome::batch) continue;
      const Batch& batch = inputs.stage(world.forward());
      carry();
      const auto rest = [&](const IntVector& v) {
        const auto* at = static_cast<const std::byte*>(v.data);
        return std::memcmp(copy.data() + (at - inputs.region().base), at,
                           static_cast<std::size_t>(v.size * v.stride * (v.type == IntType::int64 ? 8 : 4)));
      };
      ASSERT_EQ(rest(batch.seq_lens), 0);
      ASSERT_EQ(rest(batch.req_pool_indices), 0);
      ASSERT_EQ(rest(batch.out_cache_loc), 0);
      if (scenario.config.swa) {
        ASSERT_EQ(rest(batch.full_to_swa), 0);
      }
    }
    carry();
    ASSERT_TRUE(copy == bytes_of(inputs)) << "scenario " << i;
  }
}

// Memory that was never zeroed: whoever takes positions one by one meets what lies between the slots of pages, too.
TEST(Inputs, NameWhatIsLeftOutBetweenPositionsThatAreWritten) {
  Desk desk;
  desk.inputs.lay_out(desk.config);
  desk.inputs.forget_changes();
  desk.inputs.write_value(1, 2, 7, 1);
  desk.inputs.write_value(1, 5, 7, 1);
  std::vector<std::byte> copy(static_cast<std::size_t>(desk.inputs.region().above), std::byte{0xee});
  for (const Window& window : desk.inputs.changed())
    std::memcpy(copy.data() + window.first, desk.inputs.region().base + window.first,
                static_cast<std::size_t>(window.bytes));
  const Matrix<const std::int32_t> slots = desk.inputs.stage(desk.forward).req_to_token;
  for (std::int64_t p = 0; p < 6; ++p) {
    const std::int32_t* at = slots.data + slots.row_stride + p * slots.col_stride;
    EXPECT_EQ(std::memcmp(copy.data() + (reinterpret_cast<const std::byte*>(at) - desk.inputs.region().base), at, 4), 0)
        << "position " << p;
  }
}

TEST(Inputs, NameNoChangesWhenNobodyWantsThem) {
  Desk desk;
  desk.inputs.track_changes(false);
  desk.stage();
  EXPECT_TRUE(desk.inputs.changed().empty());
}

TEST(Inputs, HaveSlotsFromTheMiddleOfAPageOn) {
  Desk desk;
  desk.inputs.lay_out(desk.config);
  const std::array<std::int32_t, 3> pages = {5, 1, 3};
  desk.inputs.write_slots(1, 1, 5, pages);
  std::vector<std::int32_t> got;
  for (std::int64_t p = 0; p < 6; ++p) got.push_back(desk.inputs.slot(1, p));
  EXPECT_EQ(got, (std::vector<std::int32_t>{0, 11, 2, 3, 6, 0}));
}

TEST(Inputs, HaveANewGenerationWhenLaidOutAnew) {
  Desk desk;
  desk.inputs.lay_out(desk.config);
  const std::uint64_t before = desk.inputs.generation();
  desk.inputs.stage(desk.forward);
  EXPECT_EQ(desk.inputs.generation(), before);
  desk.inputs.lay_out(desk.config);
  EXPECT_NE(desk.inputs.generation(), before);
}

}  // namespace
}  // namespace pagestorm::sim
