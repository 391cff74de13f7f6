#pragma once
// Where a draft of several branches keeps its tokens: each branch in pages of its own, behind the prefix.

#include <cstdint>
#include <vector>

namespace pagestorm::sim::fa {

/// The shape of a draft with `branches` branches of `steps` tokens each.
struct DraftShape {
  std::int64_t page_size = 1;  ///< P, tokens, above 0
  std::int64_t branches = 1;   ///< k, above 0
  std::int64_t steps = 1;      ///< T, tokens of a branch, above 0
};

/// Throws std::invalid_argument where a number of the shape is not above 0.
void require_shape(const DraftShape& shape);

/// Where branches lie in the row of a request whose prefix is L tokens long, in positions of that row.
struct BranchLayout {
  std::int64_t base = 0;    ///< where branch 0 begins: the first position of the page in which the prefix ends
  std::int64_t stride = 0;  ///< from branch to branch: the whole pages that hold a tail and T tokens
  std::int64_t tail = 0;    ///< tokens of the prefix in its last page, when it does not fill it: L mod P

  /// The position of a branch's token of one step, from 0.
  std::int64_t position(std::int64_t branch, std::int64_t step) const { return base + branch * stride + tail + step; }

  bool operator==(const BranchLayout&) const = default;
};

/// A token whose KV is copied from one position to another.
struct TokenCopy {
  std::int64_t from = 0;
  std::int64_t to = 0;

  bool operator==(const TokenCopy&) const = default;
};

/// base = P (L div P), stride = P ceil((L mod P + T) / P): the layout of SGLang #26972. With pages of one token
/// branches follow each other without gaps. This and the rest throw std::invalid_argument when a number of the shape is
/// not above 0 or the length is negative.
BranchLayout branch_layout(std::int64_t length, const DraftShape& shape);

/// The position of each draft token, [branches][steps]: row by row what `out_cache_loc` names the slots of.
std::vector<std::vector<std::int64_t>> branch_positions(std::int64_t length, const DraftShape& shape);

/// The copies that put the prefix's tail before every branch but 0, which has it in place: whole pages of a branch can
/// then be read. In rising order of where they go.
std::vector<TokenCopy> tail_copies(std::int64_t length, const DraftShape& shape);

/// Positions after L that hold all branches, their last pages whole, whatever L is: k P ceil((P - 1 + T) / P).
std::int64_t branch_room(const DraftShape& shape);

/// The most pages that one branch lies in, its tail included: ceil((P - 1 + T) / P).
std::int64_t branch_pages(const DraftShape& shape);

}  // namespace pagestorm::sim::fa
