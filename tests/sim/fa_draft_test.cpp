// Drafts of several branches: where they lie, and the expand pass that reads them. Vectors V6, V7 and V13.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#include "sim/fa/draft_branches.hpp"
#include "sim/fa/draft_expand.hpp"
#include "sim/rng.hpp"

namespace pagestorm::sim::fa {
namespace {

using Lengths = std::vector<std::int64_t>;
using Slots = std::vector<std::int32_t>;
using Positions = std::vector<std::vector<std::int64_t>>;

TEST(DraftBranches, OfVectorV6LieInPagesOfTheirOwn) {
  const DraftShape shape = {.page_size = 4, .branches = 2, .steps = 3};
  EXPECT_EQ(branch_layout(6, shape), (BranchLayout{.base = 4, .stride = 8, .tail = 2}));
  EXPECT_EQ(branch_positions(6, shape), (Positions{{6, 7, 8}, {14, 15, 16}}));
  EXPECT_EQ(tail_copies(6, shape), (std::vector<TokenCopy>{{4, 12}, {5, 13}}));
}

TEST(DraftBranches, AfterWholePagesHaveNoTail) {
  const DraftShape shape = {.page_size = 4, .branches = 3, .steps = 2};
  EXPECT_EQ(branch_positions(8, shape), (Positions{{8, 9}, {12, 13}, {16, 17}}));
  EXPECT_TRUE(tail_copies(8, shape).empty());
}

TEST(DraftBranches, InPagesOfOneTokenFollowEachOther) {
  const DraftShape shape = {.page_size = 1, .branches = 2, .steps = 3};
  EXPECT_EQ(branch_positions(5, shape), (Positions{{5, 6, 7}, {8, 9, 10}}));
  EXPECT_EQ(branch_room(shape), 6);
}

TEST(DraftExpand, OfVectorV7NamesEachPageOnce) {
  const DraftShape shape = {.page_size = 4, .branches = 1, .steps = 3};
  const DraftExpand first = expand_draft(Slots{22, 23, 36}, Lengths{6}, shape, 0, 4);
  EXPECT_EQ(first.page_table, (Rows{{5, 9, 0, 0}}));
  EXPECT_EQ(first.cache_seqlens, (Lengths{3}));
  EXPECT_EQ(first.prefix_seqlens, (Lengths{4}));
  const DraftExpand second = expand_draft(Slots{22, 23, 36}, Lengths{6}, shape, 1, 4);
  EXPECT_EQ(second.page_table, first.page_table);
  EXPECT_EQ(second.cache_seqlens, (Lengths{4}));
}

TEST(DraftExpand, InPagesOfOneTokenNamesEverySlot) {
  const DraftShape shape = {.page_size = 1, .branches = 2, .steps = 2};
  const DraftExpand expand = expand_draft(Slots{7, 3, 9, 5}, Lengths{4}, shape, 1, 2);
  EXPECT_EQ(expand.page_table, (Rows{{7, 3}, {9, 5}}));
  EXPECT_EQ(expand.cache_seqlens, (Lengths{2, 2}));
  EXPECT_EQ(expand.prefix_seqlens, (Lengths{4}));
}

// Vector V13: a table of i + 2 columns, as captured graphs have had, is too narrow for the pages of all steps.
TEST(DraftExpand, OfVectorV13DoesNotFitIntoACapturedTable) {
  struct Narrow {
    std::int64_t page_size, steps, step, pages;
  };
  for (const auto& [page_size, steps, step, pages] : {Narrow{2, 4, 0, 3}, {2, 6, 1, 4}, {2, 8, 2, 5}, {4, 6, 0, 3}}) {
    const DraftShape shape = {page_size, 1, steps};
    const std::int64_t tail = page_size - 1;
    Slots slots;
    for (std::int64_t s = 0; s < steps; ++s) slots.push_back(static_cast<std::int32_t>(40 * page_size + tail + s));
    EXPECT_EQ(branch_pages(shape), pages);
    EXPECT_THROW(expand_draft(slots, Lengths{tail}, shape, step, step + 2), std::invalid_argument);
    EXPECT_NO_THROW(expand_draft(slots, Lengths{tail}, shape, step, pages));
  }
}

TEST(Draft, RefusesWhatMeansNothing) {
  const DraftShape shape = {.page_size = 4, .branches = 1, .steps = 2};
  EXPECT_THROW(branch_layout(-1, shape), std::invalid_argument);
  EXPECT_THROW(branch_layout(1, {0, 1, 1}), std::invalid_argument);
  EXPECT_THROW(branch_positions(1, {1, 0, 1}), std::invalid_argument);
  EXPECT_THROW(tail_copies(1, {1, 1, 0}), std::invalid_argument);
  EXPECT_THROW(branch_room({1, -1, 1}), std::invalid_argument);
  EXPECT_THROW(expand_draft(Slots{22, 23}, Lengths{6}, shape, 2, 2), std::invalid_argument);
  EXPECT_THROW(expand_draft(Slots{22, 23}, Lengths{6}, shape, -1, 2), std::invalid_argument);
  EXPECT_THROW(expand_draft(Slots{}, Lengths{}, {4, 0, 2}, 0, 2), std::invalid_argument);
  EXPECT_THROW(expand_draft(Slots{22}, Lengths{6}, shape, 0, 2), std::invalid_argument);
  EXPECT_THROW(expand_draft(Slots{22, 23}, Lengths{-2}, shape, 0, 2), std::invalid_argument);
  EXPECT_THROW(expand_draft(Slots{22, 24}, Lengths{6}, shape, 0, 2), std::invalid_argument) << "offset 0 for 3";
  EXPECT_THROW(expand_draft(Slots{-2, 23}, Lengths{6}, shape, 0, 2), std::invalid_argument);
}

// --- random shapes

struct Drawn {
  DraftShape shape;
  std::int64_t length = 0;
};

Drawn drawn(Rng& rng) {
  return {{.page_size = rng.between(1, 9), .branches = rng.between(1, 5), .steps = rng.between(1, 9)},
          rng.between(0, 40)};
}

TEST(DraftBranches, OfRandomShapesStayInTheirRoomAndApart) {
  Rng rng(6);
  for (int round = 0; round < 1000; ++round) {
    const auto [shape, length] = drawn(rng);
    std::map<std::int64_t, std::int64_t> branch_of;  // by page of the row
    const Positions positions = branch_positions(length, shape);
    for (std::size_t b = 0; b < positions.size(); ++b)
      for (const std::int64_t position : positions[b]) {
        ASSERT_GE(position, length);
        ASSERT_LE(position - length, branch_room(shape));
        const auto branch = static_cast<std::int64_t>(b);
        ASSERT_EQ(branch_of.try_emplace(position / shape.page_size, branch).first->second, branch);
      }
    const BranchLayout layout = branch_layout(length, shape);
    ASSERT_LE(layout.base + shape.branches * layout.stride - length, branch_room(shape)) << "last pages whole";
  }
}

// Every branch reads, in its live columns, the prefix's tail and then its own tokens up to the step.
TEST(DraftExpand, OfRandomShapesReadsTheTailAndTheBranch) {
  Rng rng(7);
  for (int round = 0; round < 500; ++round) {
    const auto [shape, length] = drawn(rng);
    const std::int64_t size = shape.page_size;
    const std::int64_t step = rng.between(0, shape.steps - 1);
    const auto slot_at = [size](std::int64_t position) { return (300 - position / size) * size + position % size; };
    std::map<std::int64_t, std::int64_t> held;  // slot to what it holds: a position of the prefix, or a draft token's
    for (std::int64_t p = 0; p < length; ++p) held[slot_at(p)] = p;
    Slots slots;
    for (const auto& branch : branch_positions(length, shape))
      for (const std::int64_t p : branch) {
        slots.push_back(static_cast<std::int32_t>(slot_at(p)));
        held[slot_at(p)] = 1000 + p;
      }
    for (const auto& [from, to] : tail_copies(length, shape)) held[slot_at(to)] = held.at(slot_at(from));

    const DraftExpand expand = expand_draft(slots, Lengths{length}, shape, step, branch_pages(shape));
    ASSERT_EQ(expand.prefix_seqlens[0] % size, 0);
    for (std::size_t b = 0; b < expand.page_table.size(); ++b) {
      std::vector<std::int64_t> got, want;
      for (std::int64_t k = 0; k < expand.cache_seqlens[b]; ++k)
        got.push_back(held.at(expand.page_table[b][static_cast<std::size_t>(k / size)] * size + k % size));
      for (std::int64_t p = expand.prefix_seqlens[0]; p < length; ++p) want.push_back(p);
      const auto positions = branch_positions(length, shape)[b];
      for (std::int64_t s = 0; s <= step; ++s) want.push_back(1000 + positions[static_cast<std::size_t>(s)]);
      ASSERT_EQ(got, want);
    }
  }
}

}  // namespace
}  // namespace pagestorm::sim::fa
