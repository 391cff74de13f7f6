// The naive answers, and what must hold between any two operations.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "small_engine.hpp"

namespace pagestorm::sim {
namespace {

std::size_t index(std::int64_t column) { return static_cast<std::size_t>(column); }

}  // namespace

Prefix SmallEngine::prefix(const Content& content, std::int64_t pages) const {
  Prefix ids;
  for (std::int64_t position = 0; position < pages * config_.page_size; ++position) ids.push_back(content.at(position));
  return ids;
}

// How many live requests keep a page of the tree: it lies within what they share; for SWA, at least in part within the
// last window of that, until they have moved on.
std::int64_t SmallEngine::lockers(const Prefix& wanted, bool for_swa) const {
  const auto end = static_cast<std::int64_t>(wanted.size());
  return std::ranges::count_if(live_, [&](const SmallRequest& request) {
    if (end > request.shared || prefix(request.content, end / config_.page_size) != wanted) return false;
    return !for_swa || (request.lock.swa_from != PrefixLock::no_swa && end > request.shared - config_.window);
  });
}

std::int64_t SmallEngine::longest(const Content& content, std::int64_t limit) const {
  std::int64_t pages = 0;
  while ((pages + 1) * config_.page_size <= std::min(limit, content.known()) &&
         tree_.contains(prefix(content, pages + 1)))
    ++pages;
  while (pages > 0 && !may_go_on(content, pages)) --pages;
  return pages;
}

// Whether the window behind the first `pages` pages has SWA pages, or all of them have.
bool SmallEngine::may_go_on(const Content& content, std::int64_t pages) const {
  if (!config_.swa) return true;
  std::int64_t tail = 0;
  while (tail < pages && tree_.at(prefix(content, pages - tail)).swa_page != 0) ++tail;
  return tail == pages || tail * config_.page_size >= config_.window;
}

// What insert() must answer, column by column; the naive tree follows.
PrefixChanges SmallEngine::expected_insert(const SmallRequest& request, std::int64_t& tokens) {
  PrefixChanges changes;
  std::int64_t last = std::min(request.content.size(), request.content.known()) / config_.page_size;
  if (config_.swa)
    while (last > 0 && request.swa_pages[index(last - 1)] == 0 && !tree_.contains(prefix(request.content, last)))
      --last;
  for (std::int64_t column = 0; column < last; ++column) {
    const CachedPage own{request.pages[index(column)], config_.swa ? request.swa_pages[index(column)] : 0};
    const Prefix key = prefix(request.content, column + 1);
    const auto [found, is_new] = tree_.try_emplace(key, own);
    CachedPage& cached = found->second;
    if (is_new || column * config_.page_size < request.shared) continue;
    EXPECT_NE(cached.page, own.page);
    const bool recovers = config_.swa && cached.swa_page == 0 && own.swa_page != 0;
    if (recovers && lockers(key) == 0) {
      changes.freed.push_back(cached.page);
      cached = own;
      continue;
    }
    if (recovers) changes.remaps.push_back({cached.page, cached.swa_page = own.swa_page});
    if (!recovers && own.swa_page != 0) changes.freed_swa.push_back(own.swa_page);
    if (own.swa_page != 0) changes.remaps.push_back({own.page, 0});
    changes.rewrites.push_back({column, own.page, cached.page, cached.swa_page});
    changes.freed.push_back(own.page);
  }
  tokens = last * config_.page_size;
  return changes;
}

// What the tree let go, nobody keeps.
void SmallEngine::forget(const PrefixChanges& changes) {
  std::set<std::int32_t> freed(changes.freed.begin(), changes.freed.end());
  std::set<std::int32_t> freed_swa(changes.freed_swa.begin(), changes.freed_swa.end());
  for (auto entry = tree_.begin(); entry != tree_.end();) {
    if (freed_swa.erase(entry->second.swa_page) > 0) {
      EXPECT_EQ(lockers(entry->first, true), 0);
      entry->second.swa_page = 0;
    }
    const bool gone = freed.erase(entry->second.page) > 0;
    EXPECT_TRUE(!gone || lockers(entry->first) == 0);
    entry = gone ? tree_.erase(entry) : std::next(entry);
  }
  EXPECT_TRUE(freed.empty() && freed_swa.empty()) << "freed what it did not own";
}

SmallEngine::Tree SmallEngine::flat() const {
  Tree flat;
  std::map<NodeId, Prefix> ends{{PrefixNodes::root, {}}};
  for (const NodeId id : cache_.nodes().in_order()) {
    const PrefixNode& node = cache_.nodes()[id];
    Prefix ids = ends.at(node.parent);
    for (std::size_t at = 0; at < node.pages.size(); ++at) {
      for (std::int64_t i = 0; i < config_.page_size; ++i)
        ids.push_back(node.content.at(static_cast<std::int64_t>(ids.size())));
      flat[ids] = {node.pages[at], config_.swa ? node.swa_pages[at] : 0};
    }
    EXPECT_EQ(static_cast<std::int64_t>(ids.size()), node.content.end());
    ends[id] = ids;
  }
  return flat;
}

void SmallEngine::check() const {
  EXPECT_EQ(flat(), tree_);
  std::map<std::int32_t, std::int32_t> owned;
  std::int64_t owners = 0;
  const auto own = [&](std::int32_t page, std::int32_t swa_page) {
    owned[page] = swa_page;
    ++owners;
    EXPECT_TRUE(full_.is_out(page) && (swa_page == 0 || swa_.is_out(swa_page)));
  };
  for (const auto& [ids, cached] : tree_) {
    own(cached.page, cached.swa_page);
    EXPECT_TRUE(cache_.owns(cached.page) && (cached.swa_page == 0 || cache_.owns_swa(cached.swa_page)));
  }
  for (const SmallRequest& request : live_) {
    check_request(request);
    for (std::size_t column = index(request.shared / config_.page_size); column < request.pages.size(); ++column) {
      own(request.pages[column], config_.swa ? request.swa_pages[column] : 0);
      EXPECT_FALSE(cache_.owns(request.pages[column]));
    }
  }
  EXPECT_EQ(static_cast<std::int64_t>(owned.size()), owners) << "a page has two owners";
  EXPECT_EQ(full_.free() + owners, full_.pages()) << "a page is lost";
  std::erase_if(owned, [](const auto& entry) { return entry.second == 0; });
  EXPECT_EQ(map_, owned);
  std::set<std::int32_t> swa_pages;
  for (const auto& [page, swa_page] : map_) swa_pages.insert(swa_page);
  EXPECT_EQ(swa_pages.size(), map_.size()) << "an SWA page has two owners";
  EXPECT_EQ(swa_.free() + static_cast<std::int64_t>(swa_pages.size()), swa_.pages()) << "an SWA page is lost";
  check_nodes();
}

// Shared pages are whole, stand in the same column for the same content, and hold what the request believes.
void SmallEngine::check_request(const SmallRequest& request) const {
  EXPECT_EQ(request.shared % config_.page_size, 0);
  const std::int64_t known = request.content.known() / config_.page_size;
  for (std::int64_t column = 0; column < known; ++column) {
    const Prefix ids = prefix(request.content, column + 1);
    EXPECT_EQ(written_.at(request.pages[index(column)]), ids);
    const bool shared = column * config_.page_size < request.shared;
    EXPECT_TRUE(!shared || tree_.at(ids).page == request.pages[index(column)]);
  }
  if (!config_.swa) return;
  const std::int64_t from = std::max<std::int64_t>(0, request.content.size() - config_.window);
  for (std::int64_t column = from / config_.page_size; column < columns(request.content.size()); ++column)
    EXPECT_TRUE(map_.contains(request.pages[index(column)])) << "no SWA page within the window";
}

void SmallEngine::check_nodes() const {
  const PrefixNodes& nodes = cache_.nodes();
  PrefixTally full, swa;
  for (const NodeId id : nodes.in_order()) {
    const PrefixNode& node = nodes[id];
    const auto pages = static_cast<std::int64_t>(node.pages.size());
    EXPECT_EQ(pages * config_.page_size, node.content.size());
    EXPECT_EQ(node.swa_pages.size(), config_.swa ? node.pages.size() : 0);
    const auto tombstones = std::ranges::count(node.swa_pages, 0);
    EXPECT_TRUE(tombstones == 0 || tombstones == pages);
    EXPECT_FALSE(node.leaf() && node.tombstone() && node.locks == 0);
    EXPECT_TRUE(node.parent == PrefixNodes::root || nodes[node.parent].locks >= node.locks);
    EXPECT_TRUE(node.swa_locks >= 0 && node.swa_locks <= node.locks);
    full.owned += pages;
    full.locked += node.locks > 0 ? pages : 0;
    swa.owned += node.backed() ? pages : 0;
    swa.locked += node.backed() && node.swa_locks > 0 ? pages : 0;
  }
  EXPECT_EQ(nodes.full(), full);
  EXPECT_EQ(nodes.swa(), swa);
  std::int64_t locked = 0;
  for (const auto& [ids, cached] : tree_) locked += lockers(ids) > 0 ? 1 : 0;
  EXPECT_EQ(full.locked, locked);
}

}  // namespace pagestorm::sim
