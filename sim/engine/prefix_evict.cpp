#include <cassert>

#include "prefix_cache.hpp"

namespace pagestorm::sim {
namespace {

std::int64_t count(const std::vector<std::int32_t>& pages) { return static_cast<std::int64_t>(pages.size()); }

}  // namespace

PrefixChanges PrefixCache::evict(std::int64_t pages) {
  PrefixChanges changes;
  while (count(changes.freed) < pages) {
    const std::optional<NodeId> leaf = nodes_.oldest_leaf();
    if (!leaf) break;
    remove(*leaf, changes);
  }
  return changes;
}

PrefixChanges PrefixCache::tombstone(std::int64_t swa_pages) {
  PrefixChanges changes;
  while (count(changes.freed_swa) < swa_pages) {
    const std::optional<NodeId> backed = nodes_.oldest_backed();
    if (!backed) break;
    bury(*backed, changes);
  }
  return changes;
}

PrefixChanges PrefixCache::clear() {
  assert(nodes_.full().locked == 0);
  return evict(nodes_.full().owned);
}

// A tombstone leaf that nobody locks: no request can go on from it.
bool PrefixCache::useless(NodeId id) const {
  return nodes_[id].tombstone() && nodes_[id].leaf() && nodes_[id].locks == 0;
}

// Removes a leaf, and the nodes above it that have become useless.
void PrefixCache::remove(NodeId id, PrefixChanges& changes) {
  do {
    const PrefixNode node = nodes_.remove(id);
    for (std::size_t at = 0; at < node.pages.size(); ++at) {
      owned_.erase(node.pages[at]);
      changes.freed.push_back(node.pages[at]);
      if (node.backed()) release_swa(node.pages[at], node.swa_pages[at], changes);
    }
    id = node.parent;
  } while (useless(id));
}

void PrefixCache::bury(NodeId id, PrefixChanges& changes) {
  nodes_.change(id, [&](PrefixNode& node) {
    for (std::size_t at = 0; at < node.pages.size(); ++at) {
      release_swa(node.pages[at], node.swa_pages[at], changes);
      node.swa_pages[at] = 0;
    }
  });
  if (useless(id)) remove(id, changes);
}

// Whoever finds the full page in the map from now on must not find the SWA page behind it.
void PrefixCache::release_swa(std::int32_t page, std::int32_t swa_page, PrefixChanges& changes) {
  owned_swa_.erase(swa_page);
  changes.freed_swa.push_back(swa_page);
  changes.remaps.push_back({page, 0});
}

}  // namespace pagestorm::sim
