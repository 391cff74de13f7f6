#pragma once
// The kernel of half an operation: it waits as long as it is told, reads its cells, then writes them.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "pagestorm/device_streams.hpp"

namespace pagestorm::cuda {

/// Half an operation. Pointers are of the device.
struct HalfTask {
  const std::int32_t* delay_us = nullptr;  ///< read when the kernel runs, so that a captured one can be delayed anew
  const StreamTouch* touches = nullptr;    ///< of the operation
  std::int32_t count = 0;
  std::int32_t pinned_cells = 0;  ///< touches of these are left to copies
  std::int32_t* cells = nullptr;  ///< this half of memory
  std::int32_t* seen = nullptr;   ///< [count]
};

/// Enqueues one kernel. It ends even when the device's clock stands still.
void run_half(const HalfTask& task, cudaStream_t stream);

/// Loads the kernel, so that nothing has to while work is under way.
void load_half_kernel();

}  // namespace pagestorm::cuda
