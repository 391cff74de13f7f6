#pragma once
// RapidCheck's words for scenarios: a property may take a sim::Scenario like any other value. Shrinking is ours
// (sim/shrink.hpp), so RapidCheck is given nothing to shrink.

#include <rapidcheck.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::props {

/// Scenarios of a space, one for each 64-bit value that RapidCheck draws.
rc::Gen<sim::Scenario> scenarios(sim::Space space);

/// A seed as people write it, decimal or hexadecimal with 0x; nothing when it is no 64-bit number.
std::optional<std::uint64_t> seed_of(std::string_view text);

/// What RapidCheck's environment variable RC_PARAMS should hold: `given` when it is set, else the seed in `wanted`, else
/// a fixed one. Throws std::invalid_argument when `wanted` is no seed.
std::string rapidcheck_params(const char* given, const char* wanted);

/// "seed 0x0000000000000007" for "seed=7"; parameters that people chose themselves as they are.
std::string announcement(std::string_view params);

}  // namespace pagestorm::props

namespace pagestorm::sim {

/// How RapidCheck prints a counterexample: as a scenario file.
void showValue(const Scenario& scenario, std::ostream& out);

}  // namespace pagestorm::sim

template <>
struct rc::Arbitrary<pagestorm::sim::Scenario> {
  static rc::Gen<pagestorm::sim::Scenario> arbitrary();
};
