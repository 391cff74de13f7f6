#pragma once
// The second pass of a tree verify: each draft token attends to the draft tokens that it sees. The first pass attends
// to the prefix; attention merges the two.

#include <cstdint>
#include <span>
#include <vector>

#include "rows.hpp"
#include "tree_mask.hpp"

namespace pagestorm::sim::fa {

/// One row for each draft token of each row of the batch. The table names slots, as with pages of one token, whatever
/// the page size of the pools.
struct VerifyExpand {
  std::int64_t draft_tokens = 0;            ///< n
  Rows slots;                               ///< [rows * n][n]: of the tokens that are seen, then of those that are not
  std::vector<std::int64_t> cache_seqlens;  ///< [rows * n]: how many are seen, 1 to n
  std::vector<std::int64_t> cu_seqlens_k;   ///< [rows * n + 1]

  bool operator==(const VerifyExpand&) const = default;
};

/// `draft_slots` is [rows, n]: the slot of each draft token, which is what `out_cache_loc` of a verify holds. In each
/// part of a row slots are in the order of their tokens. Throws std::invalid_argument when the mask is not whole, there
/// are not n slots for each of its rows, or a token does not see itself. That a token sees no later one is taken on
/// trust: padded rows do see them.
VerifyExpand expand_verify(const TreeMask& mask, std::span<const std::int32_t> draft_slots);

}  // namespace pagestorm::sim::fa
