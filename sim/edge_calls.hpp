#pragma once
// Calls that no engine makes: small shapes, with contents at the edges of what the contract speaks of.

#include <cstdint>
#include <string>

#include "pagestorm/builder.hpp"

namespace pagestorm::sim {

/// Draws a call from a seed, runs a builder on host memory over two poisons, as one lane and as several, and compares every
/// word of every output with the reference. What is wrong, as "output: what"; empty when nothing is. A builder that
/// refuses the call throws, as it does elsewhere.
std::string wrong_edge_call(Builder& builder, std::uint64_t seed);

}  // namespace pagestorm::sim
