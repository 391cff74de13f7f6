#pragma once
// The second pass of a draft step with branches: each branch attends to its own pages. The first pass attends to the
// whole pages of the prefix; attention merges the two.

#include <cstdint>
#include <span>
#include <vector>

#include "draft_branches.hpp"
#include "rows.hpp"

namespace pagestorm::sim::fa {

/// One row with one query for each branch of each row of the batch.
struct DraftExpand {
  Rows page_table;                           ///< [rows * k][width]: pages of the branch, all steps; then zeros
  std::vector<std::int64_t> cache_seqlens;   ///< [rows * k]: tail and tokens up to the step; decides the live prefix
  std::vector<std::int64_t> prefix_seqlens;  ///< [rows]: K of the first pass, whole pages in tokens, may be 0
};

/// Draft step `step`, 0 to T - 1, of rows with the given lengths. `branch_slots` is [rows, k, T]: the slot of each
/// draft token, laid out as in draft_branches.hpp. Neighbours in one page give one column. `width` is in columns;
/// branch_pages() of them always do. Throws std::invalid_argument on a shape, step, length or number of slots that
/// means nothing, on a slot that does not stand in its page where its position does, and where a branch has more pages
/// than columns.
DraftExpand expand_draft(std::span<const std::int32_t> branch_slots, std::span<const std::int64_t> lengths,
                         const DraftShape& shape, std::int64_t step, std::int64_t width);

}  // namespace pagestorm::sim::fa
