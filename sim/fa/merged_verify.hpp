#pragma once
// A tree verify in one pass, for sliding-window layers: each draft token has a row of its own, prefix and tree in one.

#include <cstdint>
#include <span>
#include <vector>

#include "pagestorm/views.hpp"
#include "rows.hpp"
#include "verify_expand.hpp"

namespace pagestorm::sim::fa {

/// Neighbouring positions of a prefix: what a draft token attends to of it.
struct PrefixPart {
  std::int64_t first = 0;  ///< 0 or more
  std::int64_t count = 0;  ///< 0 or more
};

/// One row with one query for each draft token of each row of the batch.
struct MergedVerify {
  Rows slots;                               ///< [rows * n][K]: slots of the prefix, then of the draft tokens seen
  std::vector<std::int64_t> cache_seqlens;  ///< [rows * n]: K, the sum of both counts
  std::vector<std::int64_t> cu_seqlens_q;   ///< [rows * n + 1]: one query a row
  std::vector<std::int64_t> cu_seqlens_k;   ///< [rows * n + 1]
};

/// The parts [0, lengths[r]) for each of the n draft tokens of each row: no prefix is trimmed to the window. Throws
/// std::invalid_argument when n is not above 0.
std::vector<PrefixPart> whole_prefixes(std::span<const std::int64_t> lengths, std::int64_t draft_tokens);

/// `prefix_slots` is [rows, positions], one slot a token: the page size is 1. Positions beyond its columns give slot 0.
/// `parts` is [rows * n]. Slots of both sources are those of the SWA pool already: each token is translated before rows
/// are merged. Throws std::invalid_argument when rows, parts and expand do not fit together, or a part is negative.
MergedVerify merge_verify(const Matrix<const std::int32_t>& prefix_slots, std::span<const PrefixPart> parts,
                          const VerifyExpand& expand);

}  // namespace pagestorm::sim::fa
