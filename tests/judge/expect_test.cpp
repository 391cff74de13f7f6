// The judge's reference: the worked example of docs/contract.md, literals of each clause, and sim::Reference.

#include "judge/expect.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "played.hpp"
#include "sim/reference.hpp"

namespace pagestorm::judge {
namespace {

// A live column of both tables, and the bits that its slot raises.
struct Cell {
  std::int32_t page, swa_page;
  std::uint32_t status;
};

Cell cell_of(const Job& job, const Row& row, std::int64_t c) {
  const std::int32_t slot = slot_of(job, row, c);
  const Count swa_slot = mapped(job, slot);
  return {page_of(job, slot), swa_page_of(job, swa_slot.value), swa_slot.status};
}

// target_verify, N = 2, P = 4, W = 3, with SWA: two requests and a padded row.
struct WorkedExample {
  std::vector<std::int32_t> slots = std::vector<std::int32_t>(3 * 16, 999);
  std::vector<std::int64_t> map = std::vector<std::int64_t>(48, 0);
  std::vector<std::int64_t> indices = {2, 1, 0};
  std::vector<std::int64_t> lengths = {5, 11, 1};
  std::vector<std::int64_t> writes = {13, 14, 47, 28, 0, 0};
  Job job;

  WorkedExample() {
    const auto give = [&](std::int64_t row, std::int64_t column, std::int32_t page, std::int64_t swa_page) {
      for (std::int32_t i = 0; i < 4; ++i) {
        slots[static_cast<std::size_t>(row * 16 + column * 4 + i)] = page * 4 + i;
        if (swa_page > 0) map[static_cast<std::size_t>(page * 4 + i)] = swa_page * 4 + i;
      }
    };
    give(2, 0, 6, 0), give(2, 1, 3, 2);
    give(1, 0, 9, 0), give(1, 1, 1, 5), give(1, 2, 11, 1), give(1, 3, 7, 3);
    slots[16 + 8] = -1;
    slots[0] = 0;
    job.in = {.mode = Mode::target_verify, .tokens_per_row = 2, .page_size = 4, .rows = 3};
    job.in.req_to_token = {slots.data(), 3, 16, 16, 1};
    job.in.req_pool_indices = {indices.data(), 3, 1, IntType::int64};
    job.in.seq_lens = {lengths.data(), 3, 1, IntType::int64};
    job.in.out_cache_loc = {writes.data(), 6, 1, IntType::int64};
    job.in.full_to_swa = {map.data(), 48, 1, IntType::int64};
    job.image.page_table.cols = 3;
    job.write_slots = 8;
    job.page_shift = 2;
  }
};

TEST(Expect, TheWorkedExampleIsTheContracts) {
  const WorkedExample example;
  const Job& job = example.job;
  const std::int64_t keys[] = {7, 13, 3};
  const std::vector<std::int32_t> pages[] = {{6, 3}, {9, 1, -1}, {0}};
  const std::vector<std::int32_t> swa_pages[] = {{0, 2}, {0, 5, -1}, {0}};
  std::uint32_t status = 0;
  for (std::int64_t r = 0; r < 3; ++r) {
    EXPECT_EQ(kv_length(job.in, r).value, keys[r]);
    EXPECT_EQ(query_length(job.in, r, keys[r]).value, 2);
    const Row row = row_of(job, r);
    status |= row.status;
    ASSERT_EQ(row.live, static_cast<std::int64_t>(pages[r].size())) << "row " << r;
    for (std::int64_t c = 0; c < row.live; ++c) {
      const Cell cell = cell_of(job, row, c);
      status |= cell.status;
      EXPECT_EQ(cell.page, pages[r][static_cast<std::size_t>(c)]) << r << ", " << c;
      EXPECT_EQ(cell.swa_page, swa_pages[r][static_cast<std::size_t>(c)]) << r << ", " << c;
    }
  }
  EXPECT_EQ(status, bit(Status::row_clamped)) << "absent slots are noted with their cells";
  const std::int64_t slots[] = {9, 10, 7, 12, 0, 0, 0, 0};
  for (std::int64_t e = 0; e < 8; ++e) EXPECT_EQ(write_slot(job, e).value, slots[e]) << e;
}

Count length_of(Mode mode, std::int64_t given) {
  const std::vector<std::int64_t> lengths = {given};
  Batch in{.mode = mode, .draft_step = 2, .tokens_per_row = 5, .rows = 1};
  in.seq_lens = {lengths.data(), 1, 1, IntType::int64};
  return kv_length(in, 0);
}

TEST(Expect, LengthsAreByModeAndSaturate) {
  const std::uint32_t negative = bit(Status::negative_length);
  const std::uint32_t saturated = bit(Status::length_saturated);
  for (const Mode mode : {Mode::idle, Mode::decode, Mode::draft_extend, Mode::extend})
    EXPECT_EQ(length_of(mode, 10).value, 10);
  EXPECT_EQ(length_of(Mode::draft_decode, 10).value, 13);
  EXPECT_EQ(length_of(Mode::target_verify, 10).value, 15);
  EXPECT_EQ(length_of(Mode::target_verify, -1).value, 0);
  EXPECT_EQ(length_of(Mode::target_verify, -1).status, negative);
  EXPECT_EQ(length_of(Mode::target_verify, INT32_MAX - 5).value, INT32_MAX);
  EXPECT_EQ(length_of(Mode::target_verify, INT32_MAX - 5).status, 0u);
  EXPECT_EQ(length_of(Mode::target_verify, INT32_MAX - 4).value, INT32_MAX);
  EXPECT_EQ(length_of(Mode::target_verify, INT32_MAX - 4).status, saturated);
  EXPECT_EQ(length_of(Mode::decode, INT64_MAX).status, saturated);
  EXPECT_EQ(length_of(Mode::decode, (std::int64_t{1} << 32) + 5).value, INT32_MAX);
}

TEST(Expect, QueriesAreByMode) {
  const std::vector<std::int64_t> fresh = {3, -2, std::int64_t{1} << 40};
  Batch in{.mode = Mode::extend, .tokens_per_row = 5, .rows = 3};
  in.extend_seq_lens = {fresh.data(), 3, 1, IntType::int64};
  EXPECT_EQ(query_length(in, 0, 9).value, 3);
  EXPECT_EQ(query_length(in, 1, 9).value, 0);
  EXPECT_EQ(query_length(in, 1, 9).status, bit(Status::negative_length));
  EXPECT_EQ(saturated(query_length(in, 2, 9).value), INT32_MAX);
  in.has_cached_prefix = false;
  EXPECT_EQ(query_length(in, 1, 9).value, 9);
  EXPECT_EQ(query_length(in, 1, 9).status, 0u);
  in.mode = Mode::draft_extend;
  EXPECT_EQ(query_length(in, 0, 9).value, 5);
  in.mode = Mode::draft_decode;
  EXPECT_EQ(query_length(in, 0, 9).value, 1);
}

TEST(Expect, RowsOutsideThePoolAndPositionsOutsideTheRowAreAbsent) {
  WorkedExample example;
  example.indices = {3, -1, 0};
  for (const std::int64_t r : {0, 1}) {
    const Row row = row_of(example.job, r);
    EXPECT_NE(row.status & bit(Status::row_outside_pool), 0u);
    EXPECT_EQ(cell_of(example.job, row, 0).page, -1);
    EXPECT_EQ(cell_of(example.job, row, 0).status, 0u);
  }
  example.indices = {2, 1, 0};
  example.job.in.req_to_token.cols = 5;  // positions 0 and 4 are there, 8 is not
  const Row row = row_of(example.job, 1);
  EXPECT_EQ(row.named, 2);
  EXPECT_NE(row.status & bit(Status::position_outside_row), 0u);
  EXPECT_EQ(cell_of(example.job, row, 1).page, 1);
  EXPECT_EQ(cell_of(example.job, row, 2).page, -1);
  example.lengths = {-7, 0, 1};
  example.job.in.mode = Mode::decode;
  EXPECT_EQ(row_of(example.job, 1).status, 0u) << "a row without live cells raises nothing";
}

TEST(Expect, SlotsBeyondTheMapAreAbsentInTheSwaTableOnly) {
  WorkedExample example;
  example.job.in.full_to_swa.size = 12;
  const Row row = row_of(example.job, 0);
  const Cell cell = cell_of(example.job, row, 0);
  EXPECT_EQ(cell.page, 6);
  EXPECT_EQ(cell.swa_page, -1);
  EXPECT_EQ(cell.status, bit(Status::slot_outside_map));
  EXPECT_EQ(write_slot(example.job, 0).value, -1);
  EXPECT_EQ(write_slot(example.job, 0).status, bit(Status::slot_outside_map));
  example.writes[1] = -1;
  EXPECT_EQ(write_slot(example.job, 1).value, -1);
  EXPECT_EQ(write_slot(example.job, 1).status, 0u);
  example.map[4] = -9;
  example.slots[16] = 4;
  EXPECT_EQ(cell_of(example.job, row_of(example.job, 1), 0).swa_page, -1);
}

TEST(Expect, IsTheHostsReferenceOnDrawnScenarios) {
  Played played;
  std::int64_t cells = 0;
  played.each_pass(65, 400, [&](const Job& job) {
    sim::Reference reference;
    reference.compute(job.in, job.image.page_table.cols, job.write_slots);
    std::int64_t sum_q = 0;
    std::int64_t sum_k = 0;
    for (std::int64_t r = 0; r < job.in.rows; ++r) {
      const Count keys = kv_length(job.in, r);
      ASSERT_EQ(keys.value, reference.keys(r));
      sum_q += query_length(job.in, r, keys.value).value;
      sum_k += keys.value;
      ASSERT_EQ(saturated(sum_q), reference.sum_q(r + 1));
      ASSERT_EQ(saturated(sum_k), reference.sum_k(r + 1));
      const Row row = row_of(job, r);
      ASSERT_EQ(row.live, reference.live(r));
      for (std::int64_t c = 0; c < row.live; ++c, ++cells) {
        const sim::PagePair pair = reference.page(r, c);
        ASSERT_EQ(page_of(job, slot_of(job, row, c)), pair.full);
        if (job.swa()) {
          ASSERT_EQ(cell_of(job, row, c).swa_page, pair.swa);
        }
      }
    }
    for (std::int64_t e = 0; e < job.write_slots; ++e) ASSERT_EQ(write_slot(job, e).value, reference.write_slot(e));
  });
  EXPECT_GT(cells, 10000);
}

}  // namespace
}  // namespace pagestorm::judge
