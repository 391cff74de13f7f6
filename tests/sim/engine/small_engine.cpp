#include "small_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace pagestorm::sim {
namespace {

std::size_t index(std::int64_t column) { return static_cast<std::size_t>(column); }

template <class T>
std::int64_t count(const std::vector<T>& items) {
  return static_cast<std::int64_t>(items.size());
}

PrefixChanges sorted(PrefixChanges changes) {
  std::ranges::sort(changes.rewrites, {}, &Rewrite::column);
  std::ranges::sort(changes.remaps, {}, &Remap::page);
  std::ranges::sort(changes.freed);
  std::ranges::sort(changes.freed_swa);
  return changes;
}

}  // namespace

SmallEngine::SmallEngine(const SmallConfig& config, std::uint64_t seed) : config_(config), rng_(seed) {
  cache_.start(config.page_size, config.swa, config.window);
  full_.reset(config.pages, seed, FreeOrder::append);
  swa_.reset(config.swa ? config.swa_pages : 0, seed + 1);
}

void SmallEngine::step(SmallTally& tally) {
  const std::uint64_t kind = rng_.below(16);
  if (live_.empty() || (kind < 4 && live_.size() < 6)) return admit(tally);
  const std::size_t who = rng_.below(live_.size());
  if (kind < 8) return grow(live_[who], tally);
  if (kind < 10) return slide(live_[who]);
  if (kind < 12) return keep(live_[who], tally);
  if (kind < 14) return finish(who, !rng_.one_in(4), tally);
  if (kind == 14) return evict(rng_.between(0, 5), tally);
  tombstone(rng_.between(0, 5), tally);
}

void SmallEngine::wind_down(SmallTally& tally) {
  while (!live_.empty()) finish(rng_.below(live_.size()), rng_.one_in(2), tally);
  const PrefixChanges changes = cache_.clear();
  forget(changes);
  apply(changes, nullptr);
  check();
  EXPECT_TRUE(tree_.empty());
  EXPECT_EQ(full_.free(), full_.pages());
  EXPECT_EQ(swa_.free(), swa_.pages());
}

// Few streams, so that requests often begin alike and part later.
Content SmallEngine::more_tokens(Content content) {
  for (std::int64_t run = rng_.between(1, 3); run > 0; --run)
    content.append(rng_.between(1, 2 * config_.page_size),
                   rng_.one_in(30) ? unknown_base : base_of(1 + rng_.below(2), 0));
  return content;
}

void SmallEngine::admit(SmallTally& tally) {
  SmallRequest request{.content = more_tokens(more_tokens({}))};
  const std::int64_t limit = request.content.size() - 1;
  const std::int64_t expected = longest(request.content, limit) * config_.page_size;
  PrefixMatch match = cache_.match(request.content, limit);
  ASSERT_EQ(match.tokens, expected);
  tally.matched += match.tokens > 0 ? 1 : 0;
  tally.shortened += tree_.contains(prefix(request.content, expected / config_.page_size + 1)) ? 1 : 0;
  request.pages = std::move(match.pages);
  request.swa_pages = std::move(match.swa_pages);
  request.shared = match.tokens;
  request.lock = cache_.lock(match.node);
  live_.push_back(std::move(request));
  if (!extend(live_.back(), tally)) finish(live_.size() - 1, false, tally);
}

void SmallEngine::grow(SmallRequest& request, SmallTally& tally) {
  const Content before = request.content;
  request.content = more_tokens(std::move(request.content));
  if (!extend(request, tally)) request.content = before;
}

// Pages for all of the content; evicts where they are short.
bool SmallEngine::extend(SmallRequest& request, SmallTally& tally) {
  const std::int64_t added = columns(request.content.size()) - count(request.pages);
  if (added > full_.free()) evict(added - full_.free(), tally);
  if (config_.swa && added > swa_.free()) tombstone(added - swa_.free(), tally);
  if (added > full_.free() || (config_.swa && added > swa_.free())) return false;
  for (std::int64_t i = 0; i < added; ++i) {
    request.pages.push_back(full_.take());
    if (config_.swa) request.swa_pages.push_back(map_[request.pages.back()] = swa_.take());
  }
  for (std::int64_t column = request.shared / config_.page_size;
       (column + 1) * config_.page_size <= request.content.size(); ++column)
    written_[request.pages[index(column)]] = prefix(request.content, column + 1);
  return true;
}

