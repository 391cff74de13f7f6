#include "sim/engine/fresh_pages.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "sim/engine/page_set.hpp"
#include "sim/rng.hpp"

namespace pagestorm::sim {
namespace {

TEST(FreshPages, KnowsWhichPagesAreLeft) {
  for (const std::int64_t pages : {1, 2, 3, 5, 63, 64, 65, 66, 128, 129, 200, 1000})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      FreshPages fresh;
      fresh.reset(pages, seed);
      std::vector<bool> left(static_cast<std::size_t>(pages) + 1, true);
      Rng rng(seed);
      while (true) {
        for (std::int64_t page = 1; page <= pages; ++page)
          ASSERT_EQ(fresh.contains(page), left[static_cast<std::size_t>(page)]) << page << " of " << pages;
        if (fresh.left() == 0) break;
        std::vector<std::int32_t> taken(
            static_cast<std::size_t>(rng.between(1, std::min<std::int64_t>(50, fresh.left()))));
        fresh.take(taken);
        for (const std::int32_t page : taken) left[static_cast<std::size_t>(page)] = false;
      }
    }
}

TEST(FreshPages, KnowsSoInTheLargestPoolsToo) {
  constexpr std::int64_t pages = 1 << 24;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    FreshPages fresh;
    fresh.reset(pages, seed);
    std::array<std::int32_t, 100> early{}, late{};
    fresh.take(early);
    FreshPages later = fresh;
    later.take(late);
    for (const std::int32_t page : early) ASSERT_FALSE(fresh.contains(page));
    for (const std::int32_t page : late) ASSERT_TRUE(fresh.contains(page));
    for (const std::int32_t page : late) ASSERT_FALSE(later.contains(page));
  }
}

TEST(FreshPages, AreNoneOnceExhausted) {
  FreshPages fresh;
  fresh.reset(100, 1);
  fresh.exhaust(50);
  EXPECT_EQ(fresh.pages(), 50);
  EXPECT_EQ(fresh.left(), 0);
  EXPECT_FALSE(fresh.contains(1));
  EXPECT_FALSE(fresh.contains(50));
}

TEST(PageSet, HoldsWhatWasPutIn) {
  PageSet set;
  EXPECT_FALSE(set.contains(0));
  for (const std::int64_t page : {0, 63, 64, 4095, 4096, 1 << 24}) {
    set.insert(page);
    EXPECT_TRUE(set.contains(page));
    EXPECT_FALSE(set.contains(page + 1));
  }
  set.erase(64);
  set.erase(65);
  set.erase(std::int64_t{1} << 30);
  EXPECT_FALSE(set.contains(64));
  EXPECT_TRUE(set.contains(63));
  set.clear();
  EXPECT_FALSE(set.contains(63));
}

}  // namespace
}  // namespace pagestorm::sim
