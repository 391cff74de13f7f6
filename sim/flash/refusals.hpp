#pragma once
// Shapes of the FlashAttention family that every builder must refuse, and shapes at the edge that it must take
// (docs/contract.md, C2.6).

#include <string>

#include "pagestorm/builder.hpp"

namespace pagestorm::sim {

/// What a builder of this program does wrong about shapes of the operations of the family, as "argument: what"; empty when
/// nothing is. Calls are enqueued and never completed: nothing is read or written.
std::string wrong_flash_refusal(Builder& builder);

}  // namespace pagestorm::sim
