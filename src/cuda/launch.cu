#include "launch.hpp"

#include <cstdlib>

#include "check.hpp"
#include "fault/bent.hpp"
#include "launch.cuh"

namespace pagestorm::cuda {
namespace {

using core::Layout;

template <class Rules>
using Kernel = void (*)(Work<Rules>);

/// A bent body goes cell by cell: one kernel is all of its kernels.
template <class Rules>
Kernel<Rules> kernel_of(bool swa, Layout layout) {
  if constexpr (Rules::reads_old) {
    return run<Rules, true, Layout::any>;
  } else if (layout == Layout::whole) {
    return swa ? run<Rules, true, Layout::whole> : run<Rules, false, Layout::whole>;
  } else {
    return swa ? run<Rules, true, Layout::any> : run<Rules, false, Layout::any>;
  }
}

bool tune_pdl() {
  static const bool on = std::getenv("PS_PDL") != nullptr;
  return on;
}

template <class Rules>
void launch_with(Rules rules, const Batch& in, const Metadata& out, std::uint64_t order, cudaStream_t stream) {
  Work<Rules> work{core::body_of(in, out, DeviceMemory{}, rules), {}};
  work.shape = shape_of(in, out, work.body.plan.sums, work.body.layout, order);
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(work.shape.blocks()));
  config.blockDim = dim3(static_cast<unsigned>(work.shape.threads));
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = tune_pdl() ? 1 : 0;
  void* arguments[] = {&work};
  const auto kernel = reinterpret_cast<const void*>(kernel_of<Rules>(work.body.swa(), work.body.layout));
  PAGESTORM_CUDA(cudaLaunchKernelExC(&config, kernel, arguments));
}

template <class Rules>
void load() {
  for (const bool swa : {false, true})
    for (const Layout layout : {Layout::any, Layout::whole}) {
      cudaFuncAttributes attributes;
      PAGESTORM_CUDA(cudaFuncGetAttributes(&attributes, kernel_of<Rules>(swa, layout)));
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
