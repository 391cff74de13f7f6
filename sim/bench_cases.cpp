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

Step bench_step(std::int64_t i) {
  constexpr StepKind loop[] = {StepKind::draft, StepKind::draft, StepKind::draft, StepKind::verify,
                               StepKind::draft_extend};
  const std::int64_t at = i % std::ssize(loop);
  // A verify that accepts one fewer than no token accepts none.
  return {.kind = loop[at], .rows = 0, .amount = loop[at] == StepKind::draft ? at : -1};
}

}  // namespace pagestorm::sim
