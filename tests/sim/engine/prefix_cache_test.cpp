// Trees small enough to work out by hand. Pages hold two tokens.

#include "sim/engine/prefix_cache.hpp"

#include <gtest/gtest.h>

#include <string>

namespace pagestorm::sim {
namespace {

using Pages = std::vector<std::int32_t>;

constexpr std::uint64_t a = base_of(1, 0);
constexpr std::uint64_t b = base_of(2, 0);
constexpr std::uint64_t c = base_of(3, 0);

Content tokens(std::initializer_list<std::pair<std::int64_t, std::uint64_t>> runs) {
  Content content;
  for (const auto& [count, base] : runs) content.append(count, base);
  return content;
}

struct Tree {
  explicit Tree(std::int64_t window = 0) { cache.start(2, window > 0, window); }

  PrefixInsert insert(const Content& content, const Pages& pages, const Pages& swa_pages = {},
                      std::int64_t shared = 0) {
    return cache.insert({content, 2 * static_cast<std::int64_t>(pages.size()), pages, swa_pages, shared});
  }

  /// Locks what the tree has of `content`.
  PrefixLock lock(const Content& content) { return cache.lock(cache.match(content, content.size()).node); }

  /// Nodes in order: positions, pages, SWA pages in brackets, an L and an S for each kind of lock.
  std::string show() const {
    std::string text;
    for (const NodeId id : cache.nodes().in_order()) {
      const PrefixNode& node = cache.nodes()[id];
      text +=
          (text.empty() ? "" : " | ") + std::to_string(node.content.first()) + "-" + std::to_string(node.content.end());
      for (const std::int32_t page : node.pages) text += " " + std::to_string(page);
      for (const std::int32_t page : node.swa_pages) text += " [" + std::to_string(page) + "]";
      text += std::string(static_cast<std::size_t>(node.locks), 'L');
      text += std::string(static_cast<std::size_t>(node.swa_locks), 'S');
    }
    return text;
  }

