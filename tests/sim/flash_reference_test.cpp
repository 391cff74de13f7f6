// The reference of the FlashAttention family takes any contents; sim/fa takes those that mean something. Where both speak, they
// say the same.

#include <gtest/gtest.h>

#include <vector>

#include "sim/fa/draft_expand.hpp"
#include "sim/fa/local_blocks.hpp"
#include "sim/fa/merged_verify.hpp"
#include "sim/fa/tree_mask.hpp"
#include "sim/fa/verify_expand.hpp"
#include "sim/flash/draft_tree.hpp"
#include "sim/flash/reference.hpp"
#include "sim/rng.hpp"

namespace pagestorm::sim {
namespace {

using Numbers = std::vector<std::int64_t>;

IntVector view(const Numbers& numbers) {
  return {numbers.data(), static_cast<std::int64_t>(numbers.size()), 1, IntType::int64};
}

std::vector<std::int32_t> narrow(const Numbers& numbers) { return {numbers.begin(), numbers.end()}; }

void expect_row(const FlashReference& got, std::int64_t row, const std::vector<std::int32_t>& want, std::int64_t keys) {
  ASSERT_EQ(got.keys(row), keys);
  ASSERT_LE(got.cells(row).size(), want.size());
  for (std::size_t c = 0; c < got.cells(row).size(); ++c) ASSERT_EQ(got.cells(row)[c], want[c]) << row << " " << c;
}

/// Rows of draft tokens that form trees, and their masks in both layouts.
struct Trees {
  std::int64_t n = 1;
  Numbers lengths, slots, indices, parents;
  std::vector<std::uint8_t> whole;
  std::vector<std::int32_t> prefix;  ///< req_to_token, 9 positions a row

  explicit Trees(Rng& rng) : n(rng.between(1, 9)) {
    const std::int64_t rows = rng.between(0, 4);
    for (std::int64_t r = 0; r < rows; ++r) {
      lengths.push_back(rng.between(0, 9));
      indices.push_back(r);
      const DraftTree tree = draft_tree(rng.next(), n, rng.between(1, 3));
      parents.insert(parents.end(), tree.parents.begin(), tree.parents.end());
      for (std::int64_t t = 0; t < n; ++t) slots.push_back(100 * (r + 1) + 3 * t);
      for (std::int32_t p = 0; p < 9; ++p) prefix.push_back(static_cast<std::int32_t>(10 * r) + p + 1);
    }
    const fa::TreeMask mask = fa::tree_mask(parents, n);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t j = 0; j < n; ++j) {
        whole.insert(whole.end(), static_cast<std::size_t>(lengths[static_cast<std::size_t>(r)]), 1);
        for (std::int64_t t = 0; t < n; ++t) whole.push_back(mask.at(r, j, t) ? 1 : 0);
      }
  }

