#include <algorithm>
#include <cassert>

#include "prefix_cache.hpp"

namespace pagestorm::sim {
namespace {

std::size_t index(std::int64_t column) { return static_cast<std::size_t>(column); }

std::vector<std::int32_t> part(std::span<const std::int32_t> pages, std::int64_t from, std::int64_t to) {
  return {pages.begin() + from, pages.begin() + to};
}

}  // namespace

PrefixInsert PrefixCache::insert(const PrefixRow& row) {
  const std::int64_t stop = whole_pages(std::min(row.tokens, row.content.known()));
  assert(static_cast<std::int64_t>(row.pages.size()) * page_size_ >= stop);
  assert(row.swa_pages.size() == (swa_ ? row.pages.size() : 0));
  PrefixInsert done;
  while (done.tokens < stop) {
    const NodeId child = nodes_.child(done.node, row.content);
    if (child == PrefixNodes::root) break;
    const std::int64_t same = whole_pages(row.content.common(nodes_[child].content, done.tokens, stop));
    done.node = nodes_.cut(child, alike(row, nodes_[child], done.tokens + same));
    done.tokens = nodes_[done.node].content.end();
    meet(row, done.node, done.changes);
    nodes_.touch(done.node);
  }
  adopt(row, stop, done);
  return done;
}

// Whether the caller owns its page of a column, other than the one that the tree has there.
bool PrefixCache::brings(const PrefixRow& row, const PrefixNode& node, std::int64_t column) const {
  const std::int64_t first = node.content.first() / page_size_;
  return column * page_size_ >= row.shared && row.pages[index(column)] != node.pages[index(column - first)];
}

bool PrefixCache::recovers(const PrefixRow& row, const PrefixNode& node, std::int64_t column) const {
  return node.tombstone() && brings(row, node, column) && row.swa_pages[index(column)] != 0;
}

// Up to where, at most `end`, a node recovers as its first column does: a node is a tombstone as a whole.
std::int64_t PrefixCache::alike(const PrefixRow& row, const PrefixNode& node, std::int64_t end) const {
  const std::int64_t first = node.content.first() / page_size_;
  std::int64_t column = first + 1;
  while (column * page_size_ < end && recovers(row, node, column) == recovers(row, node, first)) ++column;
  return column * page_size_;
}

void PrefixCache::meet(const PrefixRow& row, NodeId id, PrefixChanges& changes) {
  const std::int64_t first = nodes_[id].content.first() / page_size_;
  const std::int64_t end = nodes_[id].content.end() / page_size_;
  const bool recovery = recovers(row, nodes_[id], first);
  nodes_.change(id, [&](PrefixNode& node) {
    for (std::int64_t column = first; column < end; ++column) {
      if (recovery) {
        recover(row, node, column, changes);
      } else if (brings(row, node, column)) {
        replace(row, node, column, changes);
      }
    }
  });
}

// The tree has this column: its page takes the place of the caller's.
void PrefixCache::replace(const PrefixRow& row, const PrefixNode& node, std::int64_t column, PrefixChanges& changes) {
  const std::int64_t at = column - node.content.first() / page_size_;
  const std::int32_t own = row.pages[index(column)];
  changes.rewrites.push_back({column, own, node.pages[index(at)], swa_ ? node.swa_pages[index(at)] : 0});
  changes.freed.push_back(own);
  if (swa_ && row.swa_pages[index(column)] != 0) release_swa(own, row.swa_pages[index(column)], changes);
}

// The tree has a tombstone here and the caller an SWA page. Rows of others name the full page of a locked node.
void PrefixCache::recover(const PrefixRow& row, PrefixNode& node, std::int64_t column, PrefixChanges& changes) {
  const std::int64_t at = column - node.content.first() / page_size_;
  const std::int32_t own = row.pages[index(column)];
  const std::int32_t own_swa = row.swa_pages[index(column)];
  std::int32_t& kept = node.pages[index(at)];
  node.swa_pages[index(at)] = own_swa;
  owned_swa_.insert(own_swa);
  if (node.locks > 0) {
    changes.rewrites.push_back({column, own, kept, own_swa});
    changes.remaps.push_back({kept, own_swa});
    changes.remaps.push_back({own, 0});
    changes.freed.push_back(own);
  } else {
    changes.freed.push_back(kept);
    owned_.erase(kept);
    owned_.insert(own);
    kept = own;
  }
}

// New columns become nodes: one for each stretch that is, or is not, a tombstone.
void PrefixCache::adopt(const PrefixRow& row, std::int64_t stop, PrefixInsert& done) {
  const auto backed = [&](std::int64_t column) { return !swa_ || row.swa_pages[index(column)] != 0; };
  std::int64_t column = done.tokens / page_size_;
  std::int64_t last = stop / page_size_;
  while (last > column && !backed(last - 1)) --last;
  while (column < last) {
    std::int64_t end = column + 1;
    while (end < last && backed(end) == backed(column)) ++end;
    PrefixNode node;
    node.content = row.content.slice(column * page_size_, end * page_size_);
    node.pages = part(row.pages, column, end);
    if (swa_) node.swa_pages = part(row.swa_pages, column, end);
    for (const std::int32_t page : node.pages) owned_.insert(page);
    if (node.backed())
      for (const std::int32_t page : node.swa_pages) owned_swa_.insert(page);
    done.node = nodes_.add(done.node, std::move(node));
    column = end;
    done.tokens = end * page_size_;
  }
}

}  // namespace pagestorm::sim
