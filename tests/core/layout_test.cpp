// What all rows of a call have in common.

#include <gtest/gtest.h>

#include <cstdint>

#include "core/cells.hpp"

namespace pagestorm::core {
namespace {

/// Moves fours at multiples of their own size, like a device.
struct AlignedMemory {
  static constexpr std::int64_t four_alignment = sizeof(Four);
};

/// A call of page size 1 with SWA, every stride 1 but those of rows.
struct Laid {
  alignas(16) std::int32_t cells[64] = {};
  std::int64_t map[16] = {};
  Batch in;
  Metadata out;

  Laid() {
    in.rows = 2;
    in.req_to_token = {cells, 2, 8, 8, 1};
    in.seq_lens = {map, 2, 1, IntType::int64};
    in.req_pool_indices = {map, 2, 1, IntType::int64};
    in.full_to_swa = {map, 16, 1, IntType::int64};
    out.page_table = {cells, 2, 8, 8, 1};
    out.swa_page_table = {cells, 2, 8, 8, 1};
  }
  template <class Memory = AlignedMemory>
  Layout layout() const {
    return layout_of<Memory>(in, out);
  }
};

TEST(Layout, IsWholeWhereFoursCanBeMoved) { EXPECT_EQ(Laid().layout(), Layout::whole); }

TEST(Layout, IsDenseWithOtherPageSizes) {
  Laid call;
  call.in.page_size = 64;
  EXPECT_EQ(call.layout(), Layout::dense);
}

TEST(Layout, IsDenseWhereARowBeginsBetweenFours) {
  Laid stride;
  stride.out.swa_page_table.row_stride = 9;
  EXPECT_EQ(stride.layout(), Layout::dense);
  Laid address;
  address.out.page_table.data += 1;
  EXPECT_EQ(address.layout(), Layout::dense);
}

TEST(Layout, IsWholeBetweenFoursWhereAMemoryCanMoveThem) {
  Laid call;
  call.out.swa_page_table.row_stride = 9;
  call.out.page_table.data += 1;
  EXPECT_EQ(call.layout<PlainMemory>(), Layout::whole);
}

TEST(Layout, IsAnyWithAStrideBetweenNeighbours) {
  for (int i = 0; i < 6; ++i) {
    Laid call;
    std::int64_t* strides[] = {&call.in.seq_lens.stride,        &call.in.req_pool_indices.stride,
                               &call.in.full_to_swa.stride,     &call.in.req_to_token.col_stride,
                               &call.out.page_table.col_stride, &call.out.swa_page_table.col_stride};
    *strides[i] = 2;
    EXPECT_EQ(call.layout(), Layout::any) << i;
  }
}

TEST(Layout, DoesNotAskForSwaStridesWithoutSwa) {
  Laid call;
  call.in.full_to_swa = {};
  call.out.swa_page_table = {};
  call.in.full_to_swa.stride = 3;
  EXPECT_EQ(call.layout(), Layout::whole);
}

}  // namespace
}  // namespace pagestorm::core
