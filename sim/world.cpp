#include "world.hpp"

#include <algorithm>
#include <utility>

#include "engine/prompts.hpp"
#include "flash/arrays.hpp"
#include "overlap.hpp"
#include "pagestorm/ids.hpp"
#include "rng.hpp"

namespace pagestorm::sim {

World::World() = default;
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::start(const Config& config, Inputs& inputs, Fault fault) {
  config_ = config;
  rules_ = {fault};
  inputs_ = &inputs;
  full_.reset(config.pages, sub_seed(config.pool_seed, 0));
  swa_.reset(config.swa ? config.swa_pages : 0, sub_seed(config.pool_seed, 1));
  cache_.start(config.page_size, config.swa, rules_.matched_window(config.window));
  for (Request& request : live_) spare_.push_back(std::move(request));
  live_.clear();
  waiting_.clear();
  free_rows_.clear();
  for (std::int64_t i = 0; i < config.requests; ++i) free_rows_.push_back(rules_.free_row(i, config.requests));
  admitted_ = 0;
  events_.clear();
  tally_ = {};
  forward_ = {};
  captured_.clear();
  if (!config.timing.overlap) overlap_.reset();
  if (config.timing.overlap && !overlap_) overlap_ = std::make_unique<Overlap>();
  if (overlap_) overlap_->start(config, fault);
  inputs.lay_out(config, FlashArrays::bytes(config));
}

Outcome World::apply(const Step& step, const StepDetail& detail) {
  events_.clear();
  inputs_->forget_writes();
  cache_.forget_changes();
  step_ = step;
  detail_ = detail;
  compact_all();
  const Outcome outcome = perform(step);
  if (overlap_) overlap_->follow(*this, outcome);
  return outcome;
}

Outcome World::perform(const Step& step) {
  const auto changed = [](bool did) { return did ? Outcome::changed : Outcome::no_op; };
  switch (step.kind) {
    case StepKind::admit: return changed(admit(step));
    case StepKind::evict: return changed(evict());
    case StepKind::finish: return changed(finish(step.who));
    case StepKind::puncture: return changed(puncture(step.who, step.amount));
    case StepKind::arrive: return changed(arrive(step));
    case StepKind::share: return changed(share(step));
    case StepKind::reclaim: return changed(reclaim(step.amount));
    case StepKind::tombstone: return changed(tombstone(step.amount));
    case StepKind::retract: return changed(retract(step.who));
    case StepKind::readmit: return changed(readmit());
    case StepKind::idle: return idle(step) ? Outcome::batch : Outcome::no_op;
    default: return run(step) ? Outcome::batch : Outcome::no_op;
  }
}

bool World::changed() const {
  return !events_.empty() || !inputs_->cells_written().empty() || !cache_.nodes().changed().empty();
}

void World::settle() {
  events_.clear();
  compact_all();
  waiting_.clear();
  while (!live_.empty()) finish(0);
  reclaim(full_.pages());
}

// The next in line: of no tokens, with a row and storage, and not yet alive.
Request& World::new_request(const Step& step) {
  if (spare_.empty()) spare_.emplace_back();
  Request& request = spare_.back();
  request.clear();
  request.serial = admitted_;
  request.row = free_rows_.back();
  request.family = step.family;
  const std::int64_t tokens = std::max<std::int64_t>(step.amount, 0);
  if (detail_.prompt != nullptr)
    request.target = detail_.prompt->slice(0, tokens);
  else if (step.family != 0)
    append_prompt(request.target, step.family, config_.branch, tokens);
  else
    request.target.append(tokens, own_base(request.serial, 0));
  return request;
}

void World::start_living() {
  ++admitted_;
  free_rows_.pop_back();
  live_.push_back(std::move(spare_.back()));
  spare_.pop_back();
}

bool World::admit(const Step& step) {
  const std::int64_t tokens = rules_.loaded_tokens(step.amount, config_.page_size);
  if (free_rows_.empty() || step.amount < 0 || tokens > config_.columns()) return false;
  Request& request = new_request(step);
  if (!find_room(new_columns(request, tokens), new_swa_columns(request, tokens, tokens))) return false;
  request.length = request.known_length = tokens;
  request.evicted_pages = first_windowed_column(tokens);
  grow(request, tokens, tokens);
  request.draft = request.target;
  start_living();
  events_.push_back(
      {.kind = EventKind::loaded, .tokens = std::min(live_.back().allocated, rules_.arrived_tokens(step.amount))});
  return true;
}

bool World::finish(std::int64_t who) {
  if (live_.empty()) return false;
  const auto at = static_cast<std::size_t>(who) % live_.size();
  Request& request = live_[at];
  if (config_.cache) share(request, shareable(request));
  release(request, true);
  spare_.push_back(std::move(request));
  live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

bool World::puncture(std::int64_t who, std::int64_t page) {
  if (live_.empty()) return false;
  Request& request = live_[static_cast<std::size_t>(who) % live_.size()];
  // A shared page has other readers, who were promised its slots.
  const std::int64_t pages = (request.allocated + config_.page_size - 1) / config_.page_size - request.shared_columns;
  if (pages <= 0) return false;
  const std::int64_t column = request.shared_columns + page % pages;
  inputs_->write_value(request.row, column * config_.page_size, static_cast<std::int32_t>(absent_slot), 1);
  if (std::find(request.punctured.begin(), request.punctured.end(), column) == request.punctured.end())
    request.punctured.push_back(column);
  return true;
}

}  // namespace pagestorm::sim
