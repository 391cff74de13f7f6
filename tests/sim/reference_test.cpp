// The reference against literals worked out by hand from docs/contract.md; nothing here comes from src/core.

#include "sim/reference.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace pagestorm::sim {
namespace {

constexpr std::int32_t int32_limit = 2'147'483'647;

// Inputs of one call as vectors, and the reference's answers as literals.
struct Desk {
  Batch batch = {.page_size = 4};
  std::int64_t width = 3;
  std::int64_t room = 0;
  std::vector<std::int32_t> slots = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,   // row 0
                                     20, 21, 22, 23, 8,  9,  10, 11, 28, 29, -9, -9,  // row 1
                                     12, 13, 14, 15, -9, -9, -9, -9, -9, -9, -9, -9,
                                     36, 37, 38, 39, 4,  5,  6,  7,  24, 25, 26, 27};
  std::vector<std::int64_t> indices = {1, 3, 2, 0};
  std::vector<std::int64_t> lengths = {10, 12, 4, 1};
  std::vector<std::int64_t> extends = {2, 12, 1, 0};
  std::vector<std::int64_t> writes;
  std::vector<std::int64_t> map;  ///< empty = none
  Reference reference;

  Desk() {
    map.assign(40, 0);
    const std::int64_t pairs[][2] = {{2, 3}, {7, 1}, {3, 2}, {9, 4}, {1, 5}};
    for (const auto& [page, swa_page] : pairs)
      for (std::int64_t j = 0; j < 4; ++j) map[static_cast<std::size_t>(page * 4 + j)] = swa_page * 4 + j;
  }

  static IntVector view(const std::vector<std::int64_t>& values) {
    return {values.data(), static_cast<std::int64_t>(values.size()), 1, IntType::int64};
  }

  Reference& compute() {
    batch.rows = static_cast<std::int64_t>(lengths.size());
    batch.req_to_token = {slots.data(), 4, 12, 12, 1};
    batch.req_pool_indices = view(indices);
    batch.seq_lens = view(lengths);
    batch.extend_seq_lens = view(extends);
    batch.out_cache_loc = view(writes);
    batch.full_to_swa = map.empty() ? IntVector{} : view(map);
    reference.compute(batch, width, room);
    return reference;
  }

  std::vector<std::int32_t> keys() {
    return per_row([this](std::int64_t r) { return reference.keys(r); });
  }
  std::vector<std::int32_t> sum_q() {
    return sums([this](std::int64_t i) { return reference.sum_q(i); });
  }
  std::vector<std::int32_t> sum_k() {
    return sums([this](std::int64_t i) { return reference.sum_k(i); });
  }
  std::vector<std::vector<std::int32_t>> pages() { return table(&PagePair::full); }
  std::vector<std::vector<std::int32_t>> swa_pages() { return table(&PagePair::swa); }

 private:
  template <class F>
  std::vector<std::int32_t> per_row(F&& of) {
    std::vector<std::int32_t> all;
    for (std::int64_t r = 0; r < reference.rows(); ++r) all.push_back(of(r));
    return all;
  }
  template <class F>
  std::vector<std::int32_t> sums(F&& of) {
    std::vector<std::int32_t> all;
    for (std::int64_t i = 0; i <= reference.rows(); ++i) all.push_back(of(i));
    return all;
  }
  std::vector<std::vector<std::int32_t>> table(std::int32_t PagePair::*which) {
    std::vector<std::vector<std::int32_t>> all;
    for (std::int64_t r = 0; r < reference.rows(); ++r) {
      all.emplace_back();
      for (std::int64_t c = 0; c < reference.live(r); ++c) all.back().push_back(reference.page(r, c).*which);
    }
    return all;
  }
};

using Rows = std::vector<std::vector<std::int32_t>>;
using Row = std::vector<std::int32_t>;

std::uint32_t bits(Status status) { return static_cast<std::uint32_t>(status); }

TEST(Reference, GivesVectorV3) {
  Desk desk;
  desk.compute();
  EXPECT_EQ(desk.pages(), (Rows{{5, 2, 7}, {9, 1, 6}, {3}, {0}}));
  EXPECT_EQ(desk.swa_pages(), (Rows{{0, 3, 1}, {4, 5, 0}, {2}, {0}}));
  EXPECT_EQ(desk.keys(), (Row{10, 12, 4, 1}));
  EXPECT_EQ(desk.sum_q(), (Row{0, 1, 2, 3, 4}));
  EXPECT_EQ(desk.sum_k(), (Row{0, 10, 22, 26, 27}));
  EXPECT_EQ(desk.reference.status(), 0u);
}

TEST(Reference, CutsVectorV11AtTheWidth) {
  Desk desk;
  desk.batch.page_size = 2;
  desk.indices = {3, 1};
  desk.lengths = {7, 3};
  desk.map.clear();
  desk.compute();
  EXPECT_EQ(desk.pages(), (Rows{{18, 19, 2}, {10, 11}}));
  EXPECT_EQ(desk.reference.status(), bits(Status::row_clamped));
}

