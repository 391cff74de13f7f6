#include "trace_drive.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/prompts.hpp"
#include "fit.hpp"
#include "rng.hpp"
#include "text.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::size_t steps_kept = 100'000;  // as many as a scenario file may have
constexpr std::int64_t loops_per_evict = 4;
constexpr std::int64_t parts_kept_free = 8;  // one of so many parts of what is still to be generated

std::int64_t pages_for(std::int64_t tokens, std::int64_t page_size) { return (tokens + page_size - 1) / page_size; }

void lengths_of(const World& world, std::vector<std::int64_t>& lengths) {
  lengths.clear();
  for (const Request& request : world.requests()) lengths.push_back(request.length);
}

AcceptDraw draw_of(const DriveOptions& options) {
  const std::uint64_t seed = sub_seed(options.seed, 1);
  if (options.accept_lengths.empty()) return {options.accept, options.draft_tokens, seed};
  return {options.accept_lengths, options.draft_tokens, seed};
}

// Steps alone cannot say what a prompt is made of. Prompts that begin alike get one family, so that a scenario of these
// steps shares as the trace does, more or less.
std::int64_t family_of(const DriveRequest& request) {
  if (request.blocks.empty()) return 0;
  const std::size_t telling = std::min<std::size_t>(1, request.blocks.size() - 1);
  return 1 + static_cast<std::int64_t>(scatter(static_cast<std::uint64_t>(request.blocks[telling])) % families);
}

Scenario admit_all(const Config& config, std::span<const std::int64_t> lengths) {
  Scenario scenario{.config = config};
  for (const std::int64_t length : lengths) scenario.steps.push_back({.kind = StepKind::admit, .amount = length});
  return scenario;
}

}  // namespace

TraceDrive::TraceDrive(Player& player, std::span<const DriveRequest> requests, const DriveOptions& options)
    : player_(player),
      requests_(requests),
      options_(options),
      config_(config_of(options)),
      accept_(draw_of(options)),
      timeline_(options.timeline_every) {
  // Page size, rows and SWA are the user's; how things lie in memory is not.
  config_.layout = fit({.config = config_}, player.promise()).scenario.config.layout;
  if (const std::string problem = complaint(config_); !problem.empty()) throw std::invalid_argument(problem);
  if (!requests.empty()) {
    const std::int64_t least = pages_for_one(requests[largest(requests, options)], options);
    if (config_.pages < least || (config_.swa && config_.swa_pages < least))
      throw std::invalid_argument("a request needs " + std::to_string(least) + " pages of each pool; give as many");
  }
  player_.start(config_);
}

bool TraceDrive::advance() {
  if (settled_ || !violations_.empty()) return false;
  mark();
  if (!admit_waiting() || !admit_arrived()) return false;
  if (!live_.empty()) return speculate();
  assert(waiting_.empty());
  if (next_ == requests_.size()) return settle();
  now_ = std::max(now_, requests_[next_].arrival_s);
  return true;
}

// --- playing

// Every step that is played goes through here. Returns false when it broke a law.
bool TraceDrive::play(const Step& step, const StepDetail& detail) {
  lengths_of(world(), before_step_);
  since_mark_.push_back(step);
  if (since_start_.size() <= steps_kept) since_start_.push_back(step);
  const std::int64_t no_ops = player_.coverage().no_ops;
  violations_ = player_.step(step, detail);
  applied_ = player_.coverage().no_ops == no_ops;
  // A scheduler that asks for what cannot be would wait for it for ever.
  assert(applied_ || !has_batch(step.kind));
  follow_retractions();
  note_step();
  if (has_batch(step.kind)) note_forward();
  return violations_.empty();
}

void TraceDrive::follow_retractions() {
  while (live_.size() > world().requests().size()) {
    waiting_.push_back(live_.back());
    live_.pop_back();
    held_back_ = true;
  }
  const auto retracted = tally_.readmissions + static_cast<std::int64_t>(waiting_.size());
  assert(!violations_.empty() || world().tally().retractions == retracted);
  static_cast<void>(retracted);
}

