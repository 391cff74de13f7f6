#include "draft_tree.hpp"

#include <algorithm>
#include <cassert>

#include "../rng.hpp"

namespace pagestorm::sim {

std::int64_t DraftTree::deepest() const { return *std::max_element(depths.begin(), depths.end()); }

std::vector<std::int64_t> DraftTree::path_of_depth(std::int64_t depth) const {
  std::vector<std::int64_t> path;
  if (depth == 0) return path;
  const auto last = std::find(depths.rbegin(), depths.rend(), depth);
  assert(last != depths.rend());
  for (std::int64_t token = depths.rend() - last - 1; token >= 0; token = parents[static_cast<std::size_t>(token)])
    path.insert(path.begin(), token);
  return path;
}

std::uint64_t tree_seed(std::int64_t serial, std::int64_t verifies) {
  return sub_seed(static_cast<std::uint64_t>(serial) + 1, static_cast<std::uint64_t>(verifies));
}

DraftTree draft_tree(std::uint64_t seed, std::int64_t n, std::int64_t children) {
  Rng rng(seed);
  DraftTree tree{{-1}, {1}};
  std::vector<std::int64_t> has(static_cast<std::size_t>(n), 0);
  for (std::int64_t token = 1; token < n; ++token) {
    // Every other token continues what came last, so that paths are long; the rest go where there is room.
    auto parent = static_cast<std::size_t>(rng.one_in(2) ? token - 1 : rng.between(0, token - 1));
    while (has[parent] == children) parent = (parent + 1) % static_cast<std::size_t>(token);
    ++has[parent];
    tree.parents.push_back(static_cast<std::int64_t>(parent));
    tree.depths.push_back(tree.depths[parent] + 1);
  }
  return tree;
}

}  // namespace pagestorm::sim
