#include "launch.hpp"

#include "check.hpp"
#include "fault/bent.hpp"
#include "launch.cuh"

namespace pagestorm::cuda {
namespace {

template <class Rules>
using Kernel = void (*)(Work<Rules>);

template <class Rules>
Kernel<Rules> kernel_of(std::int32_t threads) {
  switch (threads) {
    case 64: return run<64, Rules>;
    case 128: return run<128, Rules>;
    default: return run<256, Rules>;
  }
}

template <class Rules>
void launch_with(Rules rules, const Batch& in, const Metadata& out, std::uint64_t order, cudaStream_t stream) {
  Work<Rules> work{core::body_of(in, out, DeviceMemory{}, rules), {}};
  work.shape = shape_of(in, out, work.body.plan.sums, order);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(work.shape.blocks()));
  config.blockDim = dim3(static_cast<unsigned>(work.shape.threads));
  config.stream = stream;
  PAGESTORM_CUDA(cudaLaunchKernelEx(&config, kernel_of<Rules>(work.shape.threads), work));
}

template <class Rules>
void load() {
  for (const std::int32_t threads : {64, 128, 256}) {
    cudaFuncAttributes attributes;
    PAGESTORM_CUDA(cudaFuncGetAttributes(&attributes, kernel_of<Rules>(threads)));
  }
}

}  // namespace

void launch(const Batch& in, const Metadata& out, std::uint64_t order, Fault fault, cudaStream_t stream) {
  if (fault == Fault::none)
    launch_with(core::Sound{}, in, out, order, stream);
  else
    launch_with(fault::Bent{fault}, in, out, order, stream);
}

void load_kernels() {
  load<core::Sound>();
  load<fault::Bent>();
}

}  // namespace pagestorm::cuda
