// How the world turns a step into a forward pass.

#include <algorithm>

#include "world.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t captured_fill = 1;  // length of a padded row (contract, "Padded rows")

Mode mode_of(StepKind kind) {
  switch (kind) {
    case StepKind::draft: return Mode::draft_decode;
    case StepKind::verify: return Mode::target_verify;
    case StepKind::draft_extend: return Mode::draft_extend;
    case StepKind::extend: return Mode::extend;
    case StepKind::decode: return Mode::decode;
    default: return Mode::idle;
  }
}

}  // namespace

// Tokens that the request must have slots for, when it is row `position` of the batch.
std::int64_t World::tokens_after(const Step& step, const Request& request, std::int64_t position) const {
  switch (step.kind) {
    case StepKind::decode: return request.length + 1;
    case StepKind::extend: return request.length + std::max<std::int64_t>(1, step.amount - position);
    case StepKind::draft: return request.length + config_.draft_steps;
    case StepKind::verify: return request.length + config_.draft_tokens;
    default: return request.verified.value_or(request.length) + config_.draft_tokens;
  }
}

bool World::select(const Step& step) {
  const auto alive = static_cast<std::int64_t>(live_.size());
  chosen_.clear();
  const std::int64_t take = step.rows == 0 ? alive : std::min(step.rows, alive);
  for (std::int64_t i = 0; i < take; ++i) chosen_.push_back(static_cast<std::size_t>((step.who + i) % alive));
  return take > 0;
}

// Capacity is tested for the whole batch before anything is written.
bool World::fits(const Step& step, std::int64_t& full_pages, std::int64_t& swa_pages) {
  full_pages = swa_pages = 0;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const Request& request = live_[chosen_[i]];
    const std::int64_t tokens = tokens_after(step, request, static_cast<std::int64_t>(i));
    if (tokens > config_.columns()) return false;
    full_pages += new_columns(request, tokens);
    swa_pages += new_swa_columns(request, tokens, request.length);
  }
  return full_pages <= full_.free() && swa_pages <= swa_.free();
}

void World::add_row(const Step& step, std::size_t index, std::int64_t position) {
  Request& request = live_[index];
  const std::int64_t tokens = tokens_after(step, request, position);
  grow(request, std::max(tokens, request.written), request.length);
  const std::int64_t draft = config_.draft_tokens;
  ForwardRow& row = forward_.rows.emplace_back();
  row.request = static_cast<std::int64_t>(index);
  row.owner = row.pool_row = request.row;
  switch (step.kind) {
    case StepKind::draft:
      row.length = request.length;
      row.first_write = request.length + forward_.draft_step;
      row.writes = 1;
      break;
    case StepKind::verify:
      row.length = row.first_write = request.length;
      row.writes = draft;
      request.verified = request.length;
      request.length += accepted_tokens(step, position, draft);
      break;
    case StepKind::draft_extend:
      row.length = tokens;
      row.first_write = tokens - draft;
      row.writes = draft;
      request.verified.reset();
      break;
    default:  // decode and extend
      row.length = tokens;
      row.first_write = request.length;
      row.writes = row.new_tokens = tokens - request.length;
      request.verified.reset();
      request.length = tokens;
  }
}

void World::pad(std::int64_t to) {
  forward_.padded = static_cast<std::int64_t>(forward_.rows.size()) < to;
  while (static_cast<std::int64_t>(forward_.rows.size()) < to)
    forward_.rows.push_back({.length = captured_fill, .writes = forward_.tokens_per_row});
}

void World::make_odd(const Step& step) {
  if (step.odd == Odd::none || forward_.rows.empty()) return;
  ForwardRow& row = forward_.rows[static_cast<std::size_t>(step.odd_row) % forward_.rows.size()];
  row.odd = step.odd;
  constexpr std::int64_t beyond_32_bits = (std::int64_t{1} << 32) + 5;
  switch (step.odd) {
    case Odd::duplicate:
      row.pool_row = forward_.rows.front().pool_row;
      row.length = forward_.rows.front().length;
      break;
    case Odd::row_zero: row.pool_row = 0; break;
    case Odd::outside_pool: row.pool_row = config_.requests + 1; break;
    case Odd::before_pool: row.pool_row = -1; break;
    case Odd::negative_length: row.length = -3; break;
    case Odd::zero_length: row.length = 0; break;
    case Odd::huge_length:
      row.length = config_.layout.length_type == IntType::int64 ? beyond_32_bits : INT32_MAX;
      break;
    case Odd::negative_slot:
    case Odd::none: break;
  }
}

bool World::idle(const Step& step) {
  const std::int64_t rows = std::min(step.amount, Inputs::row_capacity(config_));
  forward_.mode = Mode::idle;
  forward_.draft_step = 0;
  forward_.tokens_per_row = 1;
  forward_.has_cached_prefix = true;
  forward_.real_rows = 0;
  forward_.rows.clear();
  pad(rows);
  make_odd(step);
  return true;
}

bool World::run(const Step& step) {
  std::int64_t full_pages = 0;
  std::int64_t swa_pages = 0;
  if (!select(step) || !fits(step, full_pages, swa_pages)) return false;
  const bool many = step.kind == StepKind::verify || step.kind == StepKind::draft_extend;
  forward_.mode = mode_of(step.kind);
  forward_.draft_step = step.kind == StepKind::draft ? step.amount % config_.draft_steps : 0;
  forward_.tokens_per_row = many ? config_.draft_tokens : 1;
  forward_.has_cached_prefix = step.kind != StepKind::extend;
  forward_.rows.clear();
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    forward_.has_cached_prefix = forward_.has_cached_prefix || live_[chosen_[i]].length > 0;
    add_row(step, chosen_[i], static_cast<std::int64_t>(i));
  }
  forward_.real_rows = static_cast<std::int64_t>(forward_.rows.size());
  const auto bucket = std::lower_bound(config_.buckets.begin(), config_.buckets.end(), forward_.real_rows);
  const bool captured = !step.eager && step.kind != StepKind::extend && bucket != config_.buckets.end();
  pad(captured ? *bucket : forward_.real_rows);
  make_odd(step);
  return true;
}

}  // namespace pagestorm::sim
