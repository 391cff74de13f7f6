#include "sim/pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "sim/rng.hpp"

namespace pagestorm::sim {
namespace {

std::vector<std::int32_t> all_of(PagePool& pool) {
  std::vector<std::int32_t> taken;
  while (pool.free() > 0) taken.push_back(pool.take());
  return taken;
}

TEST(PagePool, HandsOutEveryPageOnceAndNeverTheSink) {
  for (const std::int64_t pages : {1, 2, 3, 4, 5, 63, 64, 65, 127, 128, 129, 640, 1000})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      PagePool pool;
      pool.reset(pages, seed);
      ASSERT_EQ(pool.free(), pages);
      const std::vector<std::int32_t> taken = all_of(pool);
      const std::set<std::int32_t> distinct(taken.begin(), taken.end());
      ASSERT_EQ(static_cast<std::int64_t>(taken.size()), pages);
      ASSERT_EQ(static_cast<std::int64_t>(distinct.size()), pages) << pages << " pages, seed " << seed;
      ASSERT_EQ(*distinct.begin(), 1);
      ASSERT_EQ(*distinct.rbegin(), pages);
    }
}

TEST(PagePool, ConservesPages) {
  constexpr std::int64_t pages = 100;
  PagePool pool;
  pool.reset(pages, 1);
  Rng rng(1);
  std::vector<std::int32_t> held;
  for (int i = 0; i < 10'000; ++i) {
    if (pool.free() > 0 && (held.empty() || rng.one_in(2))) {
      held.push_back(pool.take());
    } else {
      std::swap(held[rng.below(held.size())], held.back());
      pool.give(held.back());
      held.pop_back();
    }
    ASSERT_EQ(pool.free() + static_cast<std::int64_t>(held.size()), pages);
    ASSERT_EQ(std::set<std::int32_t>(held.begin(), held.end()).size(), held.size());
  }
}

TEST(PagePool, HandsOutWhatWasGivenBackLastFirst) {
  PagePool pool;
  pool.reset(10, 3);
  const std::int32_t a = pool.take();
  const std::int32_t b = pool.take();
  const std::int32_t c = pool.take();
  pool.give(b);
  pool.give(a);
  pool.give(c);
  EXPECT_EQ(pool.take(), c);
  EXPECT_EQ(pool.take(), a);
  EXPECT_EQ(pool.take(), b);
}

TEST(PagePool, HandsOutManyAsItWouldOneByOne) {
  Rng rng(5);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PagePool one, many;
    one.reset(700, seed);
    many.reset(700, seed);
    while (many.free() > 0) {
      std::vector<std::int32_t> taken(
          static_cast<std::size_t>(rng.between(0, std::min<std::int64_t>(200, many.free()))));
      many.take(taken);
      for (const std::int32_t page : taken) ASSERT_EQ(one.take(), page) << "seed " << seed;
      for (std::size_t i = 0; i < taken.size() / 3; ++i) {
        one.give(taken[i]);
        many.give(taken[i]);
      }
    }
  }
}

TEST(PagePool, IsTheSameForTheSameSeed) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    PagePool one, other;
    one.reset(500, seed);
    other.reset(500, seed);
    EXPECT_EQ(all_of(one), all_of(other));
  }
}

TEST(PagePool, IsFreshAfterAReset) {
  PagePool used, fresh;
  used.reset(50, 9);
  used.give(used.take());
  used.reset(70, 4);
  fresh.reset(70, 4);
  EXPECT_EQ(all_of(used), all_of(fresh));
}

TEST(PagePool, ScattersSoThatNeighboursAreRarelyNeighbours) {
  std::int64_t in_order = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    PagePool pool;
    pool.reset(256, seed);
    const std::vector<std::int32_t> taken = all_of(pool);
    for (std::size_t i = 1; i < taken.size(); ++i) in_order += taken[i] == taken[i - 1] + 1 ? 1 : 0;
  }
  EXPECT_LT(in_order, 100 * 256 / 10);
}

TEST(PagePool, StartsFromTheHighestPagesForHalfOfTheSeeds) {
  int high = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    PagePool pool;
    pool.reset(1 << 20, seed);
    high += pool.take() > (1 << 20) - 64 ? 1 : 0;
  }
  EXPECT_GT(high, 400);
  EXPECT_LT(high, 600);
}

std::vector<std::int32_t> take(PagePool& pool, std::size_t count) {
  std::vector<std::int32_t> taken(count);
  pool.take(taken);
  return taken;
}

using Pages = std::vector<std::int32_t>;

TEST(PagePool, TakesFromTheFrontOfTheListAndAppendsWhatComesBack) {
  PagePool pool;
  pool.reset(Pages{5, 2, 9}, 9, FreeOrder::append);
  EXPECT_EQ(pool.free(), 3);
  EXPECT_EQ(take(pool, 2), (Pages{5, 2}));
  pool.give(2);
  pool.give(7);
  pool.give(5);
  EXPECT_EQ(all_of(pool), (Pages{9, 2, 7, 5}));
}