  FlashBatch batch(FlashOp op) const {
    FlashBatch batch{.op = op,
                     .rows = static_cast<std::int64_t>(lengths.size()),
                     .tokens_per_row = static_cast<std::int32_t>(n),
                     .whole_mask = true};
    batch.req_to_token = {prefix.data(), batch.rows, 9, 9, 1};
    batch.req_pool_indices = view(indices);
    batch.seq_lens = view(lengths);
    batch.out_cache_loc = view(slots);
    batch.tree_mask = {whole.data(), static_cast<std::int64_t>(whole.size()), 1};
    return batch;
  }
};

TEST(FlashReference, OfATreeVerifyIsThatOfItsMask) {
  Rng rng(11);
  for (int round = 0; round < 300; ++round) {
    const Trees trees(rng);
    const fa::VerifyExpand expand = fa::expand_verify(fa::tree_mask(trees.parents, trees.n), narrow(trees.slots));
    FlashReference got;
    got.compute(trees.batch(FlashOp::verify_expand), static_cast<std::int64_t>(expand.slots.size()), trees.n);
    ASSERT_EQ(got.rows(), static_cast<std::int64_t>(expand.slots.size()));
    for (std::int64_t r = 0; r < got.rows(); ++r) {
      expect_row(got, r, expand.slots[static_cast<std::size_t>(r)], expand.cache_seqlens[static_cast<std::size_t>(r)]);
      ASSERT_EQ(got.sum_k(r + 1), expand.cu_seqlens_k[static_cast<std::size_t>(r) + 1]);
    }
    ASSERT_EQ(got.status(), 0u);
  }
}

TEST(FlashReference, OfAMergedVerifyIsPrefixAndPath) {
  Rng rng(12);
  for (int round = 0; round < 300; ++round) {
    const Trees trees(rng);
    const auto rows = static_cast<std::int64_t>(trees.lengths.size());
    const fa::MergedVerify merged =
        fa::merge_verify({trees.prefix.data(), rows, 9, 9, 1}, fa::whole_prefixes(trees.lengths, trees.n),
                         fa::expand_verify(fa::tree_mask(trees.parents, trees.n), narrow(trees.slots)));
    FlashBatch batch = trees.batch(FlashOp::merged_verify);
    batch.window = static_cast<std::int32_t>(rng.between(0, 12));
    FlashReference got;
    got.compute(batch, rows * trees.n, 32);
    for (std::int64_t r = 0; r < got.rows(); ++r) {
      std::vector<std::int32_t> want = merged.slots[static_cast<std::size_t>(r)];
      // What the window leaves is the end of it.
      if (batch.window > 0 && static_cast<std::int64_t>(want.size()) > batch.window)
        want.erase(want.begin(), want.end() - batch.window);
      expect_row(got, r, want, static_cast<std::int64_t>(want.size()));
    }
  }
}

TEST(FlashReference, OfADraftStepHasThePagesOfItsBranches) {
  Rng rng(13);
  for (int round = 0; round < 300; ++round) {
    const fa::DraftShape shape{rng.between(1, 5), rng.between(1, 4), rng.between(1, 7)};
    const std::int64_t step = rng.between(0, shape.steps - 1);
    Numbers lengths, slots;
    for (std::int64_t r = rng.between(0, 3); r > 0; --r) {
      lengths.push_back(rng.between(0, 20));
      // Each page of the row is somewhere else.
      for (const auto& branch : fa::branch_positions(lengths.back(), shape))
        for (const std::int64_t p : branch)
          slots.push_back((1000 - 7 * (p / shape.page_size)) * shape.page_size + p % shape.page_size);
    }
    const fa::DraftExpand expand = fa::expand_draft(narrow(slots), lengths, shape, step, fa::branch_pages(shape));
    FlashBatch batch{.op = FlashOp::draft_expand,
                     .page_size = static_cast<std::int32_t>(shape.page_size),
                     .rows = static_cast<std::int64_t>(lengths.size()),
                     .branches = static_cast<std::int32_t>(shape.branches),
                     .draft_steps = static_cast<std::int32_t>(shape.steps),
                     .draft_step = static_cast<std::int32_t>(step)};
    batch.seq_lens = view(lengths);
    batch.out_cache_loc = view(slots);
    FlashReference got;
    got.compute(batch, batch.rows * shape.branches, step + 2);
    for (std::int64_t r = 0; r < got.rows(); ++r)
      expect_row(got, r, expand.page_table[static_cast<std::size_t>(r)],
                 expand.cache_seqlens[static_cast<std::size_t>(r)]);
    for (std::int64_t b = 0; b < batch.rows; ++b)
      ASSERT_EQ(got.prefix(b), expand.prefix_seqlens[static_cast<std::size_t>(b)]);
    ASSERT_EQ(got.status(), 0u) << "every step fits into i + 2 columns";
  }
}

TEST(FlashReference, OfLocalAttentionHasTheBlocksOfEachRow) {
  Rng rng(14);
  for (int round = 0; round < 300; ++round) {
    const std::int64_t size = rng.between(1, 4);
    const std::int64_t chunk = size * rng.between(1, 5);
    Numbers keys, queries, indices;
    std::vector<std::int32_t> slots, pages;
    constexpr std::int64_t columns = 30;
    for (std::int64_t r = 0; r < rng.between(0, 4); ++r) {
      keys.push_back(rng.between(1, columns));
      queries.push_back(rng.between(1, keys.back()));
      indices.push_back(r);
      for (std::int64_t p = 0; p < columns; ++p)
        slots.push_back(static_cast<std::int32_t>((900 - 40 * r - p / size) * size + p % size));
      for (std::int64_t p = 0; p < columns; p += size)
        pages.push_back(static_cast<std::int32_t>(900 - 40 * r - p / size));
    }
    const auto rows = static_cast<std::int64_t>(keys.size());
    const fa::LocalBlocks blocks = fa::local_blocks(chunk, queries, keys);
    const std::int64_t width = (columns + size - 1) / size;
    const fa::Rows table = fa::local_page_table(blocks, chunk, size, {pages.data(), rows, width, width, 1});
    FlashBatch batch{.op = FlashOp::local_blocks,
                     .page_size = static_cast<std::int32_t>(size),
                     .rows = rows,
                     .chunk = static_cast<std::int32_t>(chunk)};
    batch.req_to_token = {slots.data(), rows, columns, columns, 1};
    batch.req_pool_indices = view(indices);
    batch.seq_lens = view(keys);
    batch.query_lens = view(queries);
    FlashReference got;
    got.compute(batch, static_cast<std::int64_t>(table.size()) + 2, chunk / size);
    ASSERT_EQ(got.rows(), static_cast<std::int64_t>(table.size()) + 2);
    for (std::size_t j = 0; j < table.size(); ++j) {
      expect_row(got, static_cast<std::int64_t>(j), table[j], blocks.cache_seqlens[j]);
      ASSERT_EQ(got.sum_q(static_cast<std::int64_t>(j) + 1), blocks.cu_seqlens_q[j + 1]);
    }
    ASSERT_EQ(got.keys(got.rows() - 1), 0) << "rows after the last block are empty";
  }
}

TEST(FlashReference, OfAModelWithAnEncoderCutsTheRowInTwo) {
  const Numbers text{2, 1}, encoders{1, 3}, indices{0, 1};
  const std::vector<std::int32_t> slots{4, 5, 6, 7, 14, 15, 16, 17};
  FlashBatch batch{.op = FlashOp::encoder_table, .rows = 2, .req_to_token = {slots.data(), 2, 4, 4, 1}};
  batch.req_pool_indices = view(indices);
  batch.seq_lens = view(text);
  batch.prompt_lens = view(encoders);
  FlashReference got;
  got.compute(batch, 2, 4);
  expect_row(got, 0, {4}, 1);
  expect_row(got, 1, {14, 15, 16}, 3);
  batch.op = FlashOp::text_table;
  got.compute(batch, 2, 4);
  expect_row(got, 0, {5, 6}, 2);
  expect_row(got, 1, {17}, 1);
}

TEST(FlashReference, OfAScheduleHasNoTableAndZerosAfterTheLastRow) {
  const Numbers lengths{8, 9, 0};
  FlashBatch batch{.op = FlashOp::schedule, .rows = 3, .chunk = 4};
  batch.seq_lens = view(lengths);
  FlashReference got;
  got.compute(batch, 3, 0, schedule_size(5));
  EXPECT_EQ(got.schedule(), (std::vector<std::int32_t>{0, 2, 3, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(got.live(1), 0);
  EXPECT_EQ(got.status(), 0u);
}

TEST(DraftTree, IsAChainWhereNobodyHasTwoChildren) {
  const DraftTree tree = draft_tree(3, 4, 1);
  EXPECT_EQ(tree.parents, (Numbers{-1, 0, 1, 2}));
  EXPECT_EQ(tree.deepest(), 4);
  EXPECT_EQ(tree.path_of_depth(2), (Numbers{0, 1}));
  EXPECT_EQ(tree.path_of_depth(0), Numbers{});
}

TEST(DraftTree, GivesNobodyMoreChildrenThanAsked) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const DraftTree tree = draft_tree(seed, 40, 3);
    Numbers children(40, 0);
    for (std::size_t t = 1; t < tree.parents.size(); ++t) {
      ASSERT_LT(tree.parents[t], static_cast<std::int64_t>(t));
      ASSERT_LE(++children[static_cast<std::size_t>(tree.parents[t])], 3);
    }
    const Numbers path = tree.path_of_depth(tree.deepest());
    ASSERT_EQ(static_cast<std::int64_t>(path.size()), tree.deepest());
    ASSERT_EQ(path.front(), 0);
  }
}

}  // namespace
}  // namespace pagestorm::sim
