#include "bench_cases.hpp"

#include <algorithm>
#include <span>

#include "rng.hpp"

namespace pagestorm::sim {
namespace {

// Judged near live cells, with pages for all requests at the context limit.
Config bench_config(std::int64_t rows, std::int64_t page_size, std::int64_t width, bool swa) {
  Config config{.page_size = page_size, .context = width * page_size, .requests = rows, .swa = swa};
  config.pages = config.swa_pages = rows * (config.columns() / page_size + 1);
  config.window = config.context;
  config.layout.sweep = false;
  return config;
}

}  // namespace

Scenario bench_case(std::uint64_t seed) {
  constexpr std::int64_t longest = 4096;
  constexpr std::int64_t page_sizes[] = {1, 16, 32, 64, 128, 256};
  Rng rng(seed);
  const std::int64_t page_size = rng.pick(std::span<const std::int64_t>(page_sizes));
  const std::int64_t rows = rng.between(1, 16);
  Scenario scenario{.config = bench_config(rows, page_size, longest / page_size, true)};
  scenario.config.pool_seed = rng.next();
  for (std::int64_t i = 0; i < rows; ++i)
    scenario.steps.push_back({.kind = StepKind::admit, .amount = rng.between(0, longest)});
  scenario.steps.push_back({.kind = StepKind::decode, .rows = 0});
  return scenario;
}

Scenario bench_rows(const BenchRows& shape, std::uint64_t seed) {
  Rng rng(seed);
  Scenario scenario{.config = bench_config(shape.rows, shape.page_size, std::max(shape.width, shape.pages), shape.swa)};
  scenario.config.pool_seed = rng.next();
  const std::int64_t longest = shape.pages * shape.page_size - scenario.config.draft_tokens;
  for (std::int64_t i = 0; i < shape.rows; ++i)
    scenario.steps.push_back({.kind = StepKind::admit, .amount = rng.between(shape.uniform ? 0 : longest, longest)});
  return scenario;
}

Scenario bench_storm(std::uint64_t seed) {
  constexpr std::int64_t requests = 8;
  Scenario scenario{.config = bench_config(requests, 16, 64, true)};
  scenario.config.cache = true;
  scenario.config.window = 32;
  scenario.config.pages *= 2;  // half of them for what the prefix cache keeps
  scenario.config.swa_pages *= 2;
  scenario.config.pool_seed = seed;
  for (std::int64_t i = 0; i < requests; ++i)
    scenario.steps.push_back({.kind = StepKind::arrive, .amount = 100 * (i + 1), .family = 1 + i % 4});
  scenario.steps.push_back({.kind = StepKind::extend, .rows = 0, .amount = 1000});
  return scenario;
}

Step bench_storm_step(std::int64_t i) {
  constexpr std::int64_t lap = 32;
  constexpr std::int64_t longest = 800;
  const std::int64_t round = i / lap;
  switch (const std::int64_t at = i % lap; at) {
    case 0: return {.kind = StepKind::finish};
    case 1: return {.kind = StepKind::arrive, .amount = 50 + 97 * round % longest, .family = round % 4};
    case 2: return {.kind = StepKind::extend, .who = 7, .amount = 512};
    case 3: return {.kind = StepKind::extend, .who = 7, .amount = 512};
    case 4: return {.kind = StepKind::share, .who = 7};
    case 5: return {.kind = StepKind::evict};
    case 6: return {.kind = StepKind::decode, .rows = 0};
    default: {
      Step step = bench_step(at - 7);
      if (step.kind == StepKind::verify) step.amount = 1 + round % 3;
      return step;
    }
  }
}

Step bench_step(std::int64_t i) {
  constexpr StepKind loop[] = {StepKind::draft, StepKind::draft, StepKind::draft, StepKind::verify,
                               StepKind::draft_extend};
  const std::int64_t at = i % std::ssize(loop);
  // A verify that accepts one fewer than no token accepts none.
  return {.kind = loop[at], .rows = 0, .amount = loop[at] == StepKind::draft ? at : -1};
}

}  // namespace pagestorm::sim
