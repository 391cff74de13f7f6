#pragma once
// Candidates of shrinking in which several things change at once, for places where no single change helps.

#include <vector>

#include "scenario.hpp"

namespace pagestorm::sim {

/// Fields that are tied keep each other large. Copies of a scenario whose context, pools, window and amounts of steps are all smaller, the smallest first: all taken off
/// the same number of tokens, or all divided by the same number. None is equal to the scenario.
std::vector<Scenario> smaller_together(const Scenario& scenario);

/// Copies in which one step is gone, and another is gone as well, does something, or is an arrival that does its work.
std::vector<Scenario> fewer_with_help(const Scenario& scenario);

}  // namespace pagestorm::sim
