#include "sim/engine/allocator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "sim/rng.hpp"

namespace pagestorm::sim {
namespace {

using Slots = std::vector<std::int64_t>;
using Pages = std::vector<std::int32_t>;

// A free list of which nothing is known but its order.
PagedAllocator allocator_of(std::int64_t page_size, const Pages& list, std::int64_t pages) {
  PagedAllocator allocator;
  allocator.reset(page_size, list, pages, FreeOrder::append);
  return allocator;
}

Pages free_list(PagedAllocator allocator) {
  Pages list(static_cast<std::size_t>(allocator.pool().free()));
  allocator.pool().take(list);
  return list;
}

TEST(PagedAllocator, ContinuesAPageThenTakesWholeOnesThenATail) {
  PagedAllocator allocator = allocator_of(4, {5, 2, 9, 7, 1, 3, 8}, 9);
  EXPECT_EQ(allocator.alloc_extend(Slots{0, 6, 8}, Slots{5, 11, 8}, Slots{-1, 13, 27}),
            (Slots{20, 21, 22, 23, 8, 14, 15, 36, 37, 38}));
  EXPECT_EQ(free_list(allocator), (Pages{7, 1, 3, 8}));
  EXPECT_EQ(allocator.alloc_decode(Slots{6, 12, 9}, Slots{8, 38, 27}), (Slots{9, 39, 28}));
  EXPECT_EQ(free_list(allocator), (Pages{1, 3, 8}));
}

TEST(PagedAllocator, IsTheTokenAllocatorAtPageSizeOne) {
  PagedAllocator allocator = allocator_of(1, {5, 2, 9, 7, 1, 3, 8, 4, 6, 10, 13, 11, 12}, 13);
  EXPECT_EQ(allocator.alloc_extend(Slots{0, 6, 8}, Slots{5, 11, 8}, Slots{-1, 13, 27}),
            (Slots{5, 2, 9, 7, 1, 3, 8, 4, 6, 10}));
  EXPECT_EQ(allocator.alloc_decode(Slots{6, 12, 9}, Slots{1, 10, 27}), (Slots{13, 11, 12}));
  EXPECT_TRUE(allocator.free(Slots{9, 2}).ok());
  EXPECT_EQ(free_list(allocator), (Pages{9, 2}));
}

struct Extension {
  const char* what;
  std::int64_t prefix, length, last;
  Slots slots;
};

TEST(PagedAllocator, ExtendsAtTheEdgesOfPages) {
  for (const Extension& edge : std::initializer_list<Extension>{
           {"nothing to add", 6, 6, 13, {}},
           {"nothing to add to nothing", 0, 0, -1, {}},
           {"a prefix of whole pages", 8, 10, 27, {20, 21}},
           {"no prefix", 0, 3, -1, {20, 21, 22}},
           {"within the old page", 5, 7, 12, {13, 14}},
           {"to the end of the old page", 5, 8, 12, {13, 14, 15}},
           {"one beyond the old page", 5, 9, 12, {13, 14, 15, 20}},
           {"to the end of a new page", 5, 12, 12, {13, 14, 15, 20, 21, 22, 23}},
       }) {
    PagedAllocator allocator = allocator_of(4, {5, 2}, 9);
    EXPECT_EQ(allocator.alloc_extend(Slots{edge.prefix}, Slots{edge.length}, Slots{edge.last}), edge.slots)
        << edge.what;
  }
}

TEST(PagedAllocator, ChangesNothingWhenPagesAreShort) {
  PagedAllocator allocator = allocator_of(4, {5, 2}, 9);
  EXPECT_EQ(allocator.pages_to_extend(Slots{0, 6}, Slots{4, 13}), 3);
  EXPECT_EQ(allocator.alloc_extend(Slots{0, 6}, Slots{4, 13}, Slots{-1, 13}), std::nullopt);
  EXPECT_EQ(allocator.pages_to_decode(Slots{1, 5, 9, 10}), 3);
  EXPECT_EQ(allocator.alloc_decode(Slots{1, 5, 9, 10}, Slots{-1, 7, 15, 16}), std::nullopt);
  EXPECT_EQ(free_list(allocator), (Pages{5, 2}));
}

TEST(PagedAllocator, SortsOnceTheListMightBeTooShortForABatch) {
  PagedAllocator allocator;
  allocator.reset(4, Pages{5, 2, 9}, 9, FreeOrder::sort_when_short);
  EXPECT_TRUE(allocator.free(Slots{4}).ok());
  EXPECT_EQ(allocator.alloc_decode(Slots{1}, Slots{-1}), (Slots{20}));
  EXPECT_EQ(allocator.alloc_extend(Slots{0}, Slots{4}, Slots{-1}), (Slots{4, 5, 6, 7}));
}

TEST(PagedAllocator, FreesTheWholePageOfAnySlotOnce) {
  PagedAllocator allocator = allocator_of(4, {1}, 9);
  EXPECT_TRUE(allocator.free(Slots{38, 13, 36, 14, 39}).ok());
  EXPECT_EQ(free_list(allocator), (Pages{1, 3, 9}));
  const Freed again = allocator.free(Slots{20, 37});
  EXPECT_EQ(again.given, Given::not_out);
  EXPECT_EQ(again.page, 9);
  EXPECT_EQ(free_list(allocator), (Pages{1, 3, 9, 5}));
}

TEST(PagedAllocator, ReportsPagesThatNobodyMayFree) {
  PagedAllocator allocator = allocator_of(4, {1}, 9);
  EXPECT_EQ(allocator.free(Slots{3}).given, Given::sink);
  EXPECT_EQ(allocator.free(Slots{-1}).given, Given::outside);
  EXPECT_EQ(allocator.free(Slots{40}).given, Given::outside);
  EXPECT_EQ(allocator.free(Slots{7}).given, Given::not_out);
  EXPECT_EQ(allocator.free_segment(Slots{20, 21, 22, 23, 0, 0, 0, 0, 0}, 0).given, Given::sink);
  EXPECT_EQ(free_list(allocator), (Pages{1, 5}));
}

TEST(PagedAllocator, FreesASegmentByTheFirstSlotOfEachPage) {
  PagedAllocator allocator = allocator_of(4, {1}, 9);
  EXPECT_TRUE(allocator.free_segment(Slots{36, 37, 38, 39, 8, 9}, 4).ok());
  EXPECT_EQ(free_list(allocator), (Pages{1, 9, 2}));
  EXPECT_TRUE(allocator.free_segment({}, 8).ok());
}

// A request that grows in random steps, beside others; `slots` is its row.
struct Grown {
  std::int64_t length() const { return static_cast<std::int64_t>(slots.size()); }
  std::int64_t last() const { return slots.empty() ? -1 : slots.back(); }
  Slots slots;
};

struct Batch {
  Slots prefix, length, last;
  std::vector<std::int64_t> who;

