// Cells of both tables and write slots, worked out by hand.

#include <gtest/gtest.h>

#include "case.hpp"

namespace pagestorm {
namespace {

// The map of a page-to-page table, `page_size` slots a page.
std::vector<std::int64_t> map_of_pages(std::int64_t page_size, const std::vector<std::int64_t>& swa_pages) {
  std::vector<std::int64_t> map;
  for (const std::int64_t page : swa_pages)
    for (std::int64_t j = 0; j < page_size; ++j) map.push_back(page == 0 ? 0 : page * page_size + j);
  return map;
}

// Vector V3: three requests in pages of four, and a padded row.
Case v3() {
  Case one;
  one.page_size = 4;
  one.width = 3;
  one.slots = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
               {20, 21, 22, 23, 8, 9, 10, 11, 28, 29},
               {12, 13, 14, 15},
               {36, 37, 38, 39, 4, 5, 6, 7, 24, 25, 26, 27}};
  one.indices = {1, 3, 2, 0};
  one.lengths = {10, 12, 4, 1};
  one.map = map_of_pages(4, {0, 5, 3, 2, 0, 0, 0, 1, 0, 4});
  return one;
}

const Table v3_pages = {{5, 2, 7}, {9, 1, 6}, {3, _, _}, {0, _, _}};
const Table v3_swa_pages = {{0, 3, 1}, {4, 5, 0}, {2, _, _}, {0, _, _}};

TEST(Cells, OfVectorV3AreInBothTables) {
  const Result got = run(v3());
  EXPECT_EQ(got.pages, v3_pages);
  EXPECT_EQ(got.swa_pages, v3_swa_pages);
  EXPECT_EQ(got.keys, (Row{10, 12, 4, 1}));
  EXPECT_EQ(got.sum_q, (Row{0, 1, 2, 3, 4}));
  EXPECT_EQ(got.sum_k, (Row{0, 10, 22, 26, 27}));
  EXPECT_EQ(got.status, Status::none);
  EXPECT_EQ(got.strays, 0);
}

TEST(Cells, OfBuildAreThoseOfApplyAndNothingElseIsWritten) {
  Case one = v3();
  one.entry = Entry::build;
  one.writes = {20, 21};
  const Result got = run(one);
  EXPECT_EQ(got.pages, v3_pages);
  EXPECT_EQ(got.swa_pages, v3_swa_pages);
  EXPECT_EQ(got.keys, (Row{_, _, _, _}));
  EXPECT_EQ(got.sum_q, (Row{_, _, _, _, _}));
  EXPECT_EQ(got.sum_k, (Row{_, _, _, _, _}));
  EXPECT_EQ(got.swa_writes, (std::vector<std::int64_t>{_, _}));
  EXPECT_EQ(got.status, Status::none);
}

TEST(Cells, OfBuildIgnoreTheMode) {
  for (int i = 0; i < mode_count; ++i) {
    Case one = v3();
    one.entry = Entry::build;
    one.mode = static_cast<Mode>(i);
    one.tokens_per_row = 9;
    one.draft_step = 9;
    EXPECT_EQ(run(one).pages, v3_pages) << i;
  }
}

TEST(Cells, AreTheSameOnEveryHostBuilder) {
  EXPECT_EQ(run(v3(), "host-shuffled"), run(v3()));
  EXPECT_EQ(run(v3(), "host-audited"), run(v3()));
}

TEST(Cells, AreTheSameFor32BitInputs) {
  Case one = v3();
  one.writes = {20, 29, -1};
  const Result wide = run(one);
  one.type = IntType::int32;
  EXPECT_EQ(run(one), wide);
}

TEST(Cells, AreTheSameForEveryStride) {
  Case one = v3();
  one.writes = {20, 29, -1};
  one.write_room = 2;
  const Result plain = run(one);
  one.input_stride = 3;
  one.output_stride = 2;
  one.row_padding = 7;
  one.swa_row_padding = 11;
  EXPECT_EQ(run(one), plain);
  one.type = IntType::int32;
  EXPECT_EQ(run(one), plain);
}

// Vector V11: four columns are needed, the table has three.
TEST(Cells, OfVectorV11AreCutAtTheWidth) {
  Case one;
  one.page_size = 2;
  one.width = 3;
  one.slots = {{0}, {2, 3, 4, 5, 6, 7, 8}, {10, 11, 12}};
  one.indices = {1, 2};
  one.lengths = {7, 3};
  const Result got = run(one);
  EXPECT_EQ(got.pages, (Table{{1, 2, 3}, {5, 6, _}}));
  EXPECT_EQ(got.keys, (Row{7, 3}));
  EXPECT_EQ(got.status, Status::row_clamped);
  EXPECT_EQ(got.strays, 0);
}

TEST(Cells, OfAPageSizeThatIsNoPowerOfTwo) {
  Case one;
  one.page_size = 3;
  one.width = 4;
  one.slots = {{}, {21, 22, 23, 6, 7, 8, 30}};
  one.indices = {1};
  one.lengths = {7};
  EXPECT_EQ(run(one).pages, (Table{{7, 2, 10, _}}));
  one.lengths = {6};
  EXPECT_EQ(run(one).pages, (Table{{7, 2, _, _}}));
}

TEST(Cells, OfAbsentSlotsAreMinusOneInBothTables) {
  Case one = v3();
  one.slots[1][4] = -1;
  one.slots[3][0] = -5;
  const Result got = run(one);
  EXPECT_EQ(got.pages, (Table{{5, -1, 7}, {-1, 1, 6}, {3, _, _}, {0, _, _}}));
  EXPECT_EQ(got.swa_pages, (Table{{0, -1, 1}, {-1, 5, 0}, {2, _, _}, {0, _, _}}));
  EXPECT_EQ(got.status, Status::absent_slot);
}

TEST(Cells, DoNotDependOnSlotsBetweenFirstSlotsOfPages) {
  Case one = v3();
  one.slots[1][1] = -1;
  one.slots[1][9] = 1 << 30;
  EXPECT_EQ(run(one).pages, v3_pages);
  EXPECT_EQ(run(one).status, Status::none);
}

TEST(Cells, OfTombstonesNameTheSink) {
  Case one = v3();
  one.map = map_of_pages(4, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const Result got = run(one);
  EXPECT_EQ(got.pages, v3_pages);
  EXPECT_EQ(got.swa_pages, (Table{{0, 0, 0}, {0, 0, 0}, {0, _, _}, {0, _, _}}));
  EXPECT_EQ(got.status, Status::none);
}

TEST(Cells, OfANegativeMappingAreMinusOneInTheSwaTableOnly) {
  Case one = v3();
  one.map[28] = -1;
  const Result got = run(one);
  EXPECT_EQ(got.pages, v3_pages);
  EXPECT_EQ(got.swa_pages[0], (Row{0, 3, -1}));
  EXPECT_EQ(got.status, Status::none);
}

TEST(Cells, OfSlotsOutsideTheMapAreMinusOneInTheSwaTableOnly) {
  Case one = v3();
  one.map.resize(36);  // page 9 starts at slot 36
  const Result got = run(one);
  EXPECT_EQ(got.pages, v3_pages);
  EXPECT_EQ(got.swa_pages, (Table{{0, 3, 1}, {-1, 5, 0}, {2, _, _}, {0, _, _}}));
  EXPECT_EQ(got.status, Status::slot_outside_map);
}

TEST(Cells, OfRowsOutsideThePoolAreMinusOne) {
  for (const std::int64_t index :
       {std::int64_t{4}, std::int64_t{-1}, std::int64_t{1} << 31, -(std::int64_t{1} << 40)}) {
    Case one = v3();
    one.indices[1] = index;
    const Result got = run(one);
    EXPECT_EQ(got.pages, (Table{{5, 2, 7}, {-1, -1, -1}, {3, _, _}, {0, _, _}})) << index;
    EXPECT_EQ(got.swa_pages[1], (Row{-1, -1, -1})) << index;
    EXPECT_EQ(got.status, Status::row_outside_pool) << index;
  }
}

TEST(Cells, OfPositionsOutsideTheRowAreMinusOne) {
  Case one = v3();
  one.width = 4;
  one.lengths[1] = 13;  // position 12 of 12 columns
  const Result got = run(one);
  EXPECT_EQ(got.pages[1], (Row{9, 1, 6, -1}));
  EXPECT_EQ(got.swa_pages[1], (Row{4, 5, 0, -1}));
  EXPECT_EQ(got.status, Status::position_outside_row);
}

TEST(WriteSlots, AreTranslatedAndTheTailIsZero) {
  Case one = v3();
  one.writes = {29, 8, 24, 4};
  one.write_room = 3;
  EXPECT_EQ(run(one).swa_writes, (std::vector<std::int64_t>{5, 12, 0, 20, 0, 0, 0}));
  EXPECT_EQ(run(one).status, Status::none);
}

TEST(WriteSlots, ThatNameNothingStayMinusOne) {
  Case one = v3();
  one.writes = {-1, 28, -9};
  EXPECT_EQ(run(one).swa_writes, (std::vector<std::int64_t>{-1, 4, -1}));
  EXPECT_EQ(run(one).status, Status::none);
}

TEST(WriteSlots, OutsideTheMapAreMinusOne) {
  Case one = v3();
  one.writes = {40, 39, std::int64_t{1} << 40};
  EXPECT_EQ(run(one).swa_writes, (std::vector<std::int64_t>{-1, 19, -1}));
  EXPECT_EQ(run(one).status, Status::slot_outside_map);
}

TEST(WriteSlots, AreCutAtTheRoom) {
  Case one = v3();
  one.writes = {28, 29, 8};
  one.write_room = -2;
  const Result got = run(one);
  EXPECT_EQ(got.swa_writes, (std::vector<std::int64_t>{4}));
  EXPECT_EQ(got.status, Status::write_slots_clamped);
  EXPECT_EQ(got.strays, 0);
}

TEST(WriteSlots, AreNoOutputWithoutAMap) {
  Case one = v3();
  one.map.clear();
  one.writes = {28, 29};
  const Result got = run(one);
  EXPECT_EQ(got.pages, v3_pages);
  EXPECT_EQ(got.swa_pages, Table{});
  EXPECT_EQ(got.strays, 0);
}

}  // namespace
}  // namespace pagestorm
