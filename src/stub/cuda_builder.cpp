#include "pagestorm/builder.hpp"

namespace pagestorm {
namespace {

constexpr const char* reason = "CUDA was not built: no nvcc of CUDA 12 or newer was found";

}  // namespace

std::vector<BuilderEntry> cuda_builders() {
  const auto refuse = [](Fault) -> std::unique_ptr<Builder> { throw BuilderError(reason); };
  return {{"cuda-stream", reason, refuse}, {"cuda-graph", reason, refuse}, {"cuda-packed", reason, refuse}};
}

std::string cuda_description() { return reason; }

}  // namespace pagestorm
