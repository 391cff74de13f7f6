#include "world.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "pagestorm/ids.hpp"
#include "rng.hpp"

namespace pagestorm::sim {

void World::start(const Config& config, Inputs& inputs) {
  config_ = config;
  inputs_ = &inputs;
  full_.reset(config.pages, sub_seed(config.pool_seed, 0));
  swa_.reset(config.swa ? config.swa_pages : 0, sub_seed(config.pool_seed, 1));
  for (Request& request : live_) spare_.push_back(std::move(request));
  live_.clear();
  free_rows_.clear();
  for (std::int64_t row = 1; row <= config.requests; ++row) free_rows_.push_back(row);
  admitted_ = 0;
  inputs.lay_out(config);
}

Outcome World::apply(const Step& step) {
  const auto changed = [](bool did) { return did ? Outcome::changed : Outcome::no_op; };
  switch (step.kind) {
    case StepKind::admit: return changed(admit(step.amount));
    case StepKind::evict: return changed(evict());
    case StepKind::finish: return changed(finish(step.who));
    case StepKind::puncture: return changed(puncture(step.who, step.amount));
    case StepKind::idle: return idle(step) ? Outcome::batch : Outcome::no_op;
    default: return run(step) ? Outcome::batch : Outcome::no_op;
  }
}

// --- requests

std::int64_t World::first_windowed_column(std::int64_t base) const {
  return std::max<std::int64_t>(0, base - config_.window) / config_.page_size;
}

std::int64_t World::new_columns(const Request& request, std::int64_t tokens) const {
  const std::int64_t needed = (tokens + config_.page_size - 1) / config_.page_size;
  return std::max<std::int64_t>(0, needed - static_cast<std::int64_t>(request.pages.size()));
}

std::int64_t World::new_swa_columns(const Request& request, std::int64_t tokens, std::int64_t base) const {
  const auto have = static_cast<std::int64_t>(request.pages.size());
  const std::int64_t end = have + new_columns(request, tokens);
  return config_.swa ? std::max<std::int64_t>(0, end - std::max(have, first_windowed_column(base))) : 0;
}

// Gives a request slots for its first `tokens` positions. Pages before the window of `base` get no SWA page.
void World::grow(Request& request, std::int64_t tokens, std::int64_t base) {
  const std::int64_t added = new_columns(request, tokens);
  const std::int64_t windowed = new_swa_columns(request, tokens, base);
  const std::size_t old = request.pages.size();
  request.pages.resize(old + static_cast<std::size_t>(added));
  full_.take(std::span(request.pages).subspan(old));
  if (config_.swa && added > 0) {
    request.swa_pages.resize(request.pages.size(), sink);
    swa_.take(std::span(request.swa_pages).last(static_cast<std::size_t>(windowed)));
    inputs_->map_pages(std::span(request.pages).subspan(old), std::span(request.swa_pages).subspan(old));
  }
  if (tokens > request.written) {
    inputs_->write_slots(request.row, request.written, tokens, request.pages);
    request.written = tokens;
  }
  if (added > 0 || tokens == 0) fence_off(request);
}

// Reserved positions end here: up to the first slot of the page after next, a reader that goes on meets no slot.
void World::fence_off(const Request& request) {
  const std::int64_t size = config_.page_size;
  const std::int64_t columns = config_.columns();
  const std::int64_t page_end = std::min(columns, (request.written + size - 1) / size * size);
  inputs_->write_value(request.row, request.written, Inputs::hostile, page_end - request.written);
  for (std::int64_t start = page_end; start < std::min(columns, page_end + 3 * size); start += size)
    inputs_->write_value(request.row, start, Inputs::hostile, 1);
}

bool World::admit(std::int64_t tokens) {
  if (free_rows_.empty() || tokens < 0 || tokens > config_.columns()) return false;
  Request request;
  if (!spare_.empty()) {
    request = std::move(spare_.back());
    spare_.pop_back();
    request.clear();
  }
  if (new_columns(request, tokens) > full_.free() || new_swa_columns(request, tokens, tokens) > swa_.free())
    return false;
  request.serial = admitted_++;
  request.row = free_rows_.back();
  free_rows_.pop_back();
  request.length = tokens;
  request.evicted_pages = first_windowed_column(tokens);
  grow(request, tokens, tokens);
  live_.push_back(std::move(request));
  return true;
}

bool World::evict() {
  bool any = false;
  if (!config_.swa) return false;
  for (Request& request : live_) {
    const std::int64_t end = std::min(first_windowed_column(request.verified.value_or(request.length)),
                                      static_cast<std::int64_t>(request.pages.size()));
    for (; request.evicted_pages < end; ++request.evicted_pages) {
      const auto column = static_cast<std::size_t>(request.evicted_pages);
      if (request.swa_pages[column] == sink) continue;
      swa_.give(std::exchange(request.swa_pages[column], sink));
      inputs_->map_pages(std::span(request.pages).subspan(column, 1), std::array{sink});
      any = true;
    }
  }
  return any;
}

bool World::finish(std::int64_t who) {
  if (live_.empty()) return false;
  const auto at = static_cast<std::size_t>(who) % live_.size();
  Request& request = live_[at];
  for (const std::int32_t page : request.swa_pages)
    if (page != sink) swa_.give(page);
  for (const std::int32_t page : request.pages) full_.give(page);
  if (config_.swa) {
    request.swa_pages.assign(request.pages.size(), sink);
    inputs_->map_pages(request.pages, request.swa_pages);
  }
  free_rows_.push_back(request.row);
  spare_.push_back(std::move(request));
  live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

bool World::puncture(std::int64_t who, std::int64_t page) {
  if (live_.empty()) return false;
  Request& request = live_[static_cast<std::size_t>(who) % live_.size()];
  const std::int64_t pages = request.written / config_.page_size + (request.written % config_.page_size != 0 ? 1 : 0);
  if (pages == 0) return false;
  const std::int64_t column = page % pages;
  inputs_->write_value(request.row, column * config_.page_size, static_cast<std::int32_t>(absent_slot), 1);
  if (std::find(request.punctured.begin(), request.punctured.end(), column) == request.punctured.end())
    request.punctured.push_back(column);
  return true;
}

}  // namespace pagestorm::sim
