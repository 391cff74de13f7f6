#pragma once
// What an outside builder says of itself.

#include <string>

#include "pagestorm/outside_builder.hpp"

namespace pagestorm::cli {

/// Starts the builder of a spec, and shows what it takes and what it is excused from, for people. Throws BuilderError
/// when it does not come up within its limits.
std::string print_declared(const std::string& spec, const OutsideLimits& limits);

}  // namespace pagestorm::cli
