#include "launch.hpp"
#include "pagestorm/device_launch.hpp"

namespace pagestorm {

void launch_on_device(const Batch& batch, const Metadata& out, void* stream) {
  [[maybe_unused]] static const bool loaded = (cuda::load_kernels(), true);
  cuda::launch(batch, out, 0, Fault::none, static_cast<cudaStream_t>(stream));
}

}  // namespace pagestorm
