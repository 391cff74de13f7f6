#include "outside/share.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <vector>

namespace pagestorm::outside {
namespace {

/// What another process sees.
class Other {
 public:
  explicit Other(const Share& share)
      : bytes_(static_cast<std::size_t>(share.bytes())),
        at_(static_cast<std::byte*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, share.descriptor(), 0))) {
  }
  ~Other() { munmap(at_, bytes_); }
  Other(const Other&) = delete;
  Other& operator=(const Other&) = delete;
  std::byte& operator[](std::int64_t offset) const { return at_[offset]; }

 private:
  std::size_t bytes_;
  std::byte* at_;
};

struct Memory {
  std::vector<std::byte> bytes = std::vector<std::byte>(10'000, std::byte{9});
  Region region{bytes.data() + 4000, 4000, 6000};
};

TEST(Share, HoldsWhatWasCarriedInAndNothingElse) {
  Memory memory;
  Share share(true);
  EXPECT_TRUE(share.place(memory.region, true));
  const std::array windows{Window{-100, 50}, Window{200, 10}};
  share.carry_in(windows);
  const Other other(share);
  const std::int64_t base = share.offset(memory.region.base);
  for (const auto& [offset, value] : {std::pair{-101, 0}, {-100, 9}, {-51, 9}, {-50, 0}, {0, 0}, {200, 9}, {210, 0}})
    EXPECT_EQ(other[base + offset], static_cast<std::byte>(value)) << offset;
}

TEST(Share, BringsBackWhatAnotherProcessWrote) {
  Memory memory;
  Share share(false);
  share.place(memory.region, true);
  const Other other(share);
  const std::int64_t base = share.offset(memory.region.base);
  other[base + 7] = other[base + 8] = std::byte{1};
  share.carry_out(std::array{Window{7, 1}});
  EXPECT_EQ(memory.region.base[7], std::byte{1});
  EXPECT_EQ(memory.region.base[8], std::byte{9});
}

TEST(Share, ReadsAsZeroWhenItStandsForSomethingNew) {
  Memory memory;
  Share share(true);
  share.place(memory.region, true);
  share.carry_in(std::array{Window{0, 100}});
  EXPECT_FALSE(share.place(memory.region, true));
  EXPECT_EQ(Other(share)[share.offset(memory.region.base)], std::byte{0});
}

TEST(Share, KeepsWhatItHoldsForTheSameRegion) {
  Memory memory;
  Share share(true);
  share.place(memory.region, true);
  share.carry_in(std::array{Window{0, 100}});
  EXPECT_FALSE(share.place(memory.region, false));
  EXPECT_EQ(Other(share)[share.offset(memory.region.base)], std::byte{9});
}

TEST(Share, KeepsThePlaceOfTheBaseInItsPage) {
  Memory memory;
  Share share(true);
  share.place(memory.region, true);
  EXPECT_EQ(share.offset(memory.region.base) % 4096, reinterpret_cast<std::intptr_t>(memory.region.base) % 4096);
}

TEST(Share, MovesWhenMoreIsNeeded) {
  Memory memory;
  Share share(true);
  EXPECT_TRUE(share.place({memory.region.base, 10, 10}, true));
  EXPECT_TRUE(share.place(memory.region, true));
  EXPECT_FALSE(share.place({memory.region.base, 10, 10}, true));
}

TEST(Share, ReservesWithoutTouching) {
  Share share(true);
  std::byte one{1};
  EXPECT_TRUE(share.place({&one, std::int64_t{1} << 33, std::int64_t{1} << 36}, true));
  share.carry_in(std::array{Window{0, 1}});
  EXPECT_TRUE(share.place({&one, 0, 1}, true)) << "and gives it back";
}

}  // namespace
}  // namespace pagestorm::outside
