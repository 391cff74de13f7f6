#pragma once
// Which draft tokens of its request a draft token sees, when drafts form a tree.

#include <cstdint>
#include <span>
#include <vector>

namespace pagestorm::sim::fa {

/// For each row of the batch an n x n matrix of draft tokens: 1 where token j sees token t, 0 where it does not.
struct TreeMask {
  std::int64_t draft_tokens = 0;   ///< n, N of target_verify
  std::vector<std::uint8_t> sees;  ///< [rows, n, n], row-major

  std::int64_t rows() const {
    return draft_tokens == 0 ? 0 : static_cast<std::int64_t>(sees.size()) / (draft_tokens * draft_tokens);
  }
  bool at(std::int64_t row, std::int64_t j, std::int64_t t) const {
    return sees[static_cast<std::size_t>((row * draft_tokens + j) * draft_tokens + t)] != 0;
  }

  bool operator==(const TreeMask&) const = default;
};

/// The mask in which a token sees itself and its ancestors. `parents` is [rows, n]: the token of the same row that a
/// token follows, below itself, or -1 for one that follows the prefix. Throws std::invalid_argument when n is not above
/// 0, does not divide the number of parents, or a parent does not come before its child.
TreeMask tree_mask(std::span<const std::int64_t> parents, std::int64_t draft_tokens);

/// The same from the flat mask that engines hand to attention: row r brings n lines, one after the other, of
/// lengths[r] + n columns each, of which the last n are its draft tokens; not 0 means "sees". What comes after the last
/// line is not looked at. `padded` rows follow, which have no lines of their own: all their elements are element 0 of
/// the flat mask, as in a replayed graph. Throws std::invalid_argument when n is not above 0, `padded` or a length is
/// negative, the mask ends before the last line, or there are padded rows and no element 0.
TreeMask draft_columns(std::span<const std::uint8_t> full, std::span<const std::int64_t> lengths,
                       std::int64_t draft_tokens, std::int64_t padded = 0);

}  // namespace pagestorm::sim::fa
