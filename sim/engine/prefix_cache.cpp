#include "prefix_cache.hpp"

#include <algorithm>
#include <cassert>

namespace pagestorm::sim {

void PrefixCache::start(std::int64_t page_size, bool swa, std::int64_t window) {
  assert(!swa || window >= 1);
  page_size_ = page_size;
  swa_ = swa;
  window_ = swa ? window : 0;
  nodes_.start(page_size);
  owned_.clear();
  owned_swa_.clear();
}

PrefixMatch PrefixCache::match(const Content& content, std::int64_t limit) {
  const std::int64_t stop = usable(content, whole_pages(std::min(limit, content.known())));
  PrefixMatch match;
  for (std::size_t i = 0; match.tokens < stop; ++i) {
    match.node = nodes_.cut(path_[i], std::min(stop, nodes_[path_[i]].content.end()));
    nodes_.touch(match.node);
    const PrefixNode& node = nodes_[match.node];
    match.tokens = node.content.end();
    match.pages.insert(match.pages.end(), node.pages.begin(), node.pages.end());
    match.swa_pages.insert(match.swa_pages.end(), node.swa_pages.begin(), node.swa_pages.end());
  }
  return match;
}

// The end of the longest prefix, of at most `stop` tokens, whose tail suffices. Before position 0 nothing is missing.
// path_ names the nodes up to there, and further ones.
std::int64_t PrefixCache::usable(const Content& content, std::int64_t stop) {
  std::int64_t usable = 0;
  std::int64_t since_tombstone = window_;
  NodeId node = PrefixNodes::root;
  path_.clear();
  for (std::int64_t position = 0; position < stop && position == nodes_[node].content.end();) {
    node = nodes_.child(node, content);
    if (node == PrefixNodes::root) break;
    path_.push_back(node);
    const std::int64_t same = whole_pages(content.common(nodes_[node].content, position, stop));
    since_tombstone = nodes_[node].tombstone() ? 0 : since_tombstone + same;
    position += same;
    if (tail_suffices(since_tombstone)) usable = position;
  }
  return usable;
}

PrefixLock PrefixCache::lock(NodeId node) {
  PrefixLock lock{.node = node};
  std::int64_t covered = 0;
  for (NodeId at = node; at != PrefixNodes::root; at = nodes_[at].parent) {
    const bool in_window = covered < window_;
    nodes_.change(at, [&](PrefixNode& locked) {
      ++locked.locks;
      locked.swa_locks += in_window ? 1 : 0;
    });
    if (in_window) lock.swa_from = nodes_[at].content.first();
    covered += nodes_[at].content.size();
  }
  return lock;
}

// Whoever split a node since has put it at a position of its own: what was locked begins where it began.
void PrefixCache::unlock_swa(PrefixLock& lock) {
  for (NodeId at = lock.node; at != PrefixNodes::root && nodes_[at].content.first() >= lock.swa_from;
       at = nodes_[at].parent) {
    assert(nodes_[at].swa_locks > 0);
    nodes_.change(at, [](PrefixNode& node) { --node.swa_locks; });
  }
  lock.swa_from = PrefixLock::no_swa;
}

PrefixChanges PrefixCache::unlock(PrefixLock& lock) {
  unlock_swa(lock);
  for (NodeId at = lock.node; at != PrefixNodes::root; at = nodes_[at].parent) {
    assert(nodes_[at].locks > 0);
    nodes_.change(at, [](PrefixNode& node) { --node.locks; });
  }
  PrefixChanges changes;
  if (useless(lock.node)) remove(lock.node, changes);
  lock = {};
  return changes;
}

}  // namespace pagestorm::sim
