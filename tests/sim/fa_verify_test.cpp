// Tree verify: masks, the expand pass, and merged rows of sliding-window layers. Vectors V4 and V5.

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <vector>

#include "sim/fa/merged_verify.hpp"
#include "sim/fa/tree_mask.hpp"
#include "sim/fa/verify_expand.hpp"
#include "sim/rng.hpp"

namespace pagestorm::sim::fa {
namespace {

using Lengths = std::vector<std::int64_t>;
using Slots = std::vector<std::int32_t>;

// Tokens 1 and 2 both follow token 0.
const TreeMask fork = {3, {1, 0, 0, 1, 1, 0, 1, 0, 1}};
const Slots fork_slots = {8, 9, 10};

Matrix<const std::int32_t> view(const Slots& slots, std::int64_t rows) {
  const std::int64_t columns = rows == 0 ? 0 : static_cast<std::int64_t>(slots.size()) / rows;
  return {slots.data(), rows, columns, columns, 1};
}

TEST(VerifyExpand, OfVectorV4ListsWhatIsSeenThenTheRest) {
  const VerifyExpand expand = expand_verify(fork, fork_slots);
  EXPECT_EQ(expand.slots, (Rows{{8, 9, 10}, {8, 9, 10}, {8, 10, 9}}));
  EXPECT_EQ(expand.cache_seqlens, (Lengths{1, 2, 2}));
  EXPECT_EQ(expand.cu_seqlens_k, (Lengths{0, 1, 3, 5}));
}

TEST(MergedVerify, OfVectorV5HasThePrefixBeforeWhatIsSeen) {
  const Slots prefix = {11, 12, 13};
  const MergedVerify merged =
      merge_verify(view(prefix, 1), whole_prefixes(Lengths{3}, 3), expand_verify(fork, fork_slots));
  EXPECT_EQ(merged.slots, (Rows{{11, 12, 13, 8}, {11, 12, 13, 8, 9}, {11, 12, 13, 8, 10}}));
  EXPECT_EQ(merged.cache_seqlens, (Lengths{4, 5, 5}));
  EXPECT_EQ(merged.cu_seqlens_q, (Lengths{0, 1, 2, 3}));
  EXPECT_EQ(merged.cu_seqlens_k, (Lengths{0, 4, 9, 14}));
}

TEST(TreeMask, OfParentsIsThatOfTheFork) { EXPECT_EQ(tree_mask(Lengths{-1, 0, 0}, 3), fork); }

TEST(TreeMask, OfAFullMaskIsItsLastColumns) {
  // Prefixes of 2 and 0 tokens; the second row is a chain of two after which nothing follows.
  const std::vector<std::uint8_t> full = {1, 1, 1, 0, 1, 1, 1, 1, /**/ 1, 0, 0, 1, /* beyond */ 0};
  EXPECT_EQ(draft_columns(full, Lengths{2, 0}, 2), (TreeMask{2, {1, 0, 1, 1, 1, 0, 0, 1}}));
}

TEST(TreeMask, OfPaddedRowsRepeatsTheFirstElement) {
  const std::vector<std::uint8_t> full = {1, 1, 0, 1, 1, 1};
  const TreeMask mask = draft_columns(full, Lengths{1}, 2, 1);
  EXPECT_EQ(mask, (TreeMask{2, {1, 0, 1, 1, 1, 1, 1, 1}}));
  EXPECT_EQ(expand_verify(mask, Slots{4, 5, 0, 0}).cache_seqlens, (Lengths{1, 2, 2, 2}));
}

TEST(MergedVerify, TrimsThePrefixAndReadsNothingBeyondItsColumns) {
  const Slots prefix = {11, 12, 13, 21, 22, 23};
  const VerifyExpand expand = expand_verify(tree_mask(Lengths{-1, -1}, 1), Slots{8, 9});
  const MergedVerify merged = merge_verify(view(prefix, 2), std::vector<PrefixPart>{{1, 2}, {2, 3}}, expand);
  EXPECT_EQ(merged.slots, (Rows{{12, 13, 8}, {23, 0, 0, 9}}));
}

TEST(MergedVerify, HonoursStrides) {
  const Slots prefix = {11, -9, 12, -9, -9, 21, -9, 22, -9, -9};
  const VerifyExpand expand = expand_verify(tree_mask(Lengths{-1, -1}, 1), Slots{8, 9});
  const MergedVerify merged = merge_verify({prefix.data(), 2, 2, 5, 2}, whole_prefixes(Lengths{2, 1}, 1), expand);
  EXPECT_EQ(merged.slots, (Rows{{11, 12, 8}, {21, 9}}));
}

TEST(Verify, OfAnEmptyBatchHasTheZeros) {
  const VerifyExpand expand = expand_verify(tree_mask(Lengths{}, 4), Slots{});
  EXPECT_EQ(expand.cu_seqlens_k, (Lengths{0}));
  EXPECT_EQ(merge_verify({}, {}, expand).cu_seqlens_q, (Lengths{0}));
}

TEST(Verify, RefusesWhatMeansNothing) {
  const std::vector<std::uint8_t> full = {1, 1};
  EXPECT_THROW(tree_mask(Lengths{-1}, 0), std::invalid_argument);
  EXPECT_THROW(tree_mask(Lengths{-1, 0, -1}, 2), std::invalid_argument);
  EXPECT_THROW(tree_mask(Lengths{-1, 1}, 2), std::invalid_argument);
  EXPECT_THROW(draft_columns(full, Lengths{2}, 1), std::invalid_argument);
  EXPECT_THROW(draft_columns(full, Lengths{-1}, 1), std::invalid_argument);
  EXPECT_THROW(draft_columns(full, Lengths{INT64_MAX}, 1), std::invalid_argument);
  EXPECT_THROW(draft_columns(full, Lengths{1}, 1, -1), std::invalid_argument);
  EXPECT_THROW(draft_columns({}, {}, 1, 1), std::invalid_argument);
  EXPECT_THROW(expand_verify(fork, Slots{8, 9}), std::invalid_argument);
  EXPECT_THROW(expand_verify({0, {}}, Slots{}), std::invalid_argument);
  EXPECT_THROW(expand_verify({2, {1, 0, 1}}, Slots{}), std::invalid_argument);
  EXPECT_THROW(expand_verify({2, {1, 0, 1, 0}}, Slots{8, 9}), std::invalid_argument);
  const VerifyExpand expand = expand_verify(fork, fork_slots);
  EXPECT_THROW(merge_verify(view(fork_slots, 1), whole_prefixes(Lengths{3}, 2), expand), std::invalid_argument);
  EXPECT_THROW(merge_verify({}, whole_prefixes(Lengths{3}, 3), expand), std::invalid_argument);
  EXPECT_THROW(merge_verify(view(fork_slots, 1), whole_prefixes(Lengths{-1}, 3), expand), std::invalid_argument);
  EXPECT_THROW(whole_prefixes(Lengths{3}, 0), std::invalid_argument);
}

// --- random trees: a token sees itself and its ancestors, found by following parents

struct Forest {
  std::int64_t n = 1;
  Lengths parents, lengths;
  Slots slots;