// Gives up SWA pages a window and a page behind the end.
void SmallEngine::slide(SmallRequest& request) {
  if (!config_.swa) return;
  const std::int64_t behind = request.content.size() - config_.window - config_.page_size;
  for (; request.evicted < behind / config_.page_size; ++request.evicted)
    if (request.evicted * config_.page_size >= request.shared) free_column(request, request.evicted, true);
  if (request.evicted * config_.page_size >= request.shared) cache_.unlock_swa(request.lock);
}

PrefixInsert SmallEngine::insert(SmallRequest& request, SmallTally& tally) {
  std::int64_t tokens = 0;
  const PrefixChanges expected = sorted(expected_insert(request, tokens));
  const std::int64_t whole = request.content.size() / config_.page_size * config_.page_size;
  PrefixInsert done = cache_.insert({request.content, whole, request.pages, request.swa_pages, request.shared});
  EXPECT_EQ(done.tokens, tokens);
  EXPECT_EQ(sorted(done.changes), expected);
  EXPECT_EQ(cache_.nodes()[done.node].content.end(), tokens);
  tally.replaced += count(done.changes.rewrites);
  tally.adopted_again += count(done.changes.freed) - count(done.changes.rewrites);
  tally.remapped += std::ranges::count_if(done.changes.remaps, [](const Remap& remap) { return remap.swa_page != 0; });
  apply(done.changes, &request);
  return done;
}

// An unfinished request leaves its pages to the tree and goes on.
void SmallEngine::keep(SmallRequest& request, SmallTally& tally) {
  const PrefixInsert done = insert(request, tally);
  EXPECT_GE(done.tokens, request.shared);
  const PrefixLock old = std::exchange(request.lock, cache_.lock(done.node));
  request.shared = done.tokens;
  unlock(old);
}

void SmallEngine::finish(std::size_t who, bool leave_pages, SmallTally& tally) {
  SmallRequest request = live_[who];
  const std::int64_t kept = leave_pages ? insert(request, tally).tokens : request.shared;
  for (std::int64_t column = kept / config_.page_size; column < count(request.pages); ++column)
    free_column(request, column, false);
  live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(who));
  unlock(request.lock);
}

void SmallEngine::evict(std::int64_t pages, SmallTally& tally) {
  const std::int64_t evictable =
      std::ranges::count_if(tree_, [this](const auto& entry) { return lockers(entry.first) == 0; });
  EXPECT_EQ(cache_.evictable(), evictable);
  const PrefixChanges changes = cache_.evict(pages);
  EXPECT_GE(count(changes.freed), std::min(pages, evictable));
  EXPECT_TRUE(pages > 0 || changes == PrefixChanges());
  tally.evicted += count(changes.freed);
  forget(changes);
  apply(changes, nullptr);
}

void SmallEngine::tombstone(std::int64_t pages, SmallTally& tally) {
  const std::int64_t evictable = cache_.evictable_swa();
  const PrefixChanges changes = cache_.tombstone(pages);
  EXPECT_GE(count(changes.freed_swa), std::min(pages, evictable));
  tally.tombstoned += count(changes.freed_swa);
  forget(changes);
  apply(changes, nullptr);
}

void SmallEngine::unlock(PrefixLock lock) {
  const PrefixChanges changes = cache_.unlock(lock);
  forget(changes);
  apply(changes, nullptr);
}

void SmallEngine::free_column(SmallRequest& request, std::int64_t column, bool swa_only) {
  const std::int32_t page = request.pages[index(column)];
  PrefixChanges changes;
  if (config_.swa && request.swa_pages[index(column)] != 0) {
    changes.remaps.push_back({page, 0});
    changes.freed_swa.push_back(std::exchange(request.swa_pages[index(column)], 0));
  }
  if (!swa_only) changes.freed.push_back(page);
  apply(changes, nullptr);
}

void SmallEngine::apply(const PrefixChanges& changes, SmallRequest* request) {
  for (const Rewrite& rewrite : changes.rewrites) {
    EXPECT_EQ(request->pages[index(rewrite.column)], rewrite.from);
    request->pages[index(rewrite.column)] = rewrite.to;
    if (config_.swa) request->swa_pages[index(rewrite.column)] = rewrite.swa_page;
  }
  for (const Remap& remap : changes.remaps) {
    map_.erase(remap.page);
    if (remap.swa_page != 0) map_[remap.page] = remap.swa_page;
  }
  for (const std::int32_t page : changes.freed) {
    EXPECT_EQ(full_.give(page), Given::accepted) << page;
    EXPECT_FALSE(map_.contains(page)) << page;
    written_.erase(page);
  }
  for (const std::int32_t page : changes.freed_swa) EXPECT_EQ(swa_.give(page), Given::accepted) << page;
}

}  // namespace pagestorm::sim