  void add(std::int64_t index, const Grown& request, std::int64_t to) {
    who.push_back(index);
    prefix.push_back(request.length());
    length.push_back(to);
    last.push_back(request.last());
  }
};

constexpr std::array<std::int64_t, 7> page_sizes{1, 2, 3, 4, 16, 48, 64};
constexpr std::array<FreeOrder, 3> orders{FreeOrder::last_in_first_out, FreeOrder::append, FreeOrder::sort_when_short};

// Random histories of batches: each request's slots run through whole pages, no slot belongs to two, pages are conserved.
TEST(PagedAllocator, GivesEachRequestPagesOfItsOwnWithoutGaps) {
  Rng rng(4);
  for (int history = 0; history < 300; ++history) {
    const std::int64_t size = rng.pick<std::int64_t>(page_sizes);
    PagedAllocator allocator;
    allocator.reset(size, rng.between(1, 60), rng.next(), rng.pick<FreeOrder>(orders));
    std::vector<Grown> requests(5);
    for (int step = 0; step < 60; ++step) {
      Batch batch;
      const bool decode = rng.one_in(2);
      for (std::int64_t i = 0; i < 5; ++i) {
        const Grown& request = requests[static_cast<std::size_t>(i)];
        if (rng.one_in(2)) batch.add(i, request, request.length() + (decode ? 1 : rng.between(0, 3 * size)));
      }
      if (rng.one_in(5)) {
        Grown& done = requests[rng.below(5)];
        ASSERT_TRUE(rng.one_in(2) ? allocator.free(done.slots).ok() : allocator.free_segment(done.slots, 0).ok());
        done.slots.clear();
        continue;
      }
      const std::int64_t free = allocator.pool().free();
      const std::int64_t needed = allocator.pages_to_extend(batch.prefix, batch.length);
      const auto slots = decode ? allocator.alloc_decode(batch.length, batch.last)
                                : allocator.alloc_extend(batch.prefix, batch.length, batch.last);
      ASSERT_EQ(slots.has_value(), needed <= free);
      ASSERT_EQ(allocator.pool().free(), free - (slots ? needed : 0));
      if (!slots) continue;
      auto next = slots->begin();
      for (std::size_t b = 0; b < batch.who.size(); ++b) {
        Grown& request = requests[static_cast<std::size_t>(batch.who[b])];
        while (request.length() < batch.length[b]) request.slots.push_back(*next++);
      }
      ASSERT_TRUE(next == slots->end());

      std::set<std::int64_t> pages;
      std::int64_t owned = 0;
      for (const Grown& request : requests)
        for (std::int64_t p = 0; p < request.length(); ++p) {
          const std::int64_t slot = request.slots[static_cast<std::size_t>(p)];
          ASSERT_EQ(slot % size, p % size);
          ASSERT_TRUE(allocator.pool().is_out(slot / size));
          if (p % size == 0) {
            pages.insert(slot / size);
            ++owned;
          } else {
            ASSERT_EQ(slot, request.slots[static_cast<std::size_t>(p - 1)] + 1);
          }
        }
      ASSERT_EQ(static_cast<std::int64_t>(pages.size()), owned);
      ASSERT_EQ(allocator.pool().free() + owned, allocator.pool().pages());
    }
  }
}

// Growing p to s to t, and p to t at once, over equal lists: the same slots. And one token more is a decode.
TEST(PagedAllocator, GrowsInTwoStepsAsInOne) {
  Rng rng(5);
  for (int i = 0; i < 3000; ++i) {
    const std::int64_t size = rng.pick<std::int64_t>(page_sizes);
    PagedAllocator one;
    one.reset(size, 40, rng.next(), FreeOrder::append);
    const std::int64_t p = rng.between(0, 5 * size), s = rng.between(p, 10 * size), t = rng.between(s, 20 * size);
    Slots row = *one.alloc_extend(Slots{0}, Slots{p}, Slots{-1});
    const std::int64_t last = row.empty() ? -1 : row.back();
    PagedAllocator two = one;
    const Slots at_once = *one.alloc_extend(Slots{p}, Slots{t}, Slots{last});
    Slots stepwise = *two.alloc_extend(Slots{p}, Slots{s}, Slots{last});
    const Slots rest = *two.alloc_extend(Slots{s}, Slots{t}, Slots{stepwise.empty() ? last : stepwise.back()});
    stepwise.insert(stepwise.end(), rest.begin(), rest.end());
    ASSERT_EQ(at_once, stepwise) << p << " to " << s << " to " << t << ", page size " << size;
    ASSERT_EQ(one.pool().free(), two.pool().free());

    const std::int64_t end = stepwise.empty() ? last : stepwise.back();
    const auto extended = one.alloc_extend(Slots{t}, Slots{t + 1}, Slots{end});
    ASSERT_EQ(extended, two.alloc_decode(Slots{t + 1}, Slots{end}));
    ASSERT_EQ(one.pool().free(), two.pool().free());
  }
}

}  // namespace
}  // namespace pagestorm::sim
