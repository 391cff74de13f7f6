// Whole cases a second: draw a scenario, play it, judge it by the reference and by the write bounds.
// The distribution is that of docs/performance.md: 1 to 16 rows, lengths 0 to 4,096, page sizes 1 16 32 64 128 256, SWA.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <span>

#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "sim/player.hpp"
#include "sim/rng.hpp"

namespace {

using namespace pagestorm;

constexpr std::int64_t longest = 4096;

sim::Scenario draw_case(std::uint64_t seed) {
  constexpr std::int64_t page_sizes[] = {1, 16, 32, 64, 128, 256};
  sim::Rng rng(seed);
  sim::Scenario scenario;
  sim::Config& config = scenario.config;
  config.page_size = rng.pick(std::span<const std::int64_t>(page_sizes));
  config.context = longest;
  config.requests = rng.between(1, 16);
  config.pages = config.requests * (config.columns() / config.page_size + 1);
  config.swa = true;
  config.swa_pages = config.pages;
  config.window = longest;
  config.pool_seed = rng.next();
  config.layout.sweep = false;
  for (std::int64_t i = 0; i < config.requests; ++i)
    scenario.steps.push_back({.kind = sim::StepKind::admit, .amount = rng.between(0, longest)});
  scenario.steps.push_back({.kind = sim::StepKind::decode, .rows = 0});
  return scenario;
}

struct Judge {
  std::unique_ptr<Builder> builder = host_builders().front().make(Fault::none);
  std::vector<std::unique_ptr<sim::Law>> laws = [] {
    std::vector<std::unique_ptr<sim::Law>> both;
    both.push_back(props::writes_only_live_cells());
    both.push_back(props::agrees_with_reference());
    return both;
  }();
  sim::Player player{*builder, nullptr, laws};
};

void whole_cases(benchmark::State& state) {
  Judge judge;
  std::uint64_t seed = 1000003u * static_cast<std::uint64_t>(state.thread_index() + 1);
  for ([[maybe_unused]] auto _ : state)
    if (!judge.player.play(draw_case(seed++)).empty()) std::abort();
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(whole_cases)->Name("whole_cases/one_core")->UseRealTime();
BENCHMARK(whole_cases)->Name("whole_cases/two_cores")->Threads(2)->UseRealTime();

// The same step over tables of growing capacity: its cost follows the live pages alone.
void step_at_width(benchmark::State& state) {
  Judge judge;
  sim::Config config;
  config.page_size = 16;
  config.context = state.range(0) * config.page_size;
  config.requests = 8;
  config.pages = state.range(0) * 8;
  config.swa = true;
  config.swa_pages = config.pages;
  config.window = longest;
  config.layout.sweep = false;
  judge.player.start(config);
  for (int i = 0; i < 8; ++i) judge.player.step({.kind = sim::StepKind::admit, .amount = 1000});
  for ([[maybe_unused]] auto _ : state)
    if (!judge.player.step({.kind = sim::StepKind::draft_extend, .rows = 0}).empty()) std::abort();
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(step_at_width)->Name("step_at_table_width")->RangeMultiplier(16)->Range(1 << 8, 1 << 16);

}  // namespace

BENCHMARK_MAIN();
