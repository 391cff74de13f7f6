#pragma once
// The fault that a scenario file names.

#include <string>

#include "pagestorm/fault.hpp"
#include "sim/scenario.hpp"

namespace pagestorm::cli {

/// Throws UsageError, which begins with `file`, when it names none, or one that there is not.
Fault fault_of(const sim::Finding& finding, const std::string& file);

}  // namespace pagestorm::cli
