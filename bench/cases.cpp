// Whole cases a second: draw a scenario, play it, judge it by the reference and by the write bounds.
// The distribution is that of docs/performance.md: 1 to 16 rows, lengths 0 to 4,096, page sizes 1 16 32 64 128 256, SWA.

#include <benchmark/benchmark.h>

#include <cstdlib>

#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "sim/bench_cases.hpp"
#include "sim/player.hpp"

namespace {

using namespace pagestorm;

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
    if (!judge.player.perform(sim::bench_case(seed++)).empty()) std::abort();
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(whole_cases)->Name("whole_cases/one_core")->UseRealTime();
BENCHMARK(whole_cases)->Name("whole_cases/two_cores")->Threads(2)->UseRealTime();

// The same step over tables of growing capacity: its cost follows the live pages alone.
void step_at_width(benchmark::State& state) {
  Judge judge;
  if (!judge.player.perform(sim::bench_rows({.uniform = false, .width = state.range(0)}, 1)).empty()) std::abort();
  for ([[maybe_unused]] auto _ : state)
    if (!judge.player.step({.kind = sim::StepKind::draft_extend, .rows = 0}).empty()) std::abort();
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(step_at_width)->Name("step_at_table_width")->RangeMultiplier(16)->Range(1 << 8, 1 << 16);

}  // namespace

BENCHMARK_MAIN();
