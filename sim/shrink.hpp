#pragma once
// Makes a failing scenario small.

#include <cstdint>
#include <functional>

#include "scenario.hpp"

namespace pagestorm::sim {

/// Whether a candidate still fails in the way that matters.
using StillFails = std::function<bool(const Scenario&)>;

/// The smallest scenario found, and what it took.
struct Shrunk {
  Scenario scenario;
  std::int64_t tries = 0;
};

/// Removes steps, then simplifies fields of steps and of the configuration, until nothing helps. Then begins once more at the
/// first scenario of a fixed list (shrink_canon.hpp) that fails and has no more steps, so that one fault ends in one scenario
/// from wherever it was found. Tries `budget` candidates at most. The result fails; `scenario` must.
Shrunk shrink(const Scenario& scenario, const StillFails& still_fails, std::int64_t budget = 8000);

}  // namespace pagestorm::sim
