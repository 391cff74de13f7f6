#pragma once
// Local attention: a query sees the keys of its own chunk, up to itself. Each row of the batch is cut into blocks, rows
// of a virtual batch, for which causal attention gives just that.

#include <cstdint>
#include <span>
#include <vector>

#include "pagestorm/views.hpp"
#include "rows.hpp"

namespace pagestorm::sim::fa {

/// The rows of the virtual batch: the blocks of batch row 0, then those of row 1, and so on. Lengths are in tokens.
struct LocalBlocks {
  std::vector<std::int64_t> row;            ///< [blocks]: batch row that a block is of
  std::vector<std::int64_t> q_lens;         ///< [blocks]: queries, 1 to the chunk
  std::vector<std::int64_t> cache_seqlens;  ///< [blocks]: keys, 1 to the chunk; the last query stands at the last key
  std::vector<std::int64_t> first_keys;     ///< [blocks]: position of the first key, a multiple of the chunk
  std::vector<std::int64_t> cu_seqlens_q;   ///< [blocks + 1]

  bool operator==(const LocalBlocks&) const = default;
};

/// The blocks of rows with q_lens[r] queries, above 0, that stand at the end of k_lens[r] keys. Chunks begin at the
/// multiples of `chunk` in each row, whatever else is in the batch and however short the row is. Throws
/// std::invalid_argument when the chunk is not above 0, there are not as many q_lens as k_lens, or a row has no queries
/// or more queries than keys.
LocalBlocks local_blocks(std::int64_t chunk, std::span<const std::int64_t> q_lens,
                         std::span<const std::int64_t> k_lens);

/// The blocks' page table, [blocks][chunk / page_size], from that of the batch, [batch rows, columns] in pages. A
/// column beyond the last is the last: it lies after the keys. Throws std::invalid_argument when the chunk is not a
/// multiple of the page size, or a block names a row that the table has not, or the table has no columns.
Rows local_page_table(const LocalBlocks& blocks, std::int64_t chunk, std::int64_t page_size,
                      const Matrix<const std::int32_t>& page_table);

}  // namespace pagestorm::sim::fa
