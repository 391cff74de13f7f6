#pragma once
// Shapes that every builder must refuse, and shapes at the edge that it must take (docs/contract.md, C2.6).

#include <string>

#include "pagestorm/builder.hpp"

namespace pagestorm::sim {

/// What a builder on host memory does wrong about shapes, as "argument: what"; empty when nothing is. Calls are enqueued
/// and never completed: nothing is read or written.
std::string wrong_refusal(Builder& builder);

}  // namespace pagestorm::sim
