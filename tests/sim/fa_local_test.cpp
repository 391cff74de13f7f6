// Local attention as rows of a virtual batch. Vectors V8 and V9.

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "sim/fa/local_blocks.hpp"
#include "sim/rng.hpp"

namespace pagestorm::sim::fa {
namespace {

using Lengths = std::vector<std::int64_t>;

Matrix<const std::int32_t> view(const std::vector<std::int32_t>& cells, std::int64_t rows) {
  const std::int64_t columns = static_cast<std::int64_t>(cells.size()) / rows;
  return {cells.data(), rows, columns, columns, 1};
}

TEST(LocalBlocks, OfVectorV8EndWhereChunksEnd) {
  const LocalBlocks blocks = local_blocks(4, Lengths{4, 10, 5}, Lengths{6, 17, 9});
  EXPECT_EQ(blocks.row, (Lengths{0, 0, 1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(blocks.q_lens, (Lengths{2, 2, 1, 4, 4, 1, 4, 1}));
  EXPECT_EQ(blocks.cache_seqlens, (Lengths{4, 2, 4, 4, 4, 1, 4, 1}));
  EXPECT_EQ(blocks.first_keys, (Lengths{0, 4, 4, 8, 12, 16, 4, 8}));
  EXPECT_EQ(blocks.cu_seqlens_q, (Lengths{0, 2, 4, 5, 9, 13, 14, 18, 19}));
}

TEST(LocalBlocks, OfVectorV8HaveThePagesOfTheirChunks) {
  const LocalBlocks blocks = local_blocks(4, Lengths{4, 10, 5}, Lengths{6, 17, 9});
  std::vector<std::int32_t> pages;  // three rows of nine pages of two tokens
  for (std::int32_t row = 1; row <= 3; ++row)
    for (std::int32_t column = 0; column < 9; ++column) pages.push_back(10 * row + column);
  EXPECT_EQ(local_page_table(blocks, 4, 2, view(pages, 3)),
            (Rows{{10, 11}, {12, 13}, {22, 23}, {24, 25}, {26, 27}, {28, 28}, {32, 33}, {34, 35}}));
}

TEST(LocalBlocks, OfVectorV9AreOneForAPromptShorterThanTheChunk) {
  EXPECT_EQ(local_blocks(8192, Lengths{1000}, Lengths{1000}), (LocalBlocks{{0}, {1000}, {1000}, {0}, {0, 1000}}));
  // A chunk that shrinks to whole pages of the longest row, 16 * (1000 div 16) = 992, splits the same prompt.
  EXPECT_EQ(local_blocks(992, Lengths{1000}, Lengths{1000}),
            (LocalBlocks{{0, 0}, {992, 8}, {992, 8}, {0, 992}, {0, 992, 1000}}));
}

TEST(LocalBlocks, OfADecodeAreOneARow) {
  const LocalBlocks blocks = local_blocks(4, Lengths{1, 1, 1}, Lengths{1, 4, 5});
  EXPECT_EQ(blocks.cache_seqlens, (Lengths{1, 4, 1}));
  EXPECT_EQ(blocks.first_keys, (Lengths{0, 0, 4}));
  EXPECT_EQ(blocks.cu_seqlens_q, (Lengths{0, 1, 2, 3}));
}

TEST(LocalBlocks, OfAnEmptyBatchAreNone) { EXPECT_EQ(local_blocks(4, {}, {}), (LocalBlocks{{}, {}, {}, {}, {0}})); }

TEST(LocalBlocks, RefuseWhatMeansNothing) {
  EXPECT_THROW(local_blocks(0, Lengths{1}, Lengths{1}), std::invalid_argument);
  EXPECT_THROW(local_blocks(4, Lengths{1}, Lengths{}), std::invalid_argument);
  EXPECT_THROW(local_blocks(4, Lengths{0}, Lengths{1}), std::invalid_argument);
  EXPECT_THROW(local_blocks(4, Lengths{2}, Lengths{1}), std::invalid_argument);
  const LocalBlocks blocks = local_blocks(4, Lengths{1, 1}, Lengths{1, 1});
  const std::vector<std::int32_t> pages = {5, 6};
  EXPECT_THROW(local_page_table(blocks, 4, 3, view(pages, 2)), std::invalid_argument);
  EXPECT_THROW(local_page_table(blocks, 4, 0, view(pages, 2)), std::invalid_argument);
  EXPECT_THROW(local_page_table(blocks, 4, 4, view(pages, 1)), std::invalid_argument);
  EXPECT_THROW(local_page_table(blocks, 4, 4, {pages.data(), 2, 0, 0, 1}), std::invalid_argument);
}

// --- random batches against the mask: query t sees key k when k is not later and in the same chunk

struct Drawn {
  std::int64_t page_size = 1;
  std::int64_t chunk = 1;
  Lengths queries, keys;
};

Drawn drawn(Rng& rng) {
  Drawn drawn{.page_size = rng.between(1, 5)};
  drawn.chunk = drawn.page_size * rng.between(1, 5);
  for (std::int64_t rows = rng.between(1, 4); rows > 0; --rows) {
    drawn.keys.push_back(rng.between(1, 40));
    drawn.queries.push_back(rng.between(1, drawn.keys.back()));
  }
  return drawn;
}

TEST(LocalBlocks, OfRandomBatchesReadWhatTheMaskShows) {
  Rng rng(8);
  for (int round = 0; round < 400; ++round) {
    const Drawn one = drawn(rng);
    const auto rows = static_cast<std::int64_t>(one.keys.size());
    const std::int64_t columns = (*std::ranges::max_element(one.keys) + one.page_size - 1) / one.page_size;
    std::vector<std::int32_t> pages;  // page 100 r + c in column c of row r
    for (std::int64_t i = 0; i < rows * columns; ++i)
      pages.push_back(static_cast<std::int32_t>(100 * (i / columns) + i % columns));
    const LocalBlocks blocks = local_blocks(one.chunk, one.queries, one.keys);
    const Rows table = local_page_table(blocks, one.chunk, one.page_size, view(pages, rows));

    std::size_t j = 0;
    for (std::size_t r = 0; r < one.keys.size(); ++r) {
      std::int64_t query = one.keys[r] - one.queries[r];
      for (; j < blocks.row.size() && blocks.row[j] == static_cast<std::int64_t>(r); ++j) {
        const std::int64_t before = blocks.cache_seqlens[j] - blocks.q_lens[j];  // keys before the first query
        for (std::int64_t u = 0; u < blocks.q_lens[j]; ++u, ++query) {
          std::vector<std::int64_t> got, want;
          for (std::int64_t k = 0; k <= before + u; ++k)
            got.push_back(table[j][static_cast<std::size_t>(k / one.page_size)] * one.page_size + k % one.page_size);
          for (std::int64_t k = 0; k <= query; ++k)
            if (k / one.chunk == query / one.chunk)
              want.push_back(static_cast<std::int64_t>(100 * r) * one.page_size + k);
          ASSERT_EQ(got, want);
        }
      }
      ASSERT_EQ(query, one.keys[r]) << "blocks tile the queries of row " << r;
    }
    ASSERT_EQ(j, blocks.row.size());
  }
}

TEST(LocalBlocks, OfRandomBatchesAreThoseOfTheirRows) {
  Rng rng(9);
  for (int round = 0; round < 200; ++round) {
    const Drawn one = drawn(rng);
    const LocalBlocks together = local_blocks(one.chunk, one.queries, one.keys);
    LocalBlocks alone;
    for (std::size_t r = 0; r < one.keys.size(); ++r) {
      const LocalBlocks row = local_blocks(one.chunk, Lengths{one.queries[r]}, Lengths{one.keys[r]});
      alone.row.insert(alone.row.end(), row.row.size(), static_cast<std::int64_t>(r));
      alone.q_lens.insert(alone.q_lens.end(), row.q_lens.begin(), row.q_lens.end());
      alone.cache_seqlens.insert(alone.cache_seqlens.end(), row.cache_seqlens.begin(), row.cache_seqlens.end());
      alone.first_keys.insert(alone.first_keys.end(), row.first_keys.begin(), row.first_keys.end());
    }
    alone.cu_seqlens_q = cu_seqlens(alone.q_lens);
    ASSERT_EQ(together, alone);
  }
}

}  // namespace
}  // namespace pagestorm::sim::fa
