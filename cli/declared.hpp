#pragma once
// What an outside builder says of itself.

#include <string>

namespace pagestorm::cli {

/// Starts the builder of a spec, and shows what it takes and what it is excused from, for people. Throws BuilderError
/// when it does not come up.
std::string print_declared(const std::string& spec);

}  // namespace pagestorm::cli
