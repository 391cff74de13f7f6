#include "pagestorm/device_syncs.hpp"

#include "pagestorm/builder.hpp"

namespace pagestorm {

std::vector<PathCosts> observed_paths(const TimedShape&, const ObservedRuns&) {
  throw BuilderError(cuda_description());
}

}  // namespace pagestorm
