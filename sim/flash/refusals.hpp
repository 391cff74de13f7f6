#pragma once
// Shapes of the FlashAttention family that every builder must refuse, and shapes at the edge that it must take
// (docs/contract.md, C2.6).

#include <string>

#include "pagestorm/builder.hpp"

namespace pagestorm::sim {

/// As wrong_refusal (sim/refusals.hpp), of the operations of the family.
std::string wrong_flash_refusal(Builder& builder);

}  // namespace pagestorm::sim
