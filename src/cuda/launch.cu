#include "launch.hpp"

#include <algorithm>

#include "check.hpp"
#include "fault/bent.hpp"
#include "launch.cuh"

namespace pagestorm::cuda {
namespace {

using core::Layout;

template <class Rules>
using Body = core::Body<DeviceMemory, Rules>;

template <class Rules>
using Kernel = void (*)(Work<Body<Rules>>);

/// A bent body goes cell by cell: one kernel is all of its kernels.
template <class Rules>
Kernel<Rules> kernel_of(bool swa, Layout layout) {
  if constexpr (Rules::reads_old) {
    return run<Body<Rules>, true, Layout::any>;
  } else if (layout == Layout::whole) {
    return swa ? run<Body<Rules>, true, Layout::whole> : run<Body<Rules>, false, Layout::whole>;
  } else {
    return swa ? run<Body<Rules>, true, Layout::any> : run<Body<Rules>, false, Layout::any>;
  }
}

std::int64_t cache_bytes() {
  static const std::int64_t bytes = [] {
    int device = 0;
    int size = 0;
    PAGESTORM_CUDA(cudaGetDevice(&device));
    PAGESTORM_CUDA(cudaDeviceGetAttribute(&size, cudaDevAttrL2CacheSize, device));
    return std::int64_t{size};
  }();
  return bytes;
}

/// What the L2 cache can keep of what a call reads, if all rows are alike: lines of slots that lie apart, or the map.
DeviceMemory memory_for(const Batch& in, Layout layout) {
  constexpr std::int64_t line = 128;
  const std::int64_t room = cache_bytes() / 4 * 3;
  const std::int64_t entry = in.full_to_swa.data == nullptr ? 0 : in.full_to_swa.type == IntType::int64 ? 8 : 4;
  if (layout == Layout::whole) return {.live_kept = entry * in.full_to_swa.size > room ? 0 : INT64_MAX};
  const std::int64_t bytes = std::min<std::int64_t>(4 * in.page_size, line) + std::min(entry * in.page_size, line);
  return {.live_kept = room / bytes / std::max<std::int64_t>(in.rows, 1), .kept = 0.25f};
}

template <class Rules>
void launch_with(Rules rules, const Batch& in, const Metadata& out, std::uint64_t order, cudaStream_t stream) {
  Work<Body<Rules>> work{core::body_of(in, out, DeviceMemory{}, rules), {}};
  work.body.memory = memory_for(in, work.body.layout);
  work.shape = shape_of(in, out, work.body.plan.sums, work.body.layout, order);
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(work.shape.blocks());
  config.blockDim = dim3(static_cast<unsigned>(work.shape.threads));
  config.stream = stream;
  config.attrs = &overlap;
  config.numAttrs = 1;
  void* arguments[] = {&work};
  const auto kernel = reinterpret_cast<const void*>(kernel_of<Rules>(work.body.swa(), work.body.layout));
  PAGESTORM_CUDA(cudaLaunchKernelExC(&config, kernel, arguments));
}

template <class Rules>
void load() {
  for (const bool swa : {false, true})
    for (const Layout layout : {Layout::any, Layout::whole}) {
      cudaFuncAttributes attributes;
      PAGESTORM_CUDA(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel_of<Rules>(swa, layout))));
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
  static_cast<void>(cache_bytes());
}

}  // namespace pagestorm::cuda
