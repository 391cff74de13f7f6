#pragma once
// What is drawn for a scenario of the FlashAttention family besides everything else.

#include "../rng.hpp"
#include "../swarm.hpp"

namespace pagestorm::sim {

/// Branches, chunks and masks; page size and draft tokens are drawn already.
void draw_family(Rng& rng, const Space& space, Config& config);

}  // namespace pagestorm::sim
