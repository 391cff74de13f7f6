#pragma once
// What it costs to queue the work of an overlapped engine and to check it.

#include <vector>

#include "bench_race.hpp"

namespace pagestorm::cli {

/// Steps of 8 rows, as they are and queued and checked besides.
std::vector<Work> overlapped_steps();

}  // namespace pagestorm::cli
