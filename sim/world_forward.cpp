// How the world turns a step into a forward pass.

#include <algorithm>

#include "engine/prompts.hpp"
#include "world.hpp"

namespace pagestorm::sim {
namespace {

bool verifies(StepKind kind) { return kind == StepKind::verify || kind == StepKind::ragged; }

Mode mode_of(StepKind kind) {
  switch (kind) {
    case StepKind::draft: return Mode::draft_decode;
    case StepKind::verify:
    case StepKind::block: return Mode::target_verify;
    case StepKind::ragged: return Mode::ragged_verify;
    case StepKind::draft_extend: return Mode::draft_extend;
    case StepKind::extend: return Mode::extend;
    case StepKind::decode: return Mode::decode;
    default: return Mode::idle;
  }
}

}  // namespace

std::int64_t World::ahead() const {
  return std::max({config_.draft_tokens, config_.draft_steps, config_.branch_room()});
}

// Tokens that are there once the request has been row `position` of the batch.
std::int64_t World::tokens_after(const Step& step, const Request& request, std::int64_t position) const {
  switch (step.kind) {
    case StepKind::decode: return request.length + 1;
    case StepKind::extend: {
      const std::int64_t most = std::max<std::int64_t>(1, step.amount - position);
      // A request whose prompt is done decodes along with those that are still being prefilled.
      const std::int64_t left = std::max<std::int64_t>(1, request.prompt - request.length);
      return request.length + (request.prompt > 0 ? std::min(most, left) : most);
    }
    case StepKind::draft: return request.length + (config_.trees() ? branch_reach(request) : config_.draft_steps);
    case StepKind::ragged:
    case StepKind::verify:
    case StepKind::block: return request.length + config_.draft_tokens;
    default: return request.verified.value_or(request.length) + config_.draft_tokens;
  }
}

// Slots are reserved for more than the step needs where the host may know less than the device.
std::int64_t World::slots_after(const Step& step, const Request& request, std::int64_t tokens) const {
  const bool speculates = step.kind == StepKind::draft || verifies(step.kind) || step.kind == StepKind::block;
  if (!speculates) return std::max(tokens, request.allocated);
  return std::max(request.allocated, std::min(config_.columns(), rules_.reserve(request.known_length, ahead())));
}

// Whoever is still being prefilled takes part in extends only.
bool World::select(const Step& step) {
  const auto alive = static_cast<std::int64_t>(live_.size());
  chosen_.clear();
  const std::int64_t take = step.rows == 0 ? alive : std::min(step.rows, alive);
  for (std::int64_t i = 0; i < take; ++i) {
    const auto at = static_cast<std::size_t>((step.who + i) % alive);
    if (step.kind == StepKind::extend || live_[at].length >= live_[at].prompt) chosen_.push_back(at);
  }
  return !chosen_.empty();
}

// False when somebody would outgrow its row.
bool World::needs(const Step& step, std::int64_t& full_pages, std::int64_t& swa_pages) const {
  full_pages = swa_pages = 0;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const Request& request = live_[chosen_[i]];
    const std::int64_t tokens = tokens_after(step, request, static_cast<std::int64_t>(i));
    if (tokens > config_.columns()) return false;
    const std::int64_t slots = slots_after(step, request, tokens);
    full_pages += new_columns(request, slots);
    swa_pages += new_swa_columns(request, slots, request.length);
  }
  return true;
}

void World::add_row(const Step& step, std::size_t index, std::int64_t position) {
  Request& request = live_[index];
  const std::int64_t tokens = tokens_after(step, request, position);
  grow(request, slots_after(step, request, tokens), request.length);
  const std::int64_t draft = config_.draft_tokens;
  ForwardRow& row = forward_.rows.emplace_back();
  row.request = static_cast<std::int64_t>(index);
  row.owner = row.pool_row = request.row;
  row.committed = request.length;
  row.prompt = std::min(request.prompt, request.length);
  switch (step.kind) {
    case StepKind::draft:
      row.length = request.length;
      row.first_write = request.length + forward_.draft_step;
      row.writes = 1;
      if (forward_.cascade) branch(request, row);
      break;
    case StepKind::verify:
      row.length = row.first_write = request.length;
      row.writes = draft;
      row.accepted = accepted_in(step, position);
      if (forward_.tree) plant(request, row);
      break;
    case StepKind::ragged:
      row.length = row.first_write = request.length;
      row.writes = row.new_tokens = ragged_tokens(step, position, draft);
      row.accepted = std::min(row.writes, accepted_in(step, position));
      break;
    case StepKind::block:
      row.first_write = request.length;
      row.writes = draft;
      if (config_.block_window > 0) {
        row.start = first_seen_column(request.length, config_.block_window) * config_.page_size;
        row.pool_row = config_.requests + std::max<std::int64_t>(request.row, 1);
        fill_block_row(request, row.start, tokens);
      }
      row.length = request.length - row.start;
      break;
    case StepKind::draft_extend:
      row.length = tokens;
      row.first_write = tokens - draft;
      row.writes = draft;
      break;
    default:  // decode and extend
      row.length = tokens;
      row.first_write = request.length;
      row.writes = row.new_tokens = tokens - request.length;
  }
  const bool drafts =
      step.kind == StepKind::draft || step.kind == StepKind::block || step.kind == StepKind::draft_extend;
  const bool prefills = step.kind == StepKind::extend || step.kind == StepKind::decode;
  forward_.writes_target = !drafts;
  forward_.writes_draft = drafts || prefills;
  note_content(step, request, row);
  commit(step, request, row, position);
}

