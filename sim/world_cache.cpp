// How requests share whole pages through the prefix cache.

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>
#include <utility>

#include "engine/prompts.hpp"
#include "pagestorm/ids.hpp"
#include "world.hpp"

namespace pagestorm::sim {

// A request comes in: what the prefix cache has of its prompt is its own from now on, the rest must be computed.
bool World::arrive(const Step& step) {
  if (free_rows_.empty() || step.amount < 1 || step.amount > config_.columns()) return false;
  Request& request = new_request(step);
  request.prompt = step.amount;
  if (!begin(request)) return false;
  start_living();
  return true;
}

// Takes the longest usable prefix, when the pages for the rest of the prompt can be had.
bool World::begin(Request& request) {
  const std::int64_t size = config_.page_size;
  PrefixMatch match;
  if (config_.cache) match = cache_.match(request.target, request.prompt - 1);
  if (match.tokens > 0) request.lock = cache_.lock(match.node);
  const std::int64_t needed = (request.prompt + size - 1) / size - match.tokens / size;
  if (!find_room(needed, config_.swa ? needed : 0)) {
    unlock(request);
    return false;
  }
  // Making room may have taken SWA pages before the window from under the prefix.
  if (config_.swa && match.tokens > 0) match = cache_.match(request.target, match.tokens);
  request.length = request.known_length = request.allocated = match.tokens;
  request.shared_columns = request.evicted_pages = match.tokens / size;
  request.pages = std::move(match.pages);
  request.swa_pages = std::move(match.swa_pages);
  draft_prompt(request);
  inputs_->write_slots(request.row, 0, request.allocated, request.pages);
  fence_off(request.row, request.allocated);
  if (rules_.shares_before_written() && config_.cache) {
    grow(request, request.prompt, request.length);
    share(request, request.prompt / size * size);
  }
  tally_.prefix_tokens += request.prompt;
  tally_.hit_tokens += match.tokens;
  return true;
}

// Prompts are the same for both models; what was generated the draft model has seen in other attempts.
void World::draft_prompt(Request& request) {
  request.draft.clear();
  const Content shared = request.target.slice(0, request.length);
  for (std::size_t i = 0; i < shared.runs().size(); ++i) {
    const TokenRun& run = shared.runs()[i];
    const std::int64_t last = i + 1 < shared.runs().size() ? shared.runs()[i + 1].first : shared.end();
    request.draft.append(last - run.first, owner_of(run.base) < 0 ? run.base : unknown_base);
  }
}

// Where the tree's pages took the place of the request's own, the draft model finds what it stored there in another attempt.
void World::forget_drafts(Request& request, std::span<const Rewrite> rewrites) {
  if (rewrites.empty()) return;
  Content kept;
  const auto copy_up_to = [&](std::int64_t end, bool rewritten) {
    end = std::min(end, request.draft.end());
    while (kept.end() < end) {
      const Content::Stretch tokens = request.draft.stretch_at(kept.end());
      const bool forgotten = rewritten && owner_of(tokens.base) >= 0;
      kept.append(std::min(end, tokens.end) - kept.end(), forgotten ? unknown_base : tokens.base);
    }
  };
  for (const Rewrite& rewrite : rewrites) {
    copy_up_to(rewrite.column * config_.page_size, false);
    copy_up_to((rewrite.column + 1) * config_.page_size, true);
  }
  copy_up_to(request.draft.end(), false);
  request.draft = std::move(kept);
}

// Whole pages of what is computed, and will not be computed again by a draft extend.
std::int64_t World::shareable(const Request& request) const {
  if (!request.punctured.empty()) return 0;
  const std::int64_t computed = rules_.shared_tokens(request.verified.value_or(request.length));
  const std::int64_t tokens = std::min({computed, request.allocated, request.target.known()});
  return tokens / config_.page_size * config_.page_size;
}

bool World::share(const Step& step) {
  if (!config_.cache || live_.empty()) return false;
  const auto alive = static_cast<std::int64_t>(live_.size());
  const std::int64_t take = step.rows == 0 ? alive : std::min(step.rows, alive);
  bool any = false;
  for (std::int64_t i = 0; i < take; ++i) {
    Request& request = live_[static_cast<std::size_t>((step.who + i) % alive)];
    any = share(request, shareable(request)) || any;
  }
  return any;
}

// The prefix cache takes the pages that it does not have; for those that it has, the request goes over to its pages.
bool World::share(Request& request, std::int64_t tokens) {
  const std::int64_t size = config_.page_size;
  if (tokens <= request.shared_columns * size) return false;
  const auto count = static_cast<std::size_t>(tokens / size);
  const PrefixInsert done = cache_.insert({.content = request.target,
                                           .tokens = tokens,
                                           .pages = std::span(request.pages).first(count),
                                           .swa_pages = std::span(request.swa_pages).first(config_.swa ? count : 0),
                                           .shared = request.shared_columns * size});
  if (done.tokens <= request.shared_columns * size) return false;
  for (const Rewrite& rewrite : done.changes.rewrites) {
    const auto column = static_cast<std::size_t>(rewrite.column);
    request.pages[column] = rewrite.to;
    if (config_.swa) request.swa_pages[column] = rewrite.swa_page;
    const std::int64_t from = rewrite.column * size;
    if (rules_.rewrites_rows_on_dedup())
      inputs_->write_slots(request.row, from, std::min(request.allocated, from + size), request.pages);
  }
  forget_drafts(request, done.changes.rewrites);
  tally_.deduplicated += static_cast<std::int64_t>(done.changes.rewrites.size());
  const PrefixLock before = std::exchange(request.lock, cache_.lock(done.node));
  request.shared_columns = done.tokens / size;
  settle_changes(done.changes);
  unlock(before);
  return true;
}

// What the prefix cache says must happen to pools and map.
void World::settle_changes(const PrefixChanges& changes) {
  for (const std::int32_t page : changes.freed_swa) give(Pool::swa, page);
  for (const std::int32_t page : changes.freed) give(Pool::full, page);
  unmap(changes.freed);
  for (const Remap& remap : changes.remaps) {
    const bool stays = remap.swa_page == sink ? !rules_.unmaps_tombstones() : !rules_.remaps_on_recovery();
    if (!stays) inputs_->map_pages(std::array{remap.page}, std::array{remap.swa_page});
    if (remap.swa_page != sink) ++tally_.recoveries;
  }
  follow(changes.remaps);
}

// Requests that share a page learn what is behind it now. Nobody shares what the prefix cache no longer has.
void World::follow(std::span<const Remap> remaps) {
  std::unordered_map<std::int32_t, std::int32_t> behind;
  for (const Remap& remap : remaps)
    if (cache_.owns(remap.page)) behind[remap.page] = remap.swa_page;
  if (behind.empty()) return;
  for (Request& request : live_)
    for (std::size_t c = 0; c < static_cast<std::size_t>(request.shared_columns); ++c)
      if (const auto found = behind.find(request.pages[c]); found != behind.end()) request.swa_pages[c] = found->second;
}

bool World::reclaim(std::int64_t pages) {
  if (!config_.cache) return false;
  const PrefixChanges changes = cache_.evict(pages);
  settle_changes(changes);
  tally_.reclaimed += static_cast<std::int64_t>(changes.freed.size());
  return !changes.freed.empty();
}

bool World::tombstone(std::int64_t swa_pages) {
  if (!config_.cache || !config_.swa) return false;
  const PrefixChanges changes = cache_.tombstone(swa_pages);
  settle_changes(changes);
  tally_.reclaimed += static_cast<std::int64_t>(changes.freed.size());
  tally_.tombstones += static_cast<std::int64_t>(changes.remaps.size());
  return !changes.freed_swa.empty();
}

void World::unlock(const PrefixLock& lock) {
  PrefixLock gone = lock;
  settle_changes(cache_.unlock(gone));
}

void World::unlock(Request& request) { unlock(std::exchange(request.lock, {})); }

}  // namespace pagestorm::sim
