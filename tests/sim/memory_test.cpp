#include "sim/memory.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

namespace pagestorm::sim {
namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

TEST(Memory, IsZeroOnBothSidesOfItsBase) {
  Memory memory;
  EXPECT_TRUE(memory.reserve(mebibyte, mebibyte));
  EXPECT_EQ(memory.base()[-mebibyte], std::byte{0});
  EXPECT_EQ(memory.base()[-1], std::byte{0});
  EXPECT_EQ(memory.base()[mebibyte - 1], std::byte{0});
}

TEST(Memory, IsKeptWhereItSuffices) {
  Memory memory;
  memory.reserve(mebibyte, 2 * mebibyte);
  memory.base()[5] = std::byte{7};
  EXPECT_FALSE(memory.reserve(0, mebibyte));
  EXPECT_EQ(memory.base()[5], std::byte{7});
  EXPECT_TRUE(memory.reserve(0, 64 * mebibyte));
  EXPECT_EQ(memory.base()[5], std::byte{0});
}

TEST(Memory, NamesTheRegionThatWasLastAskedFor) {
  Memory memory;
  memory.reserve(3, 1000);
  memory.reserve(1, 10);
  const Region region = memory.region();
  EXPECT_EQ(region.base, memory.base());
  EXPECT_EQ(region.below, 1);
  EXPECT_EQ(region.above, 10);
}

TEST(Memory, ReadsAsZeroOnceForgotten) {
  Memory memory;
  memory.reserve(mebibyte, mebibyte);
  memory.base()[-mebibyte] = memory.base()[0] = memory.base()[mebibyte - 1] = std::byte{7};
  memory.forget();
  EXPECT_EQ(memory.base()[-mebibyte], std::byte{0});
  EXPECT_EQ(memory.base()[0], std::byte{0});
  EXPECT_EQ(memory.base()[mebibyte - 1], std::byte{0});
}

TEST(Memory, ForgetsNothingWhenThereIsNone) {
  Memory memory;
  memory.forget();
  EXPECT_EQ(memory.base(), nullptr);
}

TEST(Memory, MovesWithItsContent) {
  Memory memory;
  memory.reserve(0, 100);
  memory.base()[0] = std::byte{7};
  std::byte* const base = memory.base();
  Memory other = std::move(memory);
  EXPECT_EQ(other.base(), base);
  EXPECT_EQ(other.base()[0], std::byte{7});
  EXPECT_EQ(other.region().above, 100);
}

TEST(Memory, CostsNothingWhereItIsNotTouched) {
  Memory memory;
  constexpr std::int64_t gibibytes_16 = std::int64_t{16} << 30;
  memory.reserve(gibibytes_16, gibibytes_16);
  memory.base()[gibibytes_16 - 1] = std::byte{1};
  memory.base()[-gibibytes_16] = std::byte{1};
  EXPECT_EQ(memory.base()[0], std::byte{0});
}

TEST(Memory, SaysWhenTheSystemRefuses) {
  Memory memory;
  EXPECT_THROW(memory.reserve(0, std::int64_t{1} << 60), std::runtime_error);
}

TEST(Memory, CanBeReservedAfterARefusal) {
  Memory memory;
  memory.reserve(0, 100);
  EXPECT_THROW(memory.reserve(0, std::int64_t{1} << 60), std::runtime_error);
  EXPECT_TRUE(memory.reserve(0, 100));
  memory.base()[99] = std::byte{7};
  EXPECT_EQ(memory.base()[99], std::byte{7});
}

}  // namespace
}  // namespace pagestorm::sim
