#include "draw_timing.hpp"

#include "rng.hpp"

namespace pagestorm::sim {

Timing draw_timing(std::uint64_t seed) {
  constexpr std::uint64_t of_timing = 0x7137;
  Rng rng(sub_seed(seed, of_timing));
  Timing timing;
  timing.overlap = rng.one_in(2);
  if (!timing.overlap) return timing;
  timing.tables = static_cast<Tables>(rng.between(0, tables_count - 1));
  timing.read_end = static_cast<ReadEnd>(rng.between(timing.tables == Tables::in_graph ? 1 : 0, read_end_count - 1));
  timing.graph_events = !rng.one_in(3);
  timing.slots = rng.between(1, 3);
  timing.plan_stream = rng.one_in(2);
  timing.barrier = rng.one_in(4) ? Barrier::coarse : Barrier::after_launch;
  timing.staging_reused = rng.one_in(2);
  timing.algorithm = static_cast<Algorithm>(rng.between(0, algorithm_count - 1));
  timing.host_bound = rng.one_in(2);
  timing.lag = rng.one_in(2) ? 1 : rng.between(2, 4);
  if (timing.tables == Tables::reused && timing.plan_stream) timing.slots = timing.lag + rng.between(1, 2);
  return timing;
}

}  // namespace pagestorm::sim
