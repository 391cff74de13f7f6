#include "local_blocks.hpp"

#include <algorithm>

#include "require.hpp"

namespace pagestorm::sim::fa {

LocalBlocks local_blocks(std::int64_t chunk, std::span<const std::int64_t> q_lens,
                         std::span<const std::int64_t> k_lens) {
  require(chunk > 0, "chunk must be above 0, is {}", chunk);
  require(q_lens.size() == k_lens.size(), "{} rows have queries, {} have keys", q_lens.size(), k_lens.size());
  LocalBlocks blocks;
  for (std::size_t r = 0; r < q_lens.size(); ++r) {
    const std::int64_t end = k_lens[r];
    require(q_lens[r] > 0 && q_lens[r] <= end, "row {} must have 1 to {} queries, has {}", r, end, q_lens[r]);
    // From the first query on, one block up to the end of each chunk or of the row.
    for (std::int64_t query = end - q_lens[r]; query < end;) {
      const std::int64_t first = query / chunk * chunk;
      const std::int64_t stop = std::min(first + chunk, end);
      blocks.row.push_back(static_cast<std::int64_t>(r));
      blocks.q_lens.push_back(stop - query);
      blocks.cache_seqlens.push_back(stop - first);
      blocks.first_keys.push_back(first);
      query = stop;
    }
  }
  blocks.cu_seqlens_q = cu_seqlens(blocks.q_lens);
  return blocks;
}

Rows local_page_table(const LocalBlocks& blocks, std::int64_t chunk, std::int64_t page_size,
                      const Matrix<const std::int32_t>& page_table) {
  require(page_size > 0 && chunk > 0 && chunk % page_size == 0, "chunk {} must be a multiple of page size {}", chunk,
          page_size);
  require(page_table.cols > 0, "page_table must have columns");
  Rows table;
  for (std::size_t j = 0; j < blocks.row.size(); ++j) {
    const std::int64_t row = blocks.row[j];
    require(row >= 0 && row < page_table.rows, "page_table has {} rows, block {} is of row {}", page_table.rows, j,
            row);
    auto& pages = table.emplace_back();
    for (std::int64_t c = 0; c < chunk / page_size; ++c) {
      const std::int64_t column = std::min(blocks.first_keys[j] / page_size + c, page_table.cols - 1);
      pages.push_back(page_table.data[row * page_table.row_stride + column * page_table.col_stride]);
    }
  }
  return table;
}

}  // namespace pagestorm::sim::fa