TEST(PagePool, MayHandOutLastWhatCameBackLastFromAGivenListToo) {
  PagePool pool;
  pool.reset(Pages{5, 2, 9}, 9, FreeOrder::last_in_first_out);
  EXPECT_EQ(take(pool, 2), (Pages{5, 2}));
  pool.give(5);
  pool.give(2);
  EXPECT_EQ(all_of(pool), (Pages{2, 5, 9}));
}

TEST(PagePool, KeepsReturnedPagesAsideUntilTheListIsTooShort) {
  PagePool pool;
  pool.reset(Pages{5, 2, 9}, 9, FreeOrder::sort_when_short);
  EXPECT_EQ(pool.take(), 5);
  pool.give(7);
  pool.give(1);
  pool.give(5);
  EXPECT_EQ(pool.free(), 5);
  EXPECT_EQ(pool.take(), 2);
  EXPECT_EQ(take(pool, 2), (Pages{1, 5}));
  pool.give(2);
  EXPECT_EQ(all_of(pool), (Pages{7, 9, 2}));
}

TEST(PagePool, SortsEarlierWhenMoreIsExpected) {
  PagePool pool;
  pool.reset(Pages{5, 2, 9}, 9, FreeOrder::sort_when_short);
  pool.give(1);
  pool.expect(3);
  EXPECT_EQ(pool.take(), 5);
  pool.expect(3);
  EXPECT_EQ(all_of(pool), (Pages{1, 2, 9}));
}

TEST(PagePool, SortsFreshPagesInWhenTheyRunShort) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PagePool pool;
    pool.reset(100, seed, FreeOrder::sort_when_short);
    const Pages taken = take(pool, 90);
    for (std::size_t i = 0; i < 30; ++i) pool.give(taken[i]);
    const Pages sorted = take(pool, 40);
    EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
    EXPECT_EQ(pool.free(), 0);
    for (std::size_t i = 0; i < 30; ++i) EXPECT_TRUE(pool.is_out(taken[i]));
  }
}

TEST(PagePool, HandsOutFreshPagesBeforeReturnedOnesWhenItAppends) {
  PagePool pool, fresh;
  pool.reset(100, 3, FreeOrder::append);
  fresh.reset(100, 3);
  Pages order = all_of(fresh);
  EXPECT_EQ(take(pool, 10), Pages(order.begin(), order.begin() + 10));
  for (std::size_t i = 0; i < 10; ++i) pool.give(order[i]);
  std::rotate(order.begin(), order.begin() + 10, order.end());
  EXPECT_EQ(take(pool, 95), Pages(order.begin(), order.end() - 5));
  EXPECT_EQ(all_of(pool), Pages(order.end() - 5, order.end()));
}

TEST(PagePool, HoldsAGroupBackUntilItEnds) {
  PagePool pool;
  pool.reset(Pages{4}, 9, FreeOrder::append);
  pool.begin_group();
  EXPECT_EQ(pool.give(8), Given::accepted);
  EXPECT_EQ(pool.give(3), Given::accepted);
  EXPECT_EQ(pool.give(8), Given::not_out);
  EXPECT_EQ(pool.free(), 1);
  EXPECT_EQ(pool.held(), 2);
  pool.end_group();
  EXPECT_EQ(pool.held(), 0);
  EXPECT_EQ(all_of(pool), (Pages{4, 8, 3}));
}

TEST(PagePool, RefusesPagesThatAreNotOutAndKeepsItsList) {
  for (const FreeOrder order : {FreeOrder::last_in_first_out, FreeOrder::append, FreeOrder::sort_when_short})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      PagePool pool;
      pool.reset(100, seed, order);
      const Pages taken = take(pool, 30);
      EXPECT_EQ(pool.give(0), Given::sink);
      EXPECT_EQ(pool.give(101), Given::outside);
      EXPECT_EQ(pool.give(-1), Given::outside);
      EXPECT_EQ(pool.give(taken[7]), Given::accepted);
      EXPECT_EQ(pool.give(taken[7]), Given::not_out);
      for (std::int64_t page = 1; page <= 100; ++page) {
        const bool out = std::ranges::find(taken, page) != taken.end() && page != taken[7];
        ASSERT_EQ(pool.is_out(page), out);
        if (out) continue;
        ASSERT_EQ(pool.give(page), Given::not_out);
      }
      EXPECT_EQ(pool.free(), 71);
      const Pages rest = all_of(pool);
      EXPECT_EQ(std::set<std::int32_t>(rest.begin(), rest.end()).size(), 71u);
      EXPECT_TRUE(pool.is_out(taken[7]));
    }
}

TEST(PagePool, OfNoPagesHasNone) {
  PagePool pool;
  pool.reset(0, 1);
  EXPECT_EQ(pool.pages(), 0);
  EXPECT_EQ(pool.free(), 0);
}

}  // namespace
}  // namespace pagestorm::sim