void TraceDrive::note_step() {
  const WorldTally& world_tally = world().tally();
  ++tally_.steps;
  tally_.retractions = world_tally.retractions;
  tally_.reclaimed = world_tally.reclaimed;
  tally_.tombstones = world_tally.tombstones;
  tally_.window_freed = world_tally.window_freed;
  tally_.rows_peak = std::max(tally_.rows_peak, static_cast<std::int64_t>(world().requests().size()));
  tally_.pages_peak = std::max(tally_.pages_peak, world().live_pages());
}

void TraceDrive::note_forward() {
  const Forward& forward = world().forward();
  const auto rows = static_cast<std::int64_t>(forward.rows.size());
  const std::int64_t width = config_.width();
  std::int64_t cells = 0;
  for (const ForwardRow& row : forward.rows)
    cells += std::min(width, pages_for(row.first_write + row.writes, config_.page_size));
  const auto mode = static_cast<std::size_t>(forward.mode);
  ++tally_.forwards;
  tally_.rows += rows;
  tally_.cells += config_.swa ? 2 * cells : cells;
  ++tally_.mode_steps[mode];
  tally_.mode_rows[mode] += forward.real_rows;
  tally_.pages_sum += world().live_pages();
  tally_.running_sum += cells;
  tally_.running_peak = std::max(tally_.running_peak, cells);
  const std::int64_t table = std::max<std::int64_t>(1, width * config_.requests);
  ++tally_.live_share[static_cast<std::size_t>(cells * DriveTally::share_parts / table)];
  now_ += options_.step_seconds;
  tally_.virtual_s = now_;
  if (!options_.timeline) return;
  timeline_.add({.virtual_s = now_,
                 .step = tally_.steps,
                 .mode = forward.mode,
                 .rows = rows,
                 .live = static_cast<std::int64_t>(world().requests().size()),
                 .waiting = static_cast<std::int64_t>(world().waiting().size()),
                 .free_pages = world().pool(Pool::full).free(),
                 .cached_pages = world().cache().nodes().full().owned,
                 .hit_tokens = tally_.hit_tokens,
                 .retractions = tally_.retractions});
}

// --- coming in

bool TraceDrive::admit_waiting() {
  while (!waiting_.empty() && !held_back_ && has_room(world().waiting().front().prompt)) {
    if (!play({.kind = StepKind::readmit})) return false;
    if (!applied_) break;
    live_.push_back(waiting_.front());
    waiting_.pop_front();
    ++tally_.readmissions;
    if (!start_youngest()) return false;
  }
  return true;
}

bool TraceDrive::admit_arrived() {
  while (next_ < requests_.size() && waiting_.empty() && !held_back_) {
    const DriveRequest& request = requests_[next_];
    if (request.arrival_s > now_ || !has_room(request.input)) return true;
    if (!admit(request)) return false;
    if (!applied_) return true;
    live_.push_back(next_++);
    if (!start_youngest()) return false;
  }
  return true;
}

// Whether a row is free, and pages for a prompt and for some of what all live requests will generate. What the prefix
// cache has of the prompt counts as needed, and as what it would give back.
bool TraceDrive::has_room(std::int64_t prompt) const {
  if (live_.empty()) return true;
  if (static_cast<std::int64_t>(live_.size()) == config_.requests) return false;
  const std::int64_t size = config_.page_size;
  const std::int64_t loop = pages_for(2 * world().ahead(), size);
  std::int64_t needed = pages_for(prompt, size) + loop;
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const std::int64_t left = requests_[live_[i]].target - world().requests()[i].length;
    needed += loop + std::max<std::int64_t>(0, left) / parts_kept_free / size;
  }
  const PrefixCache& cache = world().cache();
  return needed <= world().pool(Pool::full).free() + cache.evictable() &&
         (!config_.swa || needed <= world().pool(Pool::swa).free() + cache.evictable_swa());
}

bool TraceDrive::admit(const DriveRequest& request) {
  if (config_.cache && request.input > 0) return arrive(request);
  if (!play({.kind = StepKind::admit, .amount = request.cached})) return false;
  if (applied_) tally_.prompt_tokens += request.input;
  return true;
}

