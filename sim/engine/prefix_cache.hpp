#pragma once
// The prefix cache: finished and unfinished requests leave whole pages of KV behind, and later requests that begin alike
// use them. It touches neither pools nor rows nor the full-to-SWA map: what must happen to them is returned.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "page_set.hpp"
#include "prefix_nodes.hpp"

namespace pagestorm::sim {

/// A column of the caller's row that must name page `to` where it names page `from`. `swa_page` is behind `to` now.
struct Rewrite {
  std::int64_t column = 0;
  std::int32_t from = 0;
  std::int32_t to = 0;
  std::int32_t swa_page = 0;

  friend bool operator==(const Rewrite&, const Rewrite&) = default;
};

/// The full-to-SWA map must send all slots of full page `page` to those of `swa_page`, to 0 if that is 0.
struct Remap {
  std::int32_t page = 0;
  std::int32_t swa_page = 0;

  friend bool operator==(const Remap&, const Remap&) = default;
};

/// What the caller must do after an operation, in any order: no page is in two lists. A page that is freed is remapped to
/// 0 if anything was behind it, and the SWA page is freed by its own entry or has found another full page.
struct PrefixChanges {
  std::vector<Rewrite> rewrites;
  std::vector<Remap> remaps;
  std::vector<std::int32_t> freed;
  std::vector<std::int32_t> freed_swa;

  friend bool operator==(const PrefixChanges&, const PrefixChanges&) = default;
};

/// The longest usable prefix: a multiple of the page size. To keep it, lock `node` before anything else is done.
struct PrefixMatch {
  std::int64_t tokens = 0;
  std::vector<std::int32_t> pages;
  std::vector<std::int32_t> swa_pages;  ///< by column, 0 = tombstone; empty without SWA
  NodeId node = PrefixNodes::root;
};

/// Keeps the path to a node: its full pages, and SWA pages from position `swa_from` on.
struct PrefixLock {
  static constexpr std::int64_t no_swa = std::numeric_limits<std::int64_t>::max();

  NodeId node = PrefixNodes::root;
  std::int64_t swa_from = no_swa;
};

/// A request's row, as insert() takes it.
struct PrefixRow {
  const Content& content;
  std::int64_t tokens = 0;                  ///< how many to insert, from position 0; cut down to whole known pages
  std::span<const std::int32_t> pages;      ///< by column, for all of them
  std::span<const std::int32_t> swa_pages;  ///< as many, 0 = none; empty without SWA
  std::int64_t shared = 0;                  ///< tokens whose pages the request has from the tree and keeps locked
};

/// The tree owns the pages of the first `tokens` tokens now, up to the end of `node`; what follows is still the caller's.
struct PrefixInsert {
  std::int64_t tokens = 0;
  NodeId node = PrefixNodes::root;
  PrefixChanges changes;
};

class PrefixCache {
 public:
  /// An empty tree. `window` is what SWA layers look back, 1 or more tokens; of no account without `swa`.
  void start(std::int64_t page_size, bool swa, std::int64_t window);

  /// The longest prefix of `content` in the tree, of `limit` tokens at most, that a request may go on from: with SWA the
  /// last `window` tokens of it have SWA pages, or all of it if it is shorter. Its nodes count as used.
  PrefixMatch match(const Content& content, std::int64_t limit);

  /// Puts a row into the tree. Where the tree has the content already, its page replaces the caller's, which is freed;
  /// where it has a tombstone and the caller an SWA page, it recovers: it adopts the caller's pages, or, if somebody
  /// locks the node, keeps its own full page and takes the SWA page alone. New columns are adopted; those at the end
  /// that have no SWA page are not: nothing can go on from them.
  PrefixInsert insert(const PrefixRow& row);

  /// Locks the path to a node, and for SWA as much of its end as covers `window` tokens.
  PrefixLock lock(NodeId node);

  /// Gives up the SWA part of a lock early: its user has moved a window beyond it. Once is enough, more do nothing.
  void unlock_swa(PrefixLock& lock);

  /// Gives up a lock. A tombstone that became an unlocked leaf is removed.
  PrefixChanges unlock(PrefixLock& lock);

  /// Removes leaves that nobody locks, the least recently used first, until `pages` full pages are free or none is left.
  PrefixChanges evict(std::int64_t pages);

  /// Frees SWA pages that nobody locks, the least recently used first, until `swa_pages` are free or none is left. Inner
  /// nodes and locked leaves become tombstones; leaves that nobody locks are removed whole.
  PrefixChanges tombstone(std::int64_t swa_pages);

  /// Removes all nodes. Asserts that none is locked.
  PrefixChanges clear();

  const PrefixNodes& nodes() const { return nodes_; }
  void forget_changes() { nodes_.forget_changes(); }
  bool owns(std::int32_t page) const { return owned_.contains(page); }
  bool owns_swa(std::int32_t page) const { return owned_swa_.contains(page); }

  /// Full pages that evict() could free, and SWA pages that tombstone() could.
  std::int64_t evictable() const { return nodes_.full().owned - nodes_.full().locked; }
  std::int64_t evictable_swa() const { return nodes_.swa().owned - nodes_.swa().locked; }

 private:
  std::int64_t whole_pages(std::int64_t tokens) const { return tokens / page_size_ * page_size_; }
  std::int64_t usable(const Content& content, std::int64_t stop);
  bool tail_suffices(std::int64_t tokens_since_tombstone) const { return tokens_since_tombstone >= window_; }

  bool brings(const PrefixRow& row, const PrefixNode& node, std::int64_t column) const;
  bool recovers(const PrefixRow& row, const PrefixNode& node, std::int64_t column) const;
  std::int64_t alike(const PrefixRow& row, const PrefixNode& node, std::int64_t end) const;
  void meet(const PrefixRow& row, NodeId id, PrefixChanges& changes);
  void replace(const PrefixRow& row, const PrefixNode& node, std::int64_t column, PrefixChanges& changes);
  void recover(const PrefixRow& row, PrefixNode& node, std::int64_t column, PrefixChanges& changes);
  void adopt(const PrefixRow& row, std::int64_t stop, PrefixInsert& done);

  bool useless(NodeId id) const;
  void remove(NodeId id, PrefixChanges& changes);
  void bury(NodeId id, PrefixChanges& changes);
  void release_swa(std::int32_t page, std::int32_t swa_page, PrefixChanges& changes);

  std::int64_t page_size_ = 1;
  bool swa_ = false;
  std::int64_t window_ = 1;
  PrefixNodes nodes_;
  PageSet owned_;
  PageSet owned_swa_;
  std::vector<NodeId> path_;  ///< what usable() walked
};

}  // namespace pagestorm::sim