  PrefixCache cache;
};

TEST(PrefixCache, HasNothingAtFirst) {
  Tree tree;
  const PrefixMatch match = tree.cache.match(tokens({{6, a}}), 6);
  EXPECT_EQ(match.tokens, 0);
  EXPECT_EQ(match.node, PrefixNodes::root);
  EXPECT_EQ(tree.cache.clear(), PrefixChanges());
  PrefixLock lock = tree.cache.lock(match.node);
  EXPECT_EQ(tree.cache.unlock(lock), PrefixChanges());
}

TEST(PrefixCache, MatchesWholePagesWithinTheLimit) {
  Tree tree;
  EXPECT_EQ(tree.insert(tokens({{7, a}}), {1, 2, 3}).tokens, 6);
  const PrefixMatch all = tree.cache.match(tokens({{9, a}}), 8);
  EXPECT_EQ(all.tokens, 6);
  EXPECT_EQ(all.pages, (Pages{1, 2, 3}));
  EXPECT_EQ(tree.show(), "0-6 1 2 3");
  const PrefixMatch some = tree.cache.match(tokens({{9, a}}), 5);
  EXPECT_EQ(some.tokens, 4);
  EXPECT_EQ(some.pages, (Pages{1, 2}));
  EXPECT_EQ(tree.cache.nodes()[some.node].content.end(), 4);
  EXPECT_EQ(tree.show(), "0-4 1 2 | 4-6 3");
  EXPECT_EQ(tree.cache.match(tokens({{9, a}}), 1).tokens, 0);
}

TEST(PrefixCache, InsertsNoMoreThanWasAskedFor) {
  Tree tree;
  const Content content = tokens({{9, a}});
  const Pages pages{1, 2, 3, 4};
  EXPECT_EQ(tree.cache.insert({content, 5, pages, {}, 0}).tokens, 4);
  EXPECT_EQ(tree.show(), "0-4 1 2");
}

TEST(PrefixCache, SplitsWhereContentsPart) {
  Tree tree;
  tree.insert(tokens({{6, a}}), {1, 2, 3});
  const PrefixInsert second = tree.insert(tokens({{4, a}, {4, b}}), {1, 2, 8, 9}, {}, 4);
  EXPECT_EQ(second.changes, PrefixChanges());
  EXPECT_EQ(second.tokens, 8);
  EXPECT_EQ(tree.show(), "0-4 1 2 | 4-6 3 | 4-8 8 9");
  // They part within the second page, so only the first is shared.
  EXPECT_EQ(tree.insert(tokens({{3, a}, {3, c}}), {1, 6, 7}, {}, 2).changes, PrefixChanges());
  EXPECT_EQ(tree.show(), "0-2 1 | 2-4 2 | 4-6 3 | 4-8 8 9 | 2-6 6 7");
  EXPECT_EQ(tree.cache.match(tokens({{4, a}, {2, b}, {2, c}}), 8).pages, (Pages{1, 2, 8}));
}

TEST(PrefixCache, EqualTokensAtOtherPositionsAreOtherContent) {
  Tree tree;
  tree.insert(tokens({{2, a}, {2, b}}), {1, 2});
  EXPECT_EQ(tree.cache.match(tokens({{2, b}}), 2).tokens, 0);
  EXPECT_EQ(tree.cache.match(tokens({{2, c}, {2, b}}), 4).tokens, 0);
}

TEST(PrefixCache, ReplacesThePagesThatItHasAlready) {
  Tree tree;
  tree.insert(tokens({{6, a}}), {1, 2, 3});
  const PrefixInsert second = tree.insert(tokens({{6, a}, {2, b}}), {4, 5, 6, 7});
  EXPECT_EQ(second.tokens, 8);
  EXPECT_EQ(second.changes.rewrites, (std::vector<Rewrite>{{0, 4, 1, 0}, {1, 5, 2, 0}, {2, 6, 3, 0}}));
  EXPECT_EQ(second.changes.freed, (Pages{4, 5, 6}));
  EXPECT_TRUE(second.changes.remaps.empty());
  EXPECT_EQ(tree.show(), "0-6 1 2 3 | 6-8 7");
}

TEST(PrefixCache, FreesTheSwaPagesOfReplacedPages) {
  Tree tree(2);
  tree.insert(tokens({{4, a}}), {1, 2}, {11, 12});
  const PrefixInsert second = tree.insert(tokens({{4, a}}), {4, 5}, {0, 15});
  EXPECT_EQ(second.changes.rewrites, (std::vector<Rewrite>{{0, 4, 1, 11}, {1, 5, 2, 12}}));
  EXPECT_EQ(second.changes.freed, (Pages{4, 5}));
  EXPECT_EQ(second.changes.freed_swa, (Pages{15}));
  EXPECT_EQ(second.changes.remaps, (std::vector<Remap>{{5, 0}}));
  EXPECT_EQ(tree.show(), "0-4 1 2 [11] [12]");
}

TEST(PrefixCache, KeepsPagesThatAreItsOwn) {
  Tree tree(2);
  tree.insert(tokens({{4, a}}), {1, 2}, {11, 12});
  EXPECT_EQ(tree.insert(tokens({{4, a}}), {1, 2}, {11, 12}).changes, PrefixChanges());
  EXPECT_EQ(tree.insert(tokens({{4, a}}), {1, 2}, {11, 12}, 4).changes, PrefixChanges());
}

// Whatever the row names there, it is not the caller's to give away.
TEST(PrefixCache, LeavesSharedColumnsAlone) {
  Tree tree(2);
  tree.insert(tokens({{4, a}}), {1, 2}, {11, 12});
  EXPECT_EQ(tree.insert(tokens({{6, a}}), {8, 9, 3}, {18, 19, 13}, 4).changes, PrefixChanges());
  EXPECT_EQ(tree.show(), "0-4 1 2 [11] [12] | 4-6 3 [13]");
}

TEST(PrefixCache, TakesNoUnknownTokens) {
  Tree tree;
  EXPECT_EQ(tree.insert(tokens({{3, a}, {5, unknown_base}}), {1, 2, 3, 4}).tokens, 2);
  EXPECT_EQ(tree.insert(tokens({{4, unknown_base}}), {5, 6}).tokens, 0);
  EXPECT_EQ(tree.show(), "0-2 1");
  EXPECT_EQ(tree.cache.match(tokens({{8, unknown_base}}), 8).tokens, 0);
}

TEST(PrefixCache, LeavesColumnsWithoutSwaAtTheEndToTheCaller) {
  Tree tree(2);
  EXPECT_EQ(tree.insert(tokens({{8, a}}), {1, 2, 3, 4}, {0, 12, 13, 0}).tokens, 6);
  EXPECT_EQ(tree.show(), "0-2 1 [0] | 2-6 2 3 [12] [13]");
  EXPECT_EQ(tree.insert(tokens({{4, b}}), {5, 6}, {0, 0}).tokens, 0);
  EXPECT_EQ(tree.cache.nodes().full().owned, 3);
  EXPECT_EQ(tree.cache.nodes().swa().owned, 2);
}

TEST(PrefixCache, AsksForAWindowBehindTheLastTombstone) {
  Tree tree(4);
  tree.insert(tokens({{12, a}}), {1, 2, 3, 4, 5, 6}, {0, 0, 13, 14, 15, 16});
  EXPECT_EQ(tree.show(), "0-4 1 2 [0] [0] | 4-12 3 4 5 6 [13] [14] [15] [16]");
  EXPECT_EQ(tree.cache.match(tokens({{12, a}}), 6).tokens, 0);
  EXPECT_EQ(tree.cache.match(tokens({{12, a}}), 2).tokens, 0);
  const PrefixMatch match = tree.cache.match(tokens({{12, a}}), 8);
  EXPECT_EQ(match.tokens, 8);
  EXPECT_EQ(match.pages, (Pages{1, 2, 3, 4}));
  EXPECT_EQ(match.swa_pages, (Pages{0, 0, 13, 14}));
}

TEST(PrefixCache, GoesBackBeforeATombstoneThatIsTooClose) {
  Tree tree(4);
  tree.insert(tokens({{10, a}}), {1, 2, 3, 4, 5}, {11, 0, 0, 14, 15});
  EXPECT_EQ(tree.show(), "0-2 1 [11] | 2-6 2 3 [0] [0] | 6-10 4 5 [14] [15]");
  EXPECT_EQ(tree.cache.match(tokens({{10, a}}), 9).tokens, 2);
  EXPECT_EQ(tree.cache.match(tokens({{10, a}}), 10).tokens, 10);
}

TEST(PrefixCache, TakesAWindowLongerThanAPageInWholePages) {
  Tree tree(3);
  tree.insert(tokens({{8, a}}), {1, 2, 3, 4}, {0, 12, 13, 14});
  EXPECT_EQ(tree.cache.match(tokens({{8, a}}), 4).tokens, 0);
  EXPECT_EQ(tree.cache.match(tokens({{8, a}}), 6).tokens, 6);
}

TEST(PrefixCache, RecoversATombstoneThatNobodyLocksWithTheCallersPages) {
  Tree tree(2);
  tree.insert(tokens({{6, a}}), {1, 2, 3}, {0, 0, 13});
  const PrefixInsert second = tree.insert(tokens({{6, a}}), {4, 5, 6}, {14, 15, 16});
  EXPECT_EQ(second.changes.rewrites, (std::vector<Rewrite>{{2, 6, 3, 13}}));
  EXPECT_EQ(second.changes.freed, (Pages{1, 2, 6}));
  EXPECT_EQ(second.changes.freed_swa, (Pages{16}));
  EXPECT_EQ(second.changes.remaps, (std::vector<Remap>{{6, 0}}));
  EXPECT_EQ(tree.show(), "0-4 4 5 [14] [15] | 4-6 3 [13]");
  EXPECT_TRUE(tree.cache.owns(4) && tree.cache.owns(3) && tree.cache.owns_swa(15));
  EXPECT_FALSE(tree.cache.owns(1) || tree.cache.owns(6) || tree.cache.owns_swa(16));
}

TEST(PrefixCache, RecoversALockedTombstoneBehindItsOwnPages) {
  Tree tree(2);
  tree.insert(tokens({{6, a}}), {1, 2, 3}, {0, 0, 13});
  tree.lock(tokens({{6, a}}));
  EXPECT_EQ(tree.show(), "0-4 1 2 [0] [0]L | 4-6 3 [13]LS");
  const PrefixInsert second = tree.insert(tokens({{4, a}}), {4, 5}, {14, 15});
  EXPECT_EQ(second.changes.rewrites, (std::vector<Rewrite>{{0, 4, 1, 14}, {1, 5, 2, 15}}));
  EXPECT_EQ(second.changes.freed, (Pages{4, 5}));
  EXPECT_TRUE(second.changes.freed_swa.empty());
  EXPECT_EQ(second.changes.remaps, (std::vector<Remap>{{1, 14}, {4, 0}, {2, 15}, {5, 0}}));
  EXPECT_EQ(tree.show(), "0-4 1 2 [14] [15]L | 4-6 3 [13]LS");
}

TEST(PrefixCache, RecoversOnlyTheColumnsThatTheCallerHasSwaFor) {
  Tree tree(2);
  tree.insert(tokens({{8, a}}), {1, 2, 3, 4}, {0, 0, 0, 14});
  const PrefixInsert second = tree.insert(tokens({{8, a}}), {5, 6, 7, 8}, {0, 0, 17, 18});
  EXPECT_EQ(second.changes.rewrites, (std::vector<Rewrite>{{0, 5, 1, 0}, {1, 6, 2, 0}, {3, 8, 4, 14}}));
  EXPECT_EQ(second.changes.freed, (Pages{5, 6, 3, 8}));
  EXPECT_EQ(tree.show(), "0-4 1 2 [0] [0] | 4-6 7 [17] | 6-8 4 [14]");
}

// What the row says of shared columns may be old: their SWA pages are the tree's business.
TEST(PrefixCache, RecoversNothingFromSharedColumns) {
  Tree tree(2);
  tree.insert(tokens({{4, a}}), {1, 2}, {11, 12});
  PrefixLock lock = tree.lock(tokens({{4, a}}));
  tree.cache.unlock_swa(lock);
  EXPECT_EQ(tree.cache.tombstone(2).freed_swa, (Pages{11, 12}));
  const PrefixInsert more = tree.insert(tokens({{6, a}}), {1, 2, 3}, {11, 12, 13}, 4);
  EXPECT_EQ(more.changes, PrefixChanges());
  EXPECT_EQ(tree.show(), "0-4 1 2 [0] [0]L | 4-6 3 [13]");
}

TEST(PrefixCache, EvictsTheLeafThatWasUsedLeastRecently) {
  Tree tree;
  tree.insert(tokens({{2, a}, {2, a}}), {1, 2});
  tree.insert(tokens({{2, a}, {2, b}}), {1, 3}, {}, 2);
  tree.insert(tokens({{2, c}}), {4});
  tree.cache.match(tokens({{4, a}}), 4);
  EXPECT_EQ(tree.cache.evict(1).freed, (Pages{3}));
  EXPECT_EQ(tree.cache.evict(1).freed, (Pages{4}));
  EXPECT_EQ(tree.show(), "0-2 1 | 2-4 2");
  EXPECT_EQ(tree.cache.evict(2).freed, (Pages{2, 1}));
  EXPECT_EQ(tree.cache.evict(1), PrefixChanges());
}

TEST(PrefixCache, EvictsWholeLeavesOnly) {
  Tree tree(2);
  tree.insert(tokens({{6, a}}), {1, 2, 3}, {0, 12, 13});
  const PrefixChanges changes = tree.cache.evict(1);
  EXPECT_EQ(changes.freed, (Pages{2, 3, 1}));
  EXPECT_EQ(changes.freed_swa, (Pages{12, 13}));
  EXPECT_EQ(changes.remaps, (std::vector<Remap>{{2, 0}, {3, 0}}));
}

TEST(PrefixCache, KeepsWhatIsLockedAndTheWayToIt) {
  Tree tree;
  tree.insert(tokens({{6, a}}), {1, 2, 3});
  tree.insert(tokens({{2, b}}), {4});
  PrefixLock lock = tree.lock(tokens({{4, a}}));
  EXPECT_EQ(tree.show(), "0-4 1 2L | 4-6 3 | 0-2 4");
  EXPECT_EQ(tree.cache.evictable(), 2);
  PrefixLock again = tree.lock(tokens({{2, a}}));
  EXPECT_EQ(tree.show(), "0-2 1LL | 2-4 2L | 4-6 3 | 0-2 4");
  EXPECT_EQ(tree.cache.evict(9).freed, (Pages{3, 4}));
  EXPECT_EQ(tree.cache.unlock(lock), PrefixChanges());
  EXPECT_EQ(tree.cache.evict(9).freed, (Pages{2}));
  EXPECT_EQ(tree.cache.unlock(again), PrefixChanges());
  EXPECT_EQ(tree.cache.evict(9).freed, (Pages{1}));
}

TEST(PrefixCache, LocksSwaOnlyAsFarAsTheWindowLooksBack) {
  Tree tree(3);
  tree.insert(tokens({{8, a}}), {1, 2, 3, 4}, {11, 12, 13, 14});
  tree.lock(tokens({{2, a}}));
  tree.lock(tokens({{4, a}}));
  tree.lock(tokens({{6, a}}));
  EXPECT_EQ(tree.show(), "0-2 1 [11]LLLSS | 2-4 2 [12]LLSS | 4-6 3 [13]LS | 6-8 4 [14]");
  EXPECT_EQ(tree.cache.evictable(), 1);
  EXPECT_EQ(tree.cache.evictable_swa(), 1);
}

TEST(PrefixCache, TombstonesInnerNodesAndRemovesFreeLeaves) {
  Tree tree(2);
  tree.insert(tokens({{4, a}}), {1, 2}, {11, 12});
  tree.insert(tokens({{2, a}, {2, b}}), {1, 3}, {11, 13}, 2);
  EXPECT_EQ(tree.show(), "0-2 1 [11] | 2-4 2 [12] | 2-4 3 [13]");
  const PrefixChanges leaf = tree.cache.tombstone(1);
  EXPECT_EQ(leaf.freed_swa, (Pages{12}));
  EXPECT_EQ(leaf.freed, (Pages{2}));
  const PrefixChanges inner = tree.cache.tombstone(1);
  EXPECT_EQ(inner.freed_swa, (Pages{11}));
  EXPECT_EQ(inner.remaps, (std::vector<Remap>{{1, 0}}));
  EXPECT_TRUE(inner.freed.empty());
  EXPECT_EQ(tree.show(), "0-2 1 [0] | 2-4 3 [13]");
  const PrefixChanges rest = tree.cache.tombstone(5);
  EXPECT_EQ(rest.freed_swa, (Pages{13}));
  EXPECT_EQ(rest.freed, (Pages{3, 1}));
  EXPECT_EQ(tree.show(), "");
}

TEST(PrefixCache, KeepsSwaPagesWithinTheWindowOfALock) {
  Tree tree(2);
  tree.insert(tokens({{6, a}}), {1, 2, 3}, {11, 12, 13});
  PrefixLock lock = tree.lock(tokens({{6, a}}));
  EXPECT_EQ(tree.cache.tombstone(9), PrefixChanges());
  tree.cache.match(tokens({{6, a}}), 4);
  EXPECT_EQ(tree.show(), "0-4 1 2 [11] [12]LS | 4-6 3 [13]LS");
  tree.cache.unlock_swa(lock);
  tree.cache.unlock_swa(lock);
  EXPECT_EQ(tree.show(), "0-4 1 2 [11] [12]L | 4-6 3 [13]L");
  EXPECT_EQ(tree.cache.tombstone(9).freed_swa, (Pages{13, 11, 12}));
  EXPECT_EQ(tree.show(), "0-4 1 2 [0] [0]L | 4-6 3 [0]L");
  EXPECT_EQ(tree.cache.unlock(lock).freed, (Pages{3, 1, 2}));
  EXPECT_EQ(tree.show(), "");
}

TEST(PrefixCache, UnlocksWhatItLockedHoweverNodesWereSplit) {
  Tree tree(3);
  tree.insert(tokens({{2, a}}), {1}, {11});
  tree.insert(tokens({{10, a}}), {1, 2, 3, 4, 5}, {11, 12, 13, 14, 15}, 2);
  PrefixLock lock = tree.lock(tokens({{10, a}}));
  for (const std::int64_t at : {4, 8, 6}) tree.cache.match(tokens({{10, a}}), at);
  EXPECT_EQ(tree.show(), "0-2 1 [11]L | 2-4 2 [12]LS | 4-6 3 [13]LS | 6-8 4 [14]LS | 8-10 5 [15]LS");
  EXPECT_EQ(tree.cache.unlock(lock), PrefixChanges());
  EXPECT_EQ(tree.show(), "0-2 1 [11] | 2-4 2 [12] | 4-6 3 [13] | 6-8 4 [14] | 8-10 5 [15]");
}

TEST(PrefixCache, GivesUpALockOnce) {
  Tree tree(2);
  tree.insert(tokens({{2, a}}), {1}, {11});
  PrefixLock lock = tree.lock(tokens({{2, a}}));
  tree.cache.unlock(lock);
  EXPECT_EQ(tree.cache.unlock(lock), PrefixChanges());
  EXPECT_EQ(tree.show(), "0-2 1 [11]");
}

TEST(PrefixCache, ClearsEveryNode) {
  Tree tree(2);
  tree.insert(tokens({{8, a}}), {1, 2, 3, 4}, {0, 12, 0, 14});
  tree.insert(tokens({{2, a}, {2, b}}), {1, 5}, {0, 15}, 2);
  const PrefixChanges changes = tree.cache.clear();
  EXPECT_EQ(std::set<std::int32_t>(changes.freed.begin(), changes.freed.end()),
            (std::set<std::int32_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(std::set<std::int32_t>(changes.freed_swa.begin(), changes.freed_swa.end()),
            (std::set<std::int32_t>{12, 14, 15}));
  EXPECT_EQ(changes.freed.size() + changes.freed_swa.size(), 8u);
  EXPECT_EQ(tree.cache.nodes().full(), PrefixTally());
  EXPECT_EQ(tree.cache.nodes().swa(), PrefixTally());
}

TEST(PrefixCache, FindsItsWayAmongThousandsOfBeginnings) {
  Tree tree;
  for (std::int32_t i = 1; i <= 20'000; ++i)
    tree.insert(tokens({{4, base_of(static_cast<std::uint64_t>(i), 0)}}), {2 * i, 2 * i + 1});
  EXPECT_EQ(tree.cache.match(tokens({{4, base_of(777, 0)}}), 4).pages, (Pages{1554, 1555}));
  EXPECT_EQ(tree.cache.evictable(), 40'000);
  EXPECT_EQ(tree.cache.evict(2 * 776 + 1).freed.size(), 1554u);
  EXPECT_EQ(tree.cache.match(tokens({{4, base_of(777, 0)}}), 4).tokens, 4);
  EXPECT_EQ(tree.cache.match(tokens({{4, base_of(778, 0)}}), 4).tokens, 0);
}

TEST(PrefixCache, LetsGoOfAWholeChainOfTombstones) {
  Tree tree(1);
  constexpr std::int32_t columns = 500;
  const Content content = tokens({{2 * columns, a}});
  Pages pages, swa_pages;
  for (std::int32_t column = 0; column < columns; ++column) {
    pages.push_back(column + 1);
    swa_pages.push_back(column + 1);
    tree.insert(content, pages, swa_pages, 2 * column);
  }
  EXPECT_EQ(tree.cache.nodes().in_order().size(), 500u);
  PrefixLock lock = tree.lock(content);
  EXPECT_EQ(tree.cache.tombstone(columns).freed_swa.size(), 499u);
  EXPECT_EQ(tree.cache.unlock(lock), PrefixChanges());
  EXPECT_EQ(tree.cache.evict(1).freed.size(), 500u);
}

}  // namespace
}  // namespace pagestorm::sim
