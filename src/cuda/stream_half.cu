#include "check.hpp"
#include "stream_half.hpp"

namespace pagestorm::cuda {
namespace {

constexpr int threads = 64;

__device__ std::uint64_t nanoseconds() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

/// Bounded by a count, too: a clock that stands still must not keep the device.
__device__ void spin(std::int32_t microseconds) {
  constexpr std::int32_t looks_max = 1 << 18;
  constexpr unsigned nap_ns = 200;
  if (microseconds <= 0) return;
  const std::uint64_t span = static_cast<std::uint64_t>(min(microseconds, stream_delay_us_max)) * 1000;
  const std::uint64_t start = nanoseconds();
  for (std::int32_t looks = 0; looks < looks_max && nanoseconds() - start < span; ++looks) __nanosleep(nap_ns);
}

/// Other streams write cells while this kernel runs: each access goes to memory.
__global__ void __launch_bounds__(threads) half_kernel(const __grid_constant__ HalfTask task) {
  if (threadIdx.x == 0) spin(*task.delay_us);
  __syncthreads();
  volatile std::int32_t* cells = task.cells;
  const auto first = static_cast<std::int32_t>(threadIdx.x);
  for (std::int32_t i = first; i < task.count; i += threads)
    if (const StreamTouch touch = task.touches[i]; touch.generation == 0 && touch.cell >= task.pinned_cells)
      task.seen[i] = cells[touch.cell];
  __syncthreads();
  for (std::int32_t i = first; i < task.count; i += threads)
    if (const StreamTouch touch = task.touches[i]; touch.generation != 0 && touch.cell >= task.pinned_cells)
      cells[touch.cell] = touch.generation;
}

}  // namespace

void run_half(const HalfTask& task, cudaStream_t stream) {
  half_kernel<<<1, threads, 0, stream>>>(task);
  PAGESTORM_CUDA(cudaGetLastError());
}

void load_half_kernel() {
  cudaFuncAttributes attributes{};
  PAGESTORM_CUDA(cudaFuncGetAttributes(&attributes, half_kernel));
}

}  // namespace pagestorm::cuda
