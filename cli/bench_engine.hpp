#pragma once
// pagestorm bench engine: how fast the world goes, alone and judged by every law.

#include <vector>

#include "bench_race.hpp"

namespace pagestorm::cli {

/// Steps of an engine with 8 live requests (sim::bench_storm), each work once from the start and once after many steps.
std::vector<Work> engine_steps();

}  // namespace pagestorm::cli
