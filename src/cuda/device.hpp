#pragma once
// Whether there is a device to run on.

#include <string>

namespace pagestorm::cuda {

/// Why no builder can run here; empty when one can.
std::string absent_because();

}  // namespace pagestorm::cuda