std::int64_t World::accepted_in(const Step& step, std::int64_t position) const {
  const auto at = static_cast<std::size_t>(position);
  if (at >= detail_.accepted.size()) return accepted_tokens(step, position, config_.draft_tokens);
  return std::clamp<std::int64_t>(detail_.accepted[at], 0, config_.draft_tokens);
}

// The draft model's own row: the pages of the last tokens, from a page boundary on, and then those of the block.
void World::fill_block_row(const Request& request, std::int64_t start, std::int64_t tokens) {
  const std::int64_t row = config_.requests + std::max<std::int64_t>(request.row, 1);
  // By some faults it has fewer pages than tokens: there are no slots for the rest.
  const auto pages = static_cast<std::int64_t>(request.pages.size());
  const std::int64_t there = std::max(start, std::min(tokens, pages * config_.page_size));
  const std::int64_t first = std::min(start / config_.page_size, pages);
  inputs_->write_slots(row, 0, there - start, std::span(request.pages).subspan(static_cast<std::size_t>(first)));
  fence_off(row, there - start);
}

// What the slots of the row's new tokens hold from now on.
void World::note_content(const Step& step, Request& request, const ForwardRow& row) {
  constexpr std::int64_t of_a_draft = 0x8000;
  const std::int64_t end = row.first_write + row.writes;
  const auto put = [&](Content& content, std::int64_t version) {
    content.truncate(row.first_write);
    content.append(row.first_write - content.size(), unknown_base);
    content.append(row.writes, own_base(request.serial, version));
  };
  switch (step.kind) {
    case StepKind::draft:
      if (forward_.cascade) return note_branches(request, row);
      [[fallthrough]];
    case StepKind::block: return put(request.draft, of_a_draft + request.verifies);
    case StepKind::draft_extend: return put(request.draft, request.verifies);
    case StepKind::ragged:
    case StepKind::verify: return put(request.target, request.verifies + 1);
    default: break;
  }
  const bool prompts = end <= request.prompt;
  if (!prompts) {
    request.target.truncate(std::max(row.first_write, std::min(request.prompt, end)));
    request.generated = request.generated || step.kind == StepKind::decode || request.prompt > 0;
    if (request.family != 0 && !request.generated)
      append_prompt(request.target, request.family, config_.branch, end);
    else
      request.target.append(end - request.target.size(), own_base(request.serial, 0));
  }
  // Target and draft model prefill and decode over the same slots, each in pools of its own.
  request.draft.truncate(row.first_write);
  request.draft.append(row.first_write - request.draft.size(), unknown_base);
  const Content written = request.target.slice(row.first_write, end);
  for (std::size_t i = 0; i < written.runs().size(); ++i) {
    const TokenRun& run = written.runs()[i];
    const std::int64_t last = i + 1 < written.runs().size() ? written.runs()[i + 1].first : end;
    request.draft.append(last - run.first, run.base);
  }
}

void World::commit(const Step& step, Request& request, const ForwardRow& row, std::int64_t position) {
  switch (step.kind) {
    case StepKind::draft:
    case StepKind::block: return;
    case StepKind::draft_extend: request.verified.reset(); return;
    case StepKind::ragged:
    case StepKind::verify:
      request.generated = true;
      ++request.verifies;
      request.verified = request.known_length = request.length;
      request.length += forward_.rows[static_cast<std::size_t>(rules_.accepted_row(position))].accepted;
      if (forward_.tree) choose_path(request, row);
      return;
    default: request.verified.reset(); request.length = request.known_length = row.length;
  }
}

bool World::run(const Step& step) {
  forward_.rows.clear();
  forward_.real_rows = 0;
  if (!make_room(step)) return false;
  const bool many =
      step.kind == StepKind::verify || step.kind == StepKind::block || step.kind == StepKind::draft_extend;
  forward_.mode = mode_of(step.kind);
  forward_.draft_step = step.kind == StepKind::draft ? step.amount % config_.draft_steps : 0;
  forward_.tokens_per_row = many ? config_.draft_tokens : 1;
  forward_.has_cached_prefix = step.kind != StepKind::extend;
  forward_.cascade = forward_.tree = false;
  forward_.branches = 0;
  forward_.extrapolates = rules_.extrapolates_slots();
  if (config_.flash) take_family(step);
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    forward_.has_cached_prefix = forward_.has_cached_prefix || live_[chosen_[i]].length > 0;
    add_row(step, chosen_[i], static_cast<std::int64_t>(i));
  }
  forward_.real_rows = static_cast<std::int64_t>(forward_.rows.size());
  const auto bucket = std::lower_bound(config_.buckets.begin(), config_.buckets.end(), forward_.real_rows);
  const bool captured = !step.eager && step.kind != StepKind::extend && bucket != config_.buckets.end();
  forward_.written = forward_.write_slots();
  forward_.captured = captured && (step.kind != StepKind::ragged || covers(*bucket));
  pad(forward_.captured ? *bucket : forward_.real_rows);
  make_odd(step);
  return true;
}

}  // namespace pagestorm::sim
