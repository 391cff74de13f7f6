#include "core/page_size.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "pagestorm/ids.hpp"

namespace pagestorm::core {
namespace {

constexpr std::int64_t int32_limit = std::numeric_limits<std::int32_t>::max();

// Numbers around multiples of a page size, small, middling and at the end of int32.
std::vector<std::int64_t> numbers_around_pages_of(std::int64_t size) {
  std::vector<std::int64_t> numbers{0, 1, 2, int32_limit - 1, int32_limit};
  for (const std::int64_t pages :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{1000}, int32_limit / size})
    for (std::int64_t off = -1; off <= 1; ++off)
      if (const std::int64_t number = pages * size + off; number >= 0 && number <= int32_limit)
        numbers.push_back(number);
  return numbers;
}

TEST(PageSize, DividesLikeDivisionForEverySize) {
  for (std::int32_t size = 1; size <= page_size_max; ++size) {
    const PageSize pages = PageSize::of(size);
    for (const std::int64_t slot : numbers_around_pages_of(size)) {
      ASSERT_EQ(pages.page_of(slot), slot / size) << slot << " by " << size;
      ASSERT_EQ(pages.page_of(static_cast<std::int32_t>(slot)), slot / size) << slot << " by " << size;
    }
  }
}

TEST(PageSize, DividesBeyond32BitsForEverySize) {
  for (std::int32_t size = 1; size <= page_size_max; ++size)
    for (std::int64_t off = -1; off <= 1; ++off) {
      const std::int64_t slot = (std::int64_t{1} << 40) * size + off;
      ASSERT_EQ(PageSize::of(size).page_of(slot), slot / size) << slot << " by " << size;
    }
}

TEST(PageSize, RoundsLengthsUpForEverySize) {
  for (std::int32_t size = 1; size <= page_size_max; ++size)
    for (const std::int64_t length : numbers_around_pages_of(size)) {
      const std::int64_t whole = length / size;
      ASSERT_EQ(PageSize::of(size).pages(length), length % size == 0 ? whole : whole + 1) << length << " by " << size;
    }
}

TEST(PageSize, ShiftsForPowersOfTwoOnly) {
  int powers = 0;
  for (std::int32_t size = 1; size <= page_size_max; ++size) {
    const PageSize pages = PageSize::of(size);
    EXPECT_EQ(pages.tokens, size);
    if (pages.shift < 0) continue;
    ++powers;
    EXPECT_EQ(1 << pages.shift, size);
  }
  EXPECT_EQ(powers, 13);
}

TEST(PageSize, AgreesWithLiterals) {
  EXPECT_EQ(PageSize::of(64).page_of(std::int32_t{127}), 1);
  EXPECT_EQ(PageSize::of(64).page_of(std::int32_t{128}), 2);
  EXPECT_EQ(PageSize::of(3).page_of(std::int32_t{2'147'483'647}), 715'827'882);
  EXPECT_EQ(PageSize::of(48).pages(0), 0);
  EXPECT_EQ(PageSize::of(48).pages(1), 1);
  EXPECT_EQ(PageSize::of(48).pages(48), 1);
  EXPECT_EQ(PageSize::of(48).pages(49), 2);
  EXPECT_EQ(PageSize::of(1).pages(2'147'483'647), 2'147'483'647);
}

TEST(PageSize, CountsPagesOfSaturatedLengthsLikeThoseOfOthers) {
  EXPECT_EQ(PageSize::of(48).pages_of_saturated(49), 2u);
  for (const std::int32_t tokens : {1, 2, 3, 48, 64, 1000, 4095, 4096})
    for (const std::uint32_t length : {0u, 1u, 47u, 48u, 49u, 4096u, 4097u, 2'147'483'646u, 2'147'483'647u})
      EXPECT_EQ(PageSize::of(tokens).pages_of_saturated(length), PageSize::of(tokens).pages(std::int64_t{length}));
}

}  // namespace
}  // namespace pagestorm::core
