#pragma once
// What of a failing scenario may be otherwise without its passing.

#include <string>
#include <vector>

#include "shrink.hpp"

namespace pagestorm::sim {

/// One field of a failing scenario, and the values that were tried in its place.
struct Leeway {
  std::string field;                ///< as in scenario files, or "amount of step 1"
  std::string now;                  ///< its value
  std::vector<std::string> fails;   ///< values with which it fails all the same
  std::vector<std::string> passes;  ///< and with which it does not
};

/// Plays `scenario`, which fails, with other values of one field at a time: page size, context, pages, SWA, prefix cache,
/// overlap, and the amounts of steps. Plays 40 candidates at most.
std::vector<Leeway> leeway_of(const Scenario& scenario, const StillFails& still_fails);

/// "whatever the page_size; needs swa on; amount of step 2 5 20 as well as 2, not 0 1"; empty when there is nothing to say.
std::string print(const std::vector<Leeway>& leeway);

}  // namespace pagestorm::sim
