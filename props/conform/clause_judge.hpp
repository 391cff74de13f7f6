#pragma once
// Judges a pass clause by clause: not the first wrong word, but the first one of each clause.

#include <string_view>
#include <vector>

#include "clauses.hpp"
#include "sim/law.hpp"

namespace pagestorm::props {

/// A clause that a pass broke.
struct Breach {
  std::string_view clause;
  sim::Violation violation;
};

/// The clauses that the images of a pass break by themselves, each once: written and unwritten words against the zone,
/// values against the reference. What follows from another wrong word (the cells of a row whose K is wrong, sums of
/// such rows) is left out.
std::vector<Breach> breaches_of(sim::Moment& moment);

/// Whether what another law says of this pass adds something to `known`: not where the same output is wrong anyway. Then
/// the clause that it breaks.
std::string_view clause_of(const sim::Moment& moment, const sim::Violation& violation,
                           const std::vector<Breach>& known);

}  // namespace pagestorm::props