TEST(Reference, LengthsGoByMode) {
  Desk desk;
  desk.batch.draft_step = 2;
  desk.batch.tokens_per_row = 5;
  desk.lengths = {3, 0};
  desk.extends = {1, 0};
  struct Row3 {
    Mode mode;
    bool prefix;
    Row keys, sum_q, sum_k;
  };
  const Row3 table[] = {
      {Mode::idle, true, {3, 0}, {0, 1, 2}, {0, 3, 3}},
      {Mode::decode, true, {3, 0}, {0, 1, 2}, {0, 3, 3}},
      {Mode::draft_decode, true, {6, 3}, {0, 1, 2}, {0, 6, 9}},
      {Mode::target_verify, true, {8, 5}, {0, 5, 10}, {0, 8, 13}},
      {Mode::draft_extend, true, {3, 0}, {0, 5, 10}, {0, 3, 3}},
      {Mode::extend, true, {3, 0}, {0, 1, 1}, {0, 3, 3}},
      {Mode::extend, false, {3, 0}, {0, 3, 3}, {0, 3, 3}},
  };
  for (const Row3& want : table) {
    desk.batch.mode = want.mode;
    desk.batch.has_cached_prefix = want.prefix;
    desk.compute();
    EXPECT_EQ(desk.keys(), want.keys);
    EXPECT_EQ(desk.sum_q(), want.sum_q);
    EXPECT_EQ(desk.sum_k(), want.sum_k);
  }
}

// Three rows of a ragged verify; the row that fills the bucket up to 32 tokens takes the 20 that they leave.
TEST(Reference, GivesVectorV10) {
  Desk desk;
  desk.batch.mode = Mode::ragged_verify;
  desk.batch.tokens_per_row = 8;  // which a ragged verify does not look at
  desk.lengths = {10, 20, 30, 1};
  desk.extends = {8, 1, 3, 20};
  desk.compute();
  EXPECT_EQ(desk.keys(), (Row{18, 21, 33, 21}));
  EXPECT_EQ(desk.sum_q(), (Row{0, 8, 9, 12, 32}));
  EXPECT_EQ(desk.sum_k(), (Row{0, 18, 39, 72, 93}));
}

TEST(Reference, BuildTakesLengthsAsFinalAndHasNoSums) {
  Desk desk;
  desk.batch.entry = Entry::build;
  desk.batch.mode = Mode::target_verify;
  desk.batch.tokens_per_row = 5;
  desk.compute();
  EXPECT_EQ(desk.keys(), (Row{10, 12, 4, 1}));
  EXPECT_FALSE(desk.reference.sums());
  EXPECT_EQ(desk.pages()[0], (Row{5, 2, 7}));
}

TEST(Reference, TakesNegativeLengthsAsZero) {
  Desk desk;
  desk.batch.mode = Mode::target_verify;
  desk.batch.tokens_per_row = 2;
  desk.lengths = {-3, 1, -(std::int64_t{1} << 40), 0};
  desk.compute();
  EXPECT_EQ(desk.keys(), (Row{0, 3, 0, 2}));
  EXPECT_EQ(desk.reference.live(0), 0);
  EXPECT_EQ(desk.reference.status(), bits(Status::negative_length));
}

TEST(Reference, SaturatesLengthsAndSums) {
  Desk desk;
  desk.lengths = {int32_limit, 1, 0, 0};
  desk.compute();
  EXPECT_EQ(desk.sum_k(), (Row{0, int32_limit, int32_limit, int32_limit, int32_limit}));
  EXPECT_EQ(desk.reference.status(), bits(Status::sum_saturated | Status::row_clamped));
  desk.lengths = {(std::int64_t{1} << 32) + 5, 0, 0, 0};
  desk.compute();
  EXPECT_EQ(desk.keys()[0], int32_limit);
  EXPECT_EQ(desk.reference.status(), bits(Status::length_saturated | Status::row_clamped));
}

TEST(Reference, SaturatesLengthsNearTheEndOf64Bits) {
  Desk desk;
  desk.batch.mode = Mode::target_verify;
  desk.lengths = {INT64_MAX, 0, 0, 0};
  desk.compute();
  EXPECT_EQ(desk.keys()[0], int32_limit);
  EXPECT_EQ(desk.reference.live(0), 3);
  desk.batch.mode = Mode::draft_decode;
  desk.batch.draft_step = int32_limit;
  desk.compute();
  EXPECT_EQ(desk.keys(), (Row{int32_limit, int32_limit, int32_limit, int32_limit}));
}

TEST(Reference, GivesAbsentPagesWhereThereIsNoSlot) {
  Desk desk;
  desk.slots[12 + 4] = -1;
  desk.indices[1] = 4;
  desk.indices[2] = -1;
  desk.compute();
  EXPECT_EQ(desk.pages(), (Rows{{5, -1, 7}, {-1, -1, -1}, {-1}, {0}}));
  EXPECT_EQ(desk.swa_pages(), (Rows{{0, -1, 1}, {-1, -1, -1}, {-1}, {0}}));
  EXPECT_EQ(desk.reference.status(), bits(Status::absent_slot | Status::row_outside_pool));
}

