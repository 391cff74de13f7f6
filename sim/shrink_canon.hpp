#pragma once
// Small scenarios in a fixed order. The first of them that fails is where shrinking ends, wherever it began.

#include <cstdint>
#include <functional>
#include <vector>

#include "scenario.hpp"

namespace pagestorm::sim {

/// Kinds of steps that may stand for each other, the plainest first; empty for a kind that nothing else can stand for.
const std::vector<StepKind>& plainer_kinds(StepKind kind);

/// Calls `visit` with scenarios of at most `steps` steps, the shortest first, until it returns false. They have whatever
/// `like` has switched on (SWA, prefix cache, retraction, buckets, overlap, layout, kinds of odd rows), and apart from that do
/// not depend on it: numbers are the same few for everybody, large enough for what so few steps can do.
void visit_small(const Scenario& like, std::int64_t steps, const std::function<bool(const Scenario&)>& visit);

}  // namespace pagestorm::sim
