#include "flash.hpp"

#include <algorithm>

#include "check.hpp"
#include "fault/flash_bent.hpp"
#include "flash_kernel.cuh"
#include "memory.cuh"

namespace pagestorm::cuda {
namespace {

/// Blocks that fill rows, by shapes alone: a warp for each part of an expanded row, or of a row where contents decide how many
/// rows that makes. An order asks for another number of them.
unsigned fill_blocks(const FlashBatch& in, const FlashMetadata& out, std::uint64_t order) {
  constexpr std::int64_t most = 4096;
  constexpr std::int64_t warps = flash_threads / warp_size;
  const std::int64_t tasks = in.rows * std::max<std::int64_t>(1, members_of(in)) * parts_of(in, out);
  if (order != 0) return static_cast<unsigned>(1 + order % 7);
  return static_cast<unsigned>(std::clamp<std::int64_t>((tasks + warps - 1) / warps, 1, most));
}

template <class Rules>
void launch_with(Rules rules, const FlashBatch& in, const FlashMetadata& out, std::uint64_t order,
                 cudaStream_t stream) {
  using Body = core::FlashBody<DeviceMemory, Rules>;
  Body body = core::flash_body_of(in, out, DeviceMemory{}, rules);
  void* arguments[] = {&body};
  PAGESTORM_CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(run_flash<Body>), dim3(1 + fill_blocks(in, out, order)),
                                  dim3(flash_threads), arguments, 0, stream));
}

template <class Rules>
void load() {
  cudaFuncAttributes attributes;
  const auto kernel = reinterpret_cast<const void*>(run_flash<core::FlashBody<DeviceMemory, Rules>>);
  PAGESTORM_CUDA(cudaFuncGetAttributes(&attributes, kernel));
}

}  // namespace

void launch_flash(const FlashBatch& in, const FlashMetadata& out, std::uint64_t order, Fault fault,
                  cudaStream_t stream) {
  if (fault == Fault::none) return launch_with(core::FlashSound{}, in, out, order, stream);
  launch_with(fault::FlashBent{fault}, in, out, order, stream);
}

void load_flash_kernels() {
  load<core::FlashSound>();
  load<fault::FlashBent>();
}

}  // namespace pagestorm::cuda
