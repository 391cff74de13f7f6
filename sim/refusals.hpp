#pragma once
// Shapes that every builder must refuse, and shapes at the edge that it must take (docs/contract.md, C2.6).

#include <cstdint>
#include <optional>

#include "law.hpp"
#include "pagestorm/builder.hpp"

namespace pagestorm::sim {

/// What a builder does about shapes.
struct Refusals {
  std::int64_t offered = 0;             ///< wrong shapes, up to the first that was not refused as it must be
  std::optional<Violation> wrong = {};  ///< that one: argument and shape, and what became of the call
};

/// Makes one thing at a time wrong in a small call over real memory with fences. Whatever is not refused, or is refused
/// after a word of the image has changed, is wrong. A builder in a process of its own is asked to run each call, beside a
/// right one that it takes; it is offered nothing that it did not promise to look at. Any other is only asked to enqueue,
/// must name the argument, and must take the shapes at the edge.
Refusals offer_wrong_shapes(Builder& builder);

}  // namespace pagestorm::sim
