#pragma once
// What an operation of the FlashAttention family may read.

#include <optional>

#include "sim/flash/moment.hpp"
#include "sim/law.hpp"

namespace pagestorm::props {

/// The first read of an audited builder that decides no live cell. Runs the builder again.
std::optional<sim::Violation> read_in_vain(sim::FlashMoment& moment);

}  // namespace pagestorm::props
