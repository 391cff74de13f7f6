#include "trace_drive.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>

#include "rng.hpp"
#include "text.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::size_t steps_kept = 100'000;  // as many as a scenario file may have
constexpr std::int64_t loops_per_evict = 4;

std::int64_t pages_for(std::int64_t tokens, std::int64_t page_size) { return (tokens + page_size - 1) / page_size; }

void lengths_of(const World& world, std::vector<std::int64_t>& lengths) {
  lengths.clear();
  for (const Request& request : world.requests()) lengths.push_back(request.length);
}

Scenario admit_all(const Config& config, std::span<const std::int64_t> lengths) {
  Scenario scenario{.config = config};
  for (const std::int64_t length : lengths) scenario.steps.push_back({.kind = StepKind::admit, .amount = length});
  return scenario;
}

}  // namespace

// --- tally

double DriveTally::mean_accepted() const {
  return verified == 0 ? 0 : static_cast<double>(accepted) / static_cast<double>(verified);
}

double DriveTally::median_live_share() const {
  std::int64_t left = forwards / 2;
  for (std::size_t part = 0; part < live_share.size(); ++part) {
    left -= live_share[part];
    if (left < 0) return static_cast<double>(part) / share_parts;
  }
  return 0;
}

DriveTally& DriveTally::operator+=(const DriveTally& other) {
  requests += other.requests;
  steps += other.steps;
  forwards += other.forwards;
  rows += other.rows;
  cells += other.cells;
  for (std::size_t i = 0; i < mode_steps.size(); ++i) mode_steps[i] += other.mode_steps[i];
  for (std::size_t i = 0; i < mode_rows.size(); ++i) mode_rows[i] += other.mode_rows[i];
  prefilled += other.prefilled;
  accepted += other.accepted;
  verified += other.verified;
  rows_peak = std::max(rows_peak, other.rows_peak);
  pages_peak = std::max(pages_peak, other.pages_peak);
  virtual_s = std::max(virtual_s, other.virtual_s);
  for (std::size_t i = 0; i < live_share.size(); ++i) live_share[i] += other.live_share[i];
  return *this;
}

// --- drive

TraceDrive::TraceDrive(Player& player, std::span<const DriveRequest> requests, const DriveOptions& options)
    : player_(player),
      requests_(requests),
      options_(options),
      config_(config_of(options)),
      accept_(options.accept, options.draft_tokens, sub_seed(options.seed, 1)) {
  if (const std::string problem = complaint(config_); !problem.empty()) throw std::invalid_argument(problem);
  player_.start(config_);
}

// Every step that is played goes through here. Returns false when it broke a law.
bool TraceDrive::play(const Step& step) {
  lengths_of(player_.world(), before_step_);
  since_mark_.push_back(step);
  if (since_start_.size() <= steps_kept) since_start_.push_back(step);
  const std::int64_t no_ops = player_.coverage().no_ops;
  violations_ = player_.step(step);
  // A scheduler that asks for what cannot be would wait for it for ever.
  assert(player_.coverage().no_ops == no_ops || step.kind == StepKind::evict);
  static_cast<void>(no_ops);
  ++tally_.steps;
  if (has_batch(step.kind)) note_forward();
  tally_.rows_peak = std::max(tally_.rows_peak, static_cast<std::int64_t>(player_.world().requests().size()));
  tally_.pages_peak = std::max(tally_.pages_peak, player_.world().live_pages());
  return violations_.empty();
}

void TraceDrive::note_forward() {
  const Forward& forward = player_.world().forward();
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
  const std::int64_t table = std::max<std::int64_t>(1, width * config_.requests);
  ++tally_.live_share[static_cast<std::size_t>(cells * DriveTally::share_parts / table)];
  now_ += options_.step_seconds;
  tally_.virtual_s = now_;
}

bool TraceDrive::advance() {
  if (!violations_.empty()) return false;
  mark();
  if (!admit_arrived()) return false;
  if (!live_.empty()) return speculate();
  if (next_ == requests_.size()) return false;
  now_ = std::max(now_, requests_[next_].arrival_s);
  return true;
}

// Pages that a request needs at most: a loop that starts just before its end still looks ahead.
std::int64_t TraceDrive::pages_of(const DriveRequest& request) const {
  const std::int64_t ahead = 2 * config_.draft_tokens + config_.draft_steps;
  return pages_for(std::min(config_.columns(), request.target + ahead), config_.page_size);
}

bool TraceDrive::admit_arrived() {
  while (next_ < requests_.size() && static_cast<std::int64_t>(live_.size()) < config_.requests) {
    const DriveRequest& request = requests_[next_];
    if (request.arrival_s > now_ || reserved_ + pages_of(request) > config_.pages) return true;
    if (!admit(request)) return false;
  }
  return true;
}

bool TraceDrive::admit(const DriveRequest& request) {
  reserved_ += pages_of(request);
  live_.push_back(next_++);
  return play({.kind = StepKind::admit, .amount = request.cached}) && prefill(request) && evict() && finish_done();
}

// All of a prompt, a chunk at a time, before anybody decodes: everyone alive then takes part in every batch.
bool TraceDrive::prefill(const DriveRequest& request) {
  const auto who = static_cast<std::int64_t>(live_.size()) - 1;
  for (std::int64_t left = request.input - request.cached; left > 0;) {
    const std::int64_t chunk = std::min(left, options_.chunk);
    if (!play({.kind = StepKind::extend, .who = who, .rows = 1, .amount = chunk})) return false;
    tally_.prefilled += chunk;
    left -= chunk;
  }
  return true;
}

bool TraceDrive::speculate() {
  mark();
  const auto rows = static_cast<std::int64_t>(live_.size());
  if (config_.draft_tokens == 1) {
    if (!play({.kind = StepKind::decode, .rows = 0}) || !finish_done()) return false;
  } else {
    for (std::int64_t i = 0; i + 1 < config_.draft_steps; ++i)
      if (!play({.kind = StepKind::draft, .rows = 0, .amount = i})) return false;
    const Step verify = accept_.next(rows);
    tally_.accepted = accept_.accepted();
    tally_.verified = accept_.verified();
    if (!play(verify) || !finish_done()) return false;
    if (!live_.empty() && !play({.kind = StepKind::draft_extend, .rows = 0})) return false;
  }
  return ++loops_ % loops_per_evict != 0 || evict();
}

bool TraceDrive::finish_done() {
  for (std::size_t i = live_.size(); i-- > 0;) {
    const DriveRequest& request = requests_[live_[i]];
    if (player_.world().requests()[i].length < request.target) continue;
    if (!play({.kind = StepKind::finish, .who = static_cast<std::int64_t>(i)})) return false;
    reserved_ -= pages_of(request);
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(i));
    ++tally_.requests;
  }
  return true;
}

bool TraceDrive::evict() { return !config_.swa || play({.kind = StepKind::evict}); }

// --- violations

// Here nobody is between a verify and its draft extend, so lengths say all there is to say about a request.
void TraceDrive::mark() {
  lengths_of(player_.world(), at_mark_);
  since_mark_.clear();
}

std::vector<Scenario> TraceDrive::suspects() const {
  std::vector<Scenario> suspects;
  if (since_mark_.empty()) return suspects;
  suspects.push_back(admit_all(config_, before_step_));
  suspects.back().steps.push_back(since_mark_.back());
  suspects.push_back(admit_all(config_, at_mark_));
  suspects.back().steps.insert(suspects.back().steps.end(), since_mark_.begin(), since_mark_.end());
  if (since_start_.size() <= steps_kept) suspects.push_back({config_, since_start_});
  return suspects;
}

}  // namespace pagestorm::sim
