// How requests get pages and give them back.

#include <algorithm>
#include <array>
#include <span>

#include "pagestorm/ids.hpp"
#include "world.hpp"

namespace pagestorm::sim {

std::int64_t World::first_windowed_column(std::int64_t length) const {
  return first_seen_column(length, config_.window);
}

std::int64_t World::first_seen_column(std::int64_t length, std::int64_t window) const {
  return std::max<std::int64_t>(0, length - window) / config_.page_size;
}

std::int64_t World::new_columns(const Request& request, std::int64_t tokens) const {
  const std::int64_t missing = tokens - static_cast<std::int64_t>(request.pages.size()) * config_.page_size;
  return missing <= 0 ? 0 : (missing + config_.page_size - 1) / config_.page_size;
}

std::int64_t World::new_swa_columns(const Request& request, std::int64_t tokens, std::int64_t base) const {
  const std::int64_t added = config_.swa ? new_columns(request, tokens) : 0;
  if (added == 0) return 0;
  const auto have = static_cast<std::int64_t>(request.pages.size());
  return std::max<std::int64_t>(0, have + added - std::max(have, first_windowed_column(base)));
}

// Gives a request slots for its first `tokens` positions. Pages before the window of `base` get no SWA page.
void World::grow(Request& request, std::int64_t tokens, std::int64_t base) {
  const std::int64_t missing = new_columns(request, tokens);
  if (missing == 0 && tokens <= request.allocated && tokens > 0) return;
  const std::int64_t added = rules_.granted_pages(missing);
  tokens = std::min(tokens, (static_cast<std::int64_t>(request.pages.size()) + added) * config_.page_size);
  if (added > 0) take_pages(request, added, new_swa_columns(request, tokens, base));
  if (tokens > request.allocated) {
    inputs_->write_slots(request.row, request.allocated, tokens, request.pages);
    request.allocated = tokens;
  }
  if (added > 0 || tokens == 0) fence_off(request.row, request.allocated);
}

// The last `windowed` of them get an SWA page.
void World::take_pages(Request& request, std::int64_t added, std::int64_t windowed) {
  const std::size_t old = request.pages.size();
  request.pages.resize(old + static_cast<std::size_t>(added));
  full_.take(std::span(request.pages).subspan(old));
  if (config_.swa) {
    request.swa_pages.resize(request.pages.size(), sink);
    swa_.take(std::span(request.swa_pages).last(static_cast<std::size_t>(windowed)));
    inputs_->map_pages(std::span(request.pages).subspan(old), std::span(request.swa_pages).subspan(old));
    if (rules_.doubles_mappings() && windowed > 1)
      inputs_->map_pages(std::span(request.pages).last(1), std::span(request.swa_pages).last(2).first(1));
  }
}

// Reserved positions end here: up to the first slot of the page after next, a reader that goes on meets no slot.
void World::fence_off(std::int64_t row, std::int64_t positions) {
  const std::int64_t size = config_.page_size;
  const std::int64_t columns = config_.columns();
  const std::int64_t page_end = std::min(columns, (positions + size - 1) / size * size);
  inputs_->write_value(row, positions, Inputs::hostile, page_end - positions);
  for (std::int64_t start = page_end; start < std::min(columns, page_end + 3 * size); start += size)
    inputs_->write_value(row, start, Inputs::hostile, 1);
}

void World::give(Pool pool, std::int32_t page) {
  const bool taken = (pool == Pool::full ? full_ : swa_).give(page) == Given::accepted;
  events_.push_back({.kind = taken ? EventKind::freed : EventKind::refused, .pool = pool, .page = page});
}

void World::free_page(std::int32_t page, std::int32_t swa_page) {
  give(Pool::full, page);
  if (config_.swa && (swa_page != sink || rules_.frees_unmapped_pages())) give(Pool::swa, swa_page);
}

void World::unmap(std::span<const std::int32_t> pages) {
  if (!config_.swa || pages.empty()) return;
  const std::int64_t slots = rules_.unmapped_slots(config_.page_size);
  if (slots == config_.page_size) {
    sinks_.assign(pages.size(), sink);
    inputs_->map_pages(pages, sinks_);
  } else if (slots > 0) {
    for (const std::int32_t page : pages) inputs_->unmap_slots(page, slots);
  }
}

bool World::evict() {
  bool any = false;
  if (!config_.swa) return false;
  for (Request& request : live_) any = evict(request) || any;
  return any;
}

// What left the window of a request goes back, page by page; what it shares is the prefix cache's to give back.
bool World::evict(Request& request) {
  const std::int64_t processed = request.verified.value_or(request.length);
  if (request.verifies > 0 && !rules_.evicts_between_verifies()) return false;
  const std::int64_t base = rules_.eviction_length(processed, processed + config_.draft_tokens);
  const std::int64_t kept =
      rules_.first_kept(first_seen_column(base, rules_.window(config_.window)), base / config_.page_size);
  const std::int64_t end = std::min(kept, static_cast<std::int64_t>(request.pages.size()));
  bool any = false;
  if (end >= request.shared_columns && request.lock.swa_from != PrefixLock::no_swa) {
    cache_.unlock_swa(request.lock);
    any = true;
  }
  request.evicted_pages = std::max(request.evicted_pages, request.shared_columns);
  for (; request.evicted_pages < end; ++request.evicted_pages) {
    const auto column = static_cast<std::size_t>(request.evicted_pages);
    if (request.swa_pages[column] == sink) continue;
    give(Pool::swa, request.swa_pages[column]);
    request.swa_pages[column] = sink;
    if (rules_.unmaps_evicted()) unmap(std::span(request.pages).subspan(column, 1));
    ++tally_.window_freed;
    any = true;
  }
  return any;
}

// The request ends, or waits: its lock, its row and, unless told otherwise, its own pages go back.
void World::release(Request& request, bool frees) {
  const auto first = static_cast<std::size_t>(rules_.first_owned_column(request.shared_columns));
  const auto last = static_cast<std::size_t>(
      rules_.released_columns(static_cast<std::int64_t>(request.pages.size()), request.allocated, config_.page_size));
  if (frees && first < last) {
    for (std::size_t c = first; c < last; ++c)
      free_page(request.pages[c], config_.swa ? request.swa_pages[c] : std::int32_t{sink});
    unmap(std::span(request.pages).subspan(first, last - first));
    const std::int64_t tail = request.length / config_.page_size;
    if (rules_.frees_tail_twice() && request.length % config_.page_size != 0)
      give(Pool::full, request.pages[static_cast<std::size_t>(tail)]);
  }
  unlock(request);
  free_rows_.push_back(request.row);
}

}  // namespace pagestorm::sim
