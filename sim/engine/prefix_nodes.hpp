#pragma once
// The nodes of the prefix cache: a radix tree over whole pages that knows at any time what it could let go.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "content.hpp"
#include "idle_queue.hpp"

namespace pagestorm::sim {

/// Names a node as long as it is in the tree. A split leaves the name with the part that ends where the node ended.
using NodeId = std::int32_t;

/// A stretch of a content, to look up what equals it.
struct ContentPart {
  const Content& whole;
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// Orders contents as `<` does, and finds one by a part of another without making it.
struct ByContent {
  using is_transparent = void;
  bool operator()(const Content& a, const Content& b) const { return a < b; }
  bool operator()(const Content& a, const ContentPart& b) const { return std::is_lt(a.compare(b.whole, b.from, b.to)); }
  bool operator()(const ContentPart& a, const Content& b) const { return std::is_gt(b.compare(a.whole, a.from, a.to)); }
};

/// A stretch of positions, from a page boundary to a page boundary, and the pages that hold their KV.
struct PrefixNode {
  NodeId parent = 0;
  Content content;                      ///< says where the stretch begins and ends
  std::vector<std::int32_t> pages;      ///< full pages, by column
  std::vector<std::int32_t> swa_pages;  ///< SWA page behind each: none without SWA; all 0 (a tombstone) or none of them
  std::int64_t locks = 0;
  std::int64_t swa_locks = 0;
  std::uint64_t last_use = 0;                     ///< of any two, the smaller was used earlier
  bool changed = false;                           ///< whether PrefixNodes::changed() names it
  std::map<Content, NodeId, ByContent> children;  ///< by the content of their first page

  bool leaf() const { return children.empty(); }
  bool backed() const { return !swa_pages.empty() && swa_pages.front() != 0; }
  bool tombstone() const { return !swa_pages.empty() && swa_pages.front() == 0; }
};

/// How many pages of one pool the tree owns, and how many of them are locked.
struct PrefixTally {
  std::int64_t owned = 0;
  std::int64_t locked = 0;

  friend bool operator==(const PrefixTally&, const PrefixTally&) = default;
};

class PrefixNodes {
 public:
  /// Holds no tokens, is never locked, never removed, and the parent of all.
  static constexpr NodeId root = 0;

  /// Forgets all nodes but the root.
  void start(std::int64_t page_size);

  const PrefixNode& operator[](NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }

  /// The child of `parent` that begins with the first page of `content` behind it; root if there is none. Asserts that
  /// `content` has that page.
  NodeId child(NodeId parent, const Content& content) const;

  /// Adds a node below `parent`, where its content begins. Asserts that no child begins alike.
  NodeId add(NodeId parent, PrefixNode node);

  /// Splits a node at position `at`, a page boundary within it or its end, and names the part that ends there.
  NodeId cut(NodeId id, std::int64_t at);

  /// Takes a leaf out of the tree.
  PrefixNode remove(NodeId id);

  /// Marks as used last of all.
  void touch(NodeId id) {
    at(id).last_use = ++clock_;
    note(id);
  }

  /// Changes pages, SWA pages or locks of a node.
  template <class Change>
  void change(NodeId id, Change what) {
    unlist(id);
    what(at(id));
    list(id);
  }

  /// The leaf used least recently of those that may be removed: nobody locks them.
  std::optional<NodeId> oldest_leaf() { return oldest(leaves_, may_go); }

  /// The node used least recently of those whose SWA pages may go: nobody locks them for SWA.
  std::optional<NodeId> oldest_backed() { return oldest(backed_, may_lose_swa); }

  const PrefixTally& full() const { return full_; }
  const PrefixTally& swa() const { return swa_; }

  /// Nodes that were added, changed or removed since forget_changes(); what no longer exists holds no pages.
  std::span<const NodeId> changed() const { return changed_; }
  void forget_changes();

  /// All nodes but the root: parents before children, children in the order of their content.
  std::vector<NodeId> in_order() const;

 private:
  using Fits = bool (*)(const PrefixNode&);

  std::optional<NodeId> oldest(IdleQueue& queue, Fits fits);
  static bool may_go(const PrefixNode& node) { return node.leaf() && node.locks == 0; }
  static bool may_lose_swa(const PrefixNode& node) { return node.backed() && node.swa_locks == 0; }

  PrefixNode& at(NodeId id) { return nodes_[static_cast<std::size_t>(id)]; }
  NodeId place(PrefixNode node);
  Content first_page(const Content& content, std::int64_t from) const;
  void list(NodeId id);
  void unlist(NodeId id);
  void count(const PrefixNode& node, std::int64_t sign);
  void note(NodeId id);

  std::int64_t page_size_ = 1;
  std::uint64_t clock_ = 0;
  std::deque<PrefixNode> nodes_;
  std::vector<NodeId> spare_;
  std::vector<NodeId> changed_;
  IdleQueue leaves_;
  IdleQueue backed_;
  PrefixTally full_;
  PrefixTally swa_;
};

}  // namespace pagestorm::sim
