#pragma once
// Calls of the FlashAttention family that no engine makes: small shapes, with contents at the edges of what the contract
// speaks of.

#include <cstdint>
#include <string>

#include "pagestorm/builder.hpp"

namespace pagestorm::sim {

/// As wrong_edge_call (sim/edge_calls.hpp), of an operation of the family.
std::string wrong_flash_edge_call(Builder& builder, std::uint64_t seed);

}  // namespace pagestorm::sim
