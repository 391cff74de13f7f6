#pragma once
// What a device builds and judges a second, beside the host's figures.

#include <string>
#include <vector>

#include "bench_race.hpp"

namespace pagestorm::cli {

/// Why no device can judge here; empty when one can. Asked in a process of its own: this one must be able to fork on.
std::string device_benches_absent_because();

/// Steps of 8 rows, everything included: worlds that are simulated by one thread, what changed on its way, two builds,
/// judgement, verdicts. Alone, and in packs.
std::vector<Work> device_steps();

/// Row checks over passes that stay on the device: poison, two builds, judgement.
std::vector<Work> device_rows();

}  // namespace pagestorm::cli
