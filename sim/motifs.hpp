#pragma once
// Short runs of steps that lead to what steps drawn one by one seldom meet.

#include <vector>

#include "rng.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// A few steps in the order in which an engine would take them, with lengths around `length` tokens; for scenarios with
/// a prefix cache or retraction. Families are 1 to `alike`.
std::vector<Step> draw_motif(Rng& rng, const Config& config, std::int64_t length, std::int64_t alike);

}  // namespace pagestorm::sim
