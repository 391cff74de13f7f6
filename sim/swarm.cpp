#include "swarm.hpp"

#include <algorithm>

#include "draw_timing.hpp"
#include "flash/draw.hpp"
#include "inputs.hpp"
#include "motifs.hpp"
#include "rng.hpp"

namespace pagestorm::sim {
namespace {

// A value in [low, high] that is small or large with equal likelihood at every scale.
std::int64_t log_uniform(Rng& rng, std::int64_t low, std::int64_t high) {
  if (high <= low) return low;
  int bits = 0;
  while ((std::int64_t{1} << bits) <= high - low) ++bits;
  const std::int64_t top = std::int64_t{1} << rng.between(0, bits);
  return std::min(high, low + rng.between(0, top));
}

bool spreads_evenly(const Space& space) { return space.generator != Generator::boundaries; }

std::int64_t draw_page_size(Rng& rng, const Space& space) {
  if (!space.page_sizes.empty()) return rng.pick(std::span<const std::int64_t>(space.page_sizes));
  if (spreads_evenly(space)) return rng.between(space.page_size_low, space.page_size_high);
  constexpr std::int64_t awkward[] = {3, 5, 48, 96, 125, 250, 1000, 3000};
  std::int64_t size = 0;
  switch (rng.below(8)) {
    case 0:
    case 1:
    case 2: size = std::int64_t{1} << rng.between(0, 6); break;
    case 3:
    case 4: size = std::int64_t{1} << rng.between(0, 12); break;
    case 5: size = rng.pick(std::span<const std::int64_t>(awkward)); break;
    default: size = log_uniform(rng, space.page_size_low, space.page_size_high);
  }
  return std::clamp(size, space.page_size_low, space.page_size_high);
}

// A number of tokens near a place where formulas change.
std::int64_t draw_length(Rng& rng, const Config& config, const Space& space) {
  const std::int64_t size = config.page_size;
  const std::int64_t pages = std::max<std::int64_t>(1, config.width());
  if (spreads_evenly(space)) return rng.between(space.length_low, config.columns());
  std::int64_t length = 0;
  switch (rng.below(8)) {
    case 0: length = rng.between(0, 2); break;
    case 1: length = size + rng.between(-1, 1); break;
    case 2:
    case 3: length = size * rng.between(1, pages) + rng.between(-1, 1); break;
    case 4: length = config.context - rng.between(0, config.draft_tokens); break;
    case 5: length = config.context + rng.between(-1, config.draft_tokens); break;
    case 6: length = log_uniform(rng, 0, config.context); break;
    default: length = rng.between(0, config.context);
  }
  return std::clamp<std::int64_t>(length, space.length_low, std::max(space.length_low, config.columns()));
}

std::int64_t draw_context(Rng& rng, std::int64_t size, const Space& space) {
  const std::int64_t high = space.length_high;
  if (spreads_evenly(space)) return rng.between(std::min(space.length_low, high), high);
  std::int64_t context = 0;
  switch (rng.below(8)) {
    case 0: context = high; break;
    case 1: context = size * rng.between(1, 4) + rng.between(-1, 1); break;
    case 2: context = size * log_uniform(rng, 1, std::max<std::int64_t>(1, high / size)); break;
    case 3: context = rng.between(0, 3); break;
    default: context = log_uniform(rng, 1, high);
  }
  return std::clamp<std::int64_t>(context, std::min(space.length_low, high), high);
}

Layout draw_layout(Rng& rng, bool far, bool swa) {
  Layout layout;
  const auto int_type = [&] { return rng.one_in(2) ? IntType::int32 : IntType::int64; };
  const auto stride = [&] { return rng.one_in(3) ? rng.between(2, 4) : 1; };
  const auto padding = [&] { return rng.one_in(2) ? 0 : rng.between(1, 70); };
  layout.index_type = int_type();
  layout.length_type = int_type();
  layout.location_type = int_type();
  layout.map_type = int_type();
  if (swa && rng.one_in(3)) layout.write_room = rng.one_in(6) ? rng.between(-8, -1) : rng.between(1, 40);
  if (rng.one_in(2)) {
    layout.input_stride = stride();
    layout.output_stride = stride();
    layout.slots_stride = stride();
    layout.slots_padding = padding();
    layout.table_stride = stride();
    layout.table_padding = padding();
    layout.swa_table_stride = stride();
    layout.swa_table_padding = padding();
  }
  if (!far) return layout;
  constexpr Far everywhere[] = {Far::req_to_token, Far::page_table, Far::swa_page_table};
  layout.far = rng.pick(std::span<const Far>(everywhere, swa ? 3 : 2));
  return layout;
}

std::vector<std::int64_t> draw_buckets(Rng& rng, std::int64_t requests) {
  std::vector<std::int64_t> buckets;
  if (rng.one_in(5)) return buckets;
  const bool dense = rng.one_in(3);
  for (std::int64_t size = 1; size <= requests; size = dense ? size + rng.between(1, 3) : size * 2)
    buckets.push_back(size);
  if (rng.one_in(2)) buckets.push_back(requests + rng.between(1, 4));
  buckets.erase(std::unique(buckets.begin(), buckets.end()), buckets.end());
  return buckets;
}

// Where prompts part: near a page boundary, where splitting is delicate, or anywhere.
std::int64_t draw_branch(Rng& rng, const Config& config, const Space& space) {
  if (spreads_evenly(space)) return rng.between(1, config.context);
  const std::int64_t near = config.page_size * rng.between(1, 3) + rng.between(-1, 1);
  return std::max<std::int64_t>(1,
                                rng.one_in(3) ? log_uniform(rng, 1, std::max<std::int64_t>(1, config.context)) : near);
}

std::int64_t draw_window(Rng& rng, const Config& config, const Space& space) {
  if (spreads_evenly(space)) return rng.between(1, config.context);
  const std::int64_t near = rng.one_in(3) ? config.page_size * rng.between(1, 3) + rng.between(-1, 1)
                                          : log_uniform(rng, 1, std::max<std::int64_t>(1, config.context));
  return std::max<std::int64_t>(1, near);
}

Config draw_config(Rng& rng, const Space& space, std::int64_t& steps) {
  constexpr std::int64_t largest_far_batch = 3;
  const bool far = space.far && rng.one_in(72);
  const bool large = rng.one_in(16);
  Config config;
  config.page_size = draw_page_size(rng, space);
  config.draft_tokens = rng.one_in(4) ? log_uniform(rng, 1, 64) : rng.between(1, 8);
  config.draft_steps = rng.between(1, 8);
  if (space.draft_tokens_low > 0) config.draft_tokens = rng.between(space.draft_tokens_low, space.draft_tokens_high);
  if (space.flash) draw_family(rng, space, config);
  config.context = draw_context(rng, config.page_size, space);
  config.swa = space.swa.value_or(!rng.one_in(3));
  const std::int64_t budget = large ? 8 * space.cells_high : space.cells_high;
  std::int64_t affordable = std::max<std::int64_t>(1, budget / std::max<std::int64_t>(1, config.width()));
  constexpr std::int64_t most_tokens = std::int64_t{1} << 22;
  affordable = std::max<std::int64_t>(1, std::min(affordable, most_tokens / config.columns()));
  config.requests =
      std::min(affordable, rng.one_in(2) ? rng.between(1, space.rows_high) : log_uniform(rng, 1, space.rows_high));
  if (far) config.requests = std::min(config.requests, largest_far_batch - 1);
  steps = rng.between(1, space.steps_high);
  config.buckets = draw_buckets(rng, config.requests);
  if (far)
    for (std::int64_t& bucket : config.buckets) bucket = std::min(bucket, largest_far_batch);
  config.buckets.erase(std::unique(config.buckets.begin(), config.buckets.end()), config.buckets.end());
  const std::int64_t most = config.requests * ((config.columns() + config.page_size - 1) / config.page_size);
  config.retract = rng.one_in(3);
  const bool tight = rng.one_in(config.retract ? 2 : 4);
  config.pages = std::max<std::int64_t>(1, tight ? most / 2 : most + rng.between(0, 64));
  config.swa_pages = std::max<std::int64_t>(1, rng.one_in(2) ? most : most / 2 + 1);
  config.window = draw_window(rng, config, space);
  config.cache = !far && rng.one_in(2);
  if (config.cache) config.branch = draw_branch(rng, config, space);
  if (!far && rng.one_in(4)) config.block_window = log_uniform(rng, 1, std::max<std::int64_t>(1, config.context));
  config.pool_seed = rng.next();
  config.layout = draw_layout(rng, far, config.swa);
  const std::int64_t words = 2 * config.width() * Inputs::row_capacity(config) + 1;
  constexpr std::int64_t always_swept = 16384;
  config.layout.sweep = rng.one_in(static_cast<std::uint64_t>(1 + words / always_swept));
  return config;
}

using Weights = std::array<std::uint64_t, step_kind_count>;

bool allowed(StepKind kind, const Space& space) {
  const auto mode = [&](Mode which) { return space.modes[static_cast<std::size_t>(which)]; };
  switch (kind) {
    case StepKind::extend: return mode(Mode::extend);
    case StepKind::decode: return mode(Mode::decode);
    case StepKind::draft: return mode(Mode::draft_decode);
    case StepKind::verify:
    case StepKind::block: return mode(Mode::target_verify);
    case StepKind::ragged: return mode(Mode::ragged_verify);
    case StepKind::draft_extend: return mode(Mode::draft_extend);
    case StepKind::idle: return mode(Mode::idle);
    case StepKind::puncture: return space.odd;
    default: return true;
  }
}

// Swarm: some kinds are off for the whole scenario, the others are wildly unequal.
Weights draw_weights(Rng& rng, const Space& space, const Config& config) {
  Weights weights{};
  const bool alike = space.generator == Generator::uniform;
  for (int i = 0; i < step_kind_count; ++i) {
    const auto kind = static_cast<StepKind>(i);
    const std::uint64_t weight = rng.one_in(3) ? 0 : std::uint64_t{1} << rng.below(5);
    const bool rare = kind == StepKind::finish || kind == StepKind::puncture || kind == StepKind::idle ||
                      kind == StepKind::retract || kind == StepKind::reclaim;
    if (alike)
      weights[static_cast<std::size_t>(i)] = allowed(kind, space) ? 1 : 0;
    else if (allowed(kind, space))
      weights[static_cast<std::size_t>(i)] = rare ? std::min<std::uint64_t>(weight, 2) : weight;
  }
  weights[static_cast<std::size_t>(StepKind::admit)] = alike ? 1 : std::uint64_t{1} << rng.below(3);
  const auto none = [&](StepKind kind) { weights[static_cast<std::size_t>(kind)] = 0; };
  if (!config.swa) none(StepKind::evict);
  if (!config.swa || !config.cache) none(StepKind::tombstone);
  if (!config.cache)
    for (const StepKind kind : {StepKind::share, StepKind::reclaim}) none(kind);
  if (config.cache && !alike) weights[static_cast<std::size_t>(StepKind::arrive)] += 2;
  if (!config.retract)
    for (const StepKind kind : {StepKind::retract, StepKind::readmit}) none(kind);
  return weights;
}

StepKind pick_kind(Rng& rng, const Weights& weights) {
  std::uint64_t total = 0;
  for (const std::uint64_t weight : weights) total += weight;
  std::uint64_t at = rng.below(total);
  for (int i = 0; i < step_kind_count; ++i) {
    if (at < weights[static_cast<std::size_t>(i)]) return static_cast<StepKind>(i);
    at -= weights[static_cast<std::size_t>(i)];
  }
  return StepKind::admit;
}

std::int64_t draw_amount(Rng& rng, StepKind kind, const Config& config, const Space& space) {
  switch (kind) {
    case StepKind::admit:
    case StepKind::arrive: return draw_length(rng, config, space);
    case StepKind::reclaim:
    case StepKind::tombstone: return rng.between(1, std::max<std::int64_t>(1, config.width()));
    case StepKind::extend:
      return spreads_evenly(space) || rng.one_in(2) ? draw_length(rng, config, space)
                                                    : rng.between(1, 2 * config.page_size);
    case StepKind::draft: return rng.between(0, config.draft_steps - 1);
    case StepKind::ragged:
    case StepKind::verify: {
      if (spreads_evenly(space) || rng.one_in(2)) return rng.between(0, config.draft_tokens);
      return rng.one_in(2) ? 0 : config.draft_tokens;
    }
    case StepKind::idle: return rng.one_in(2) ? 0 : rng.between(1, Inputs::row_capacity(config));
    case StepKind::puncture: return rng.between(0, std::max<std::int64_t>(0, config.width() - 1));
    default: return 0;
  }
}

std::int64_t draw_rows(Rng& rng, const Config& config) { return rng.one_in(2) ? 0 : rng.between(1, config.requests); }

}  // namespace

Scenario draw(std::uint64_t seed, const Space& space) {
  Rng rng(seed);
  Scenario scenario;
  const bool odd_here = space.odd && rng.one_in(3);
  std::int64_t steps = 0;
  scenario.config = draw_config(rng, space, steps);
  scenario.config.timing = space.flash ? Timing{} : space.timing ? *space.timing : draw_timing(seed);
  const Weights weights = draw_weights(rng, space, scenario.config);
  const std::int64_t alike = rng.between(1, 3);  // families of this scenario: few, so that they meet
  // A whole batch without cached prefixes does not happen by chance.
  const bool from_nothing =
      !spreads_evenly(space) && allowed(StepKind::extend, space) && space.length_low == 0 && rng.one_in(8);
  const bool plays_motifs =
      space.generator != Generator::uniform && (scenario.config.cache || scenario.config.retract) && rng.one_in(2);
  const std::int64_t first_admits = rng.between(1, scenario.config.requests);
  for (std::int64_t i = 0; i < first_admits + steps; ++i) {
    Step step;
    step.kind = i < first_admits ? StepKind::admit : pick_kind(rng, weights);
    if (from_nothing && i == first_admits) step.kind = StepKind::extend;
    step.who = rng.between(0, scenario.config.requests - 1);
    step.amount = draw_amount(rng, step.kind, scenario.config, space);
    if (from_nothing && i < first_admits) step.amount = 0;
    const bool begins = step.kind == StepKind::admit || step.kind == StepKind::arrive;
    if (begins && scenario.config.cache) step.family = rng.one_in(4) ? 0 : rng.between(1, alike);
    if (has_batch(step.kind)) {
      step.rows = draw_rows(rng, scenario.config);
      step.eager = rng.one_in(4);
      if (odd_here && rng.one_in(4)) step.odd = static_cast<Odd>(rng.between(1, odd_count - 1));
      if (step.odd != Odd::none) step.odd_row = rng.between(0, scenario.config.requests - 1);
    }
    scenario.steps.push_back(step);
    if (i + 1 < first_admits || !plays_motifs || !rng.one_in(4)) continue;
    const std::vector<Step> motif = draw_motif(rng, scenario.config, draw_length(rng, scenario.config, space), alike);
    const auto taken = static_cast<std::int64_t>(motif.size());
    if (i + taken >= first_admits + steps) continue;
    i += taken;
    for (const Step& one : motif)
      if (allowed(one.kind, space)) scenario.steps.push_back(one);
  }
  return scenario;
}

}  // namespace pagestorm::sim