  explicit Forest(Rng& rng) : n(rng.between(1, 9)) {
    const std::int64_t rows = rng.between(0, 4);
    for (std::int64_t r = 0; r < rows; ++r) lengths.push_back(rng.between(0, 6));
    for (std::int64_t i = 0; i < rows * n; ++i) {
      parents.push_back(rng.between(-1, i % n - 1));
      slots.push_back(static_cast<std::int32_t>(1000 + i));
    }
  }
  std::size_t rows() const { return lengths.size(); }

  // Slots of token i's ancestors and itself.
  std::set<std::int32_t> path(std::int64_t i) const {
    std::set<std::int32_t> path;
    for (std::int64_t j = i % n; j >= 0; j = parents[static_cast<std::size_t>(i / n * n + j)])
      path.insert(slots[static_cast<std::size_t>(i / n * n + j)]);
    return path;
  }
};

TEST(VerifyExpand, OfRandomTreesSeesTheAncestorsAndNoMore) {
  Rng rng(4);
  for (int round = 0; round < 300; ++round) {
    const Forest forest(rng);
    const VerifyExpand expand = expand_verify(tree_mask(forest.parents, forest.n), forest.slots);
    ASSERT_EQ(expand.slots.size(), forest.slots.size());
    for (std::size_t i = 0; i < expand.slots.size(); ++i) {
      const Slots& row = expand.slots[i];
      const std::set<std::int32_t> path = forest.path(static_cast<std::int64_t>(i));
      const auto seen = static_cast<std::ptrdiff_t>(path.size());
      ASSERT_EQ(expand.cache_seqlens[i], seen);
      ASSERT_TRUE(std::equal(path.begin(), path.end(), row.begin(), row.begin() + seen));
      ASSERT_EQ(row[path.size() - 1], forest.slots[i]) << "the token itself is the last that it sees";
      ASSERT_TRUE(std::is_sorted(row.begin() + seen, row.end()));
      ASSERT_EQ(std::set<std::int32_t>(row.begin(), row.end()).size(), static_cast<std::size_t>(forest.n));
    }
  }
}

TEST(TreeMask, OfRandomFullMasksIsThatOfTheTrees) {
  Rng rng(40);
  for (int round = 0; round < 300; ++round) {
    const Forest forest(rng);
    const TreeMask mask = tree_mask(forest.parents, forest.n);
    std::vector<std::uint8_t> full;
    for (std::int64_t r = 0; r < mask.rows(); ++r)
      for (std::int64_t j = 0; j < forest.n; ++j) {
        full.insert(full.end(), static_cast<std::size_t>(forest.lengths[static_cast<std::size_t>(r)]), 1);
        for (std::int64_t t = 0; t < forest.n; ++t) full.push_back(mask.at(r, j, t) ? 1 : 0);
      }
    ASSERT_EQ(draft_columns(full, forest.lengths, forest.n), mask);
  }
}

// The two passes of full layers read what the one pass of windowed layers does, when nothing is trimmed.
TEST(MergedVerify, OfRandomTreesIsThePrefixAndTheAncestors) {
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    const Forest forest(rng);
    Slots prefix;
    for (std::size_t r = 0; r < forest.rows(); ++r)
      for (std::int32_t p = 0; p < 6; ++p) prefix.push_back(static_cast<std::int32_t>(10 * r) + p + 1);
    const MergedVerify merged =
        merge_verify(view(prefix, static_cast<std::int64_t>(forest.rows())), whole_prefixes(forest.lengths, forest.n),
                     expand_verify(tree_mask(forest.parents, forest.n), forest.slots));
    for (std::size_t i = 0; i < merged.slots.size(); ++i) {
      const std::size_t r = i / static_cast<std::size_t>(forest.n);
      const std::set<std::int32_t> path = forest.path(static_cast<std::int64_t>(i));
      Slots want(prefix.begin() + static_cast<std::ptrdiff_t>(6 * r),
                 prefix.begin() + static_cast<std::ptrdiff_t>(6 * r) + forest.lengths[r]);
      want.insert(want.end(), path.begin(), path.end());
      ASSERT_EQ(merged.slots[i], want);
      ASSERT_EQ(merged.cache_seqlens[i], static_cast<std::int64_t>(want.size()));
    }
  }
}

}  // namespace
}  // namespace pagestorm::sim::fa
