#pragma once
// What an edge pass is about: how large it is, and what its arrays hold.

#include <cstdint>

#include "forward.hpp"
#include "inputs.hpp"
#include "pagestorm/promise.hpp"
#include "rng.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// The configuration that inputs are laid out for, and how wide the tables are: wider than a request row is long, or not.
struct EdgeShape {
  Config config;
  std::int64_t width = 1;  ///< columns
};

/// Small, plain, and such that the builder takes it where it can.
EdgeShape edge_shape(Rng& rng, const Promise& promise);

/// Fills request rows, write slots and the map of inputs that were laid out for `shape`, and says what the pass is. Without
/// `odd`, everything is as an engine could have it.
Forward edge_contents(Rng& rng, const EdgeShape& shape, const Promise& promise, bool odd, Inputs& inputs);

}  // namespace pagestorm::sim
