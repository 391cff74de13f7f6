#pragma once
// How scenarios overlap.

#include <cstdint>

#include "scenario.hpp"

namespace pagestorm::sim {

/// The timing of the scenario of a seed: half of them overlap. Drawn from a sequence of its own, so that nothing else depends
/// on it. Only what is right: too few reused buffers, and a barrier at the top of the loop, are for those who ask for them.
Timing draw_timing(std::uint64_t seed);

}  // namespace pagestorm::sim
