#pragma once
// What the laws about queued work have in common: each answers for one kind of breach.

#include <optional>

#include "sim/law.hpp"
#include "sim/time/breach.hpp"

namespace pagestorm::props {

/// The first hazard of this kind that the world's last step met; none where the engine does not overlap.
std::optional<sim::Violation> first_hazard(const sim::World& world, sim::time::Breach breach);

}  // namespace pagestorm::props