bool TraceDrive::arrive(const DriveRequest& request) {
  const Content prompt = prompt_of_blocks(request.blocks, block_tokens, request.blocks.empty() ? 0 : request.input);
  const Step step{.kind = StepKind::arrive, .amount = request.input, .family = family_of(request)};
  if (!play(step, {.prompt = request.blocks.empty() ? nullptr : &prompt})) return false;
  if (!applied_) return true;
  const std::int64_t hit = world().requests().back().length;
  tally_.prompt_tokens += request.input;
  tally_.hit_tokens += hit;
  tally_.prompt_blocks += static_cast<std::int64_t>(request.blocks.size());
  tally_.hit_blocks += request.blocks.empty() ? 0 : hit / block_tokens;
  return true;
}

// All of a prompt, a chunk at a time, before anybody decodes: everyone alive then takes part in every batch.
bool TraceDrive::start_youngest() {
  const auto who = static_cast<std::int64_t>(live_.size()) - 1;
  const std::int64_t prompt = std::max(requests_[live_.back()].input, world().requests().back().prompt);
  while (world().requests().back().length < prompt) {
    const std::int64_t chunk = std::min(prompt - world().requests().back().length, options_.chunk);
    if (!play({.kind = StepKind::extend, .who = who, .rows = 1, .amount = chunk})) return false;
    tally_.prefilled += chunk;
  }
  if (config_.cache && !play({.kind = StepKind::share, .who = who, .rows = 1})) return false;
  return evict() && finish_done();
}

// --- decoding

bool TraceDrive::speculate() {
  mark();
  if (config_.draft_tokens == 1) {
    if (!play({.kind = StepKind::decode, .rows = 0}) || !finish_done()) return false;
  } else {
    for (std::int64_t i = 0; i + 1 < config_.draft_steps; ++i)
      if (!play({.kind = StepKind::draft, .rows = 0, .amount = i})) return false;
    if (!verify() || !finish_done()) return false;
    if (!live_.empty() && !play({.kind = StepKind::draft_extend, .rows = 0})) return false;
  }
  return ++loops_ % loops_per_evict != 0 || evict();
}

bool TraceDrive::verify() {
  const Step step = accept_.next(static_cast<std::int64_t>(live_.size()));
  if (!play(step, {.accepted = accept_.by_row()})) return false;
  const Forward& forward = world().forward();
  std::int64_t accepted = 0;
  for (const ForwardRow& row : forward.rows) accepted += row.accepted;
  accept_.note(accepted, forward.real_rows);
  tally_.accepted += accepted;
  tally_.verified += forward.real_rows;
  return true;
}

bool TraceDrive::finish_done() {
  for (std::size_t i = live_.size(); i-- > 0;) {
    if (world().requests()[i].length < requests_[live_[i]].target) continue;
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(i));
    held_back_ = false;
    ++tally_.requests;
    if (!play({.kind = StepKind::finish, .who = static_cast<std::int64_t>(i)})) return false;
  }
  if (live_.empty()) held_back_ = false;
  return true;
}

bool TraceDrive::evict() { return !config_.swa || play({.kind = StepKind::evict}); }

bool TraceDrive::settle() {
  settled_ = true;
  violations_ = player_.settle();
  return false;
}

// --- violations

// Here nobody is between a verify and its draft extend, so lengths say all there is to say about a request.
void TraceDrive::mark() {
  lengths_of(world(), at_mark_);
  since_mark_.clear();
}

std::vector<Scenario> TraceDrive::suspects() const {
  std::vector<Scenario> suspects;
  if (!since_mark_.empty()) {
    suspects.push_back(admit_all(config_, before_step_));
    suspects.back().steps.push_back(since_mark_.back());
    suspects.push_back(admit_all(config_, at_mark_));
    suspects.back().steps.insert(suspects.back().steps.end(), since_mark_.begin(), since_mark_.end());
  }
  if (!since_start_.empty() && since_start_.size() <= steps_kept) suspects.push_back({config_, since_start_});
  return suspects;
}

}  // namespace pagestorm::sim
