#pragma once
// The tree that the draft tokens of a request form, drawn from a seed.

#include <cstdint>
#include <vector>

namespace pagestorm::sim {

struct DraftTree {
  std::vector<std::int64_t> parents;  ///< of each token a token before it; -1 of token 0, the root
  std::vector<std::int64_t> depths;   ///< tokens from the root to a token, both included

  std::int64_t deepest() const;

  /// The tokens from the root to the last token of that depth, in order; none of depth 0. Asserts that there is one.
  std::vector<std::int64_t> path_of_depth(std::int64_t depth) const;
};

/// Of which tree the next verify of a request is.
std::uint64_t tree_seed(std::int64_t serial, std::int64_t verifies);

/// A tree of n tokens in which none has more than `children`; with 1 a chain. The same for the same arguments.
DraftTree draft_tree(std::uint64_t seed, std::int64_t n, std::int64_t children);

}  // namespace pagestorm::sim