TEST(Reference, GivesAbsentPagesBeyondTheColumns) {
  Desk desk;
  desk.width = 4;
  desk.lengths[1] = 13;
  desk.compute();
  EXPECT_EQ(desk.pages()[1], (Row{9, 1, 6, -1}));
  EXPECT_EQ(desk.reference.status(), bits(Status::position_outside_row));
}

TEST(Reference, GivesAnAbsentSwaPageBeyondTheMapOnly) {
  Desk desk;
  desk.map.resize(36);
  desk.compute();
  EXPECT_EQ(desk.pages()[1], (Row{9, 1, 6}));
  EXPECT_EQ(desk.swa_pages()[1], (Row{-1, 5, 0}));
  EXPECT_EQ(desk.reference.status(), bits(Status::slot_outside_map));
}

TEST(Reference, TranslatesWriteSlotsAndZeroesTheTail) {
  Desk desk;
  desk.writes = {29, -1, 24, 40};
  desk.room = 6;
  desk.compute();
  std::vector<std::int64_t> got;
  for (std::int64_t i = 0; i < 6; ++i) got.push_back(desk.reference.write_slot(i));
  EXPECT_EQ(got, (std::vector<std::int64_t>{5, -1, 0, -1, 0, 0}));
  EXPECT_EQ(desk.reference.status(), bits(Status::slot_outside_map));
}

TEST(Reference, SaysWhenThereIsNoRoomForWriteSlots) {
  Desk desk;
  desk.writes = {29, 28};
  desk.room = 1;
  EXPECT_EQ(desk.compute().status(), bits(Status::write_slots_clamped));
  desk.room = 2;
  EXPECT_EQ(desk.compute().status(), 0u);
}

TEST(Reference, OfAnEmptyBatchHasTheTwoZeros) {
  Desk desk;
  desk.lengths = desk.indices = desk.extends = {};
  desk.compute();
  EXPECT_EQ(desk.sum_q(), (Row{0}));
  EXPECT_EQ(desk.sum_k(), (Row{0}));
  EXPECT_EQ(desk.reference.rows(), 0);
}

TEST(Reference, OfATableWithoutColumnsHasNoCells) {
  Desk desk;
  desk.width = 0;
  desk.compute();
  EXPECT_EQ(desk.pages(), (Rows{{}, {}, {}, {}}));
  EXPECT_EQ(desk.keys(), (Row{10, 12, 4, 1}));
  EXPECT_EQ(desk.reference.status(), bits(Status::row_clamped));
}

// Longer than what the reference computes at once; something odd stands in the midst of plain cells.
TEST(Reference, OfALongRowHasOneOddCell) {
  constexpr std::int32_t columns = 1300;
  enum class Oddity { none, absent, unmapped, outside, large };
  for (const std::int32_t page_size : {1, 2, 3})
    for (const Oddity odd : {Oddity::none, Oddity::absent, Oddity::unmapped, Oddity::outside, Oddity::large}) {
      std::vector<std::int32_t> slots(columns * static_cast<std::size_t>(page_size), -9);
      for (std::int32_t c = 0; c < columns; ++c)
        slots[static_cast<std::size_t>(c * page_size)] = (columns - 1 - c) * page_size;
      std::vector<std::int64_t> map;
      for (std::int64_t slot = 0; slot < columns * page_size; ++slot) map.push_back(slot + 2 * page_size);
      std::int32_t& slot = slots[static_cast<std::size_t>(700 * page_size)];
      std::int64_t& mapping = map[static_cast<std::size_t>(slot)];
      PagePair want = {columns - 701, columns - 699};
      Status status = Status::none;
      switch (odd) {
        case Oddity::none: break;
        case Oddity::absent: slot = -2, want = {-1, -1}, status = Status::absent_slot; break;
        case Oddity::unmapped: mapping = -2, want.swa = -1; break;
        case Oddity::outside:
          slot = int32_limit, want = {int32_limit / page_size, -1}, status = Status::slot_outside_map;
          break;
        case Oddity::large: mapping = std::int64_t{int32_limit} * page_size, want.swa = int32_limit; break;
      }
      const std::vector<std::int64_t> indices = {0};
      const std::vector<std::int64_t> lengths = {columns * page_size};
      Reference reference;
      reference.compute({.page_size = page_size,
                         .rows = 1,
                         .req_to_token = {slots.data(), 1, columns * page_size, columns * page_size, 1},
                         .req_pool_indices = Desk::view(indices),
                         .seq_lens = Desk::view(lengths),
                         .full_to_swa = Desk::view(map)},
                        columns, 0);
      for (std::int32_t c = 0; c < columns; ++c) {
        const PagePair got = reference.page(0, c);
        const PagePair plain = {columns - 1 - c, columns + 1 - c};
        EXPECT_EQ(got.full, c == 700 ? want.full : plain.full) << c;
        EXPECT_EQ(got.swa, c == 700 ? want.swa : plain.swa) << c;
      }
      EXPECT_EQ(reference.status(), static_cast<std::uint32_t>(status));
    }
}

}  // namespace
}  // namespace pagestorm::sim
