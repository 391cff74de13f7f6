// Rows that are longer than what a builder fills at once, with something odd in the midst of plain cells.

#include <gtest/gtest.h>

#include <string>

#include "case.hpp"

namespace pagestorm {
namespace {

constexpr std::int32_t columns = 600;
constexpr std::int32_t absent_column = 150;
constexpr std::int32_t unmapped_column = 300;
constexpr std::int32_t outside_column = 599;

// Column c names page (7 c + 3) mod 600, and page p has SWA page 2 p + 1.
std::int32_t page_of(std::int32_t column) { return (7 * column + 3) % columns; }

Case long_row(std::int32_t page_size) {
  Case one;
  one.page_size = page_size;
  one.width = columns;
  one.indices = {0};
  one.lengths = {columns * page_size};
  one.slots = {Row(static_cast<std::size_t>(columns * page_size), case_detail::hostile)};
  for (std::int32_t c = 0; c < columns; ++c)
    one.slots[0][static_cast<std::size_t>(c * page_size)] = page_of(c) * page_size;
  for (std::int64_t slot = 0; slot < columns * page_size; ++slot)
    one.map.push_back((2 * (slot / page_size) + 1) * page_size + slot % page_size);
  return one;
}

Result long_result(std::int32_t page_size) {
  Result result{{columns * page_size}, {0, 1}, {0, columns * page_size}, {Row()}, {Row()}, {}};
  for (std::int32_t c = 0; c < columns; ++c) {
    result.pages[0].push_back(page_of(c));
    result.swa_pages[0].push_back(2 * page_of(c) + 1);
  }
  return result;
}

void expect_in_every_way(Case one, const Result& want, const std::string& what) {
  for (const BuilderEntry& entry : host_builders())
    for (const IntType type : {IntType::int32, IntType::int64})
      for (const std::int64_t input_stride : {1, 2})
        for (const std::int64_t output_stride : {1, 3}) {
          one.type = type;
          one.input_stride = input_stride;
          one.output_stride = output_stride;
          EXPECT_EQ(run(one, entry.name), want)
              << what << ", " << entry.name << ", page size " << one.page_size << ", strides " << input_stride
              << " and " << output_stride << (type == IntType::int32 ? ", int32" : ", int64");
        }
}

TEST(LongRows, HaveEveryCell) {
  for (const std::int32_t page_size : {1, 2, 3, 16})
    expect_in_every_way(long_row(page_size), long_result(page_size), "");
}

TEST(LongRows, HaveOneAbsentCell) {
  for (const std::int32_t page_size : {1, 2, 3}) {
    Case one = long_row(page_size);
    Result want = long_result(page_size);
    one.slots[0][static_cast<std::size_t>(absent_column * page_size)] = INT32_MIN;
    want.pages[0][absent_column] = want.swa_pages[0][absent_column] = -1;
    want.status = Status::absent_slot;
    expect_in_every_way(one, want, "absent");
  }
}

TEST(LongRows, HaveOneCellWithoutAnSwaPage) {
  for (const std::int32_t page_size : {1, 2, 3}) {
    Case one = long_row(page_size);
    Result want = long_result(page_size);
    one.map[static_cast<std::size_t>(page_of(unmapped_column) * page_size)] = -7;
    want.swa_pages[0][unmapped_column] = -1;
    expect_in_every_way(one, want, "negative mapping");
  }
}

TEST(LongRows, HaveOneCellOutsideTheMap) {
  for (const std::int32_t page_size : {1, 2, 3}) {
    Case one = long_row(page_size);
    Result want = long_result(page_size);
    one.slots[0][static_cast<std::size_t>(outside_column * page_size)] = INT32_MAX;
    want.pages[0][outside_column] = INT32_MAX / page_size;
    want.swa_pages[0][outside_column] = -1;
    want.status = Status::slot_outside_map;
    expect_in_every_way(one, want, "outside");
  }
}

// An SWA slot may need more than 32 bits where its page does not.
TEST(LongRows, HaveOneCellOfALargeSwaSlot) {
  for (const std::int32_t page_size : {2, 3}) {
    Case one = long_row(page_size);
    Result want = long_result(page_size);
    one.map[static_cast<std::size_t>(page_of(unmapped_column) * page_size)] = std::int64_t{INT32_MAX - 5} * page_size;
    want.swa_pages[0][unmapped_column] = INT32_MAX - 5;
    EXPECT_EQ(run(one), want);
    EXPECT_EQ(run(one, "host-audited"), want);
  }
}

TEST(LongRows, EndInColumnsThatHaveNoSlot) {
  for (const std::int32_t page_size : {1, 2, 3}) {
    Case one = long_row(page_size);
    Result want = long_result(page_size);
    one.slots[0].resize(static_cast<std::size_t>(outside_column * page_size));
    want.pages[0][outside_column] = want.swa_pages[0][outside_column] = -1;
    want.status = Status::position_outside_row;
    expect_in_every_way(one, want, "short");
  }
}

}  // namespace
}  // namespace pagestorm
