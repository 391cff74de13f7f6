#pragma once
// Scenarios that a builder takes.

#include "excuse.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// A scenario, and what it was changed for.
struct Fitted {
  Scenario scenario;
  Excuses by;
};

/// The nearest scenario whose memory, page size and pools the builder takes; the same where it takes them already. Steps
/// are left as they are: a forward pass that the builder does not take is not given to it when it comes up. A page size
/// goes to the nearest that is taken, below where it can, and pools keep their tokens.
Fitted fit(const Scenario& scenario, const Promise& promise);

/// The first excuse for which fit() would change a scenario of this configuration.
std::optional<Excuse> misfit(const Config& config, const Promise& promise);

}  // namespace pagestorm::sim
