#include "reader.hpp"

#include <algorithm>

#include "check.hpp"
#include "judge/reader_pass.hpp"

namespace pagestorm::cuda {
namespace {

using judge::FirstMisread;
using judge::Lane;
using judge::Misread;

constexpr int threads = 128;  // of a block, a power of two

__device__ Lane lane_of_grid() {
  return {static_cast<std::int32_t>(blockIdx.x * threads + threadIdx.x),
          static_cast<std::int32_t>(gridDim.x * threads)};
}

__global__ void __launch_bounds__(threads)
    fill_kernel(const __grid_constant__ judge::KvMemory memory, const SlotFill* fills, std::int64_t count) {
  judge::fill_slots(memory, fills, count, lane_of_grid());
}

__global__ void __launch_bounds__(threads)
    store_kernel(const __grid_constant__ judge::KvMemory memory, const __grid_constant__ judge::TokenStore store,
                 ReaderReport* report) {
  const judge::Unwritten unwritten = judge::store_tokens(memory, store, lane_of_grid());
  for (std::size_t pool = 0; pool < kv_pools; ++pool)
    if (unwritten.slots[pool] > 0)
      atomicAdd(&report->unwritten[pool], static_cast<unsigned long long>(unwritten.slots[pool]));
}

/// The first misread of all threads of the block, for its thread 0; for the others, any. `found` is shared memory.
__device__ FirstMisread first_of_block(const FirstMisread& mine, FirstMisread* found) {
  if (!__syncthreads_or(mine.what != Misread::none)) return {};
  found[threadIdx.x] = mine;
  __syncthreads();
  for (std::int32_t half = threads / 2; half > 0; half /= 2) {
    judge::take_in(found, static_cast<std::int32_t>(threadIdx.x), half);
    __syncthreads();
  }
  return found[0];
}

/// Leaves what this block found; whether all other blocks have, too. For all threads of the block.
__device__ bool is_last_block(const ReadTask& task, const FirstMisread& first) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    task.found[blockIdx.y * gridDim.x + blockIdx.x] = first;
    __threadfence();
    last = atomicAdd(&task.report->done, 1u) + 1 == gridDim.x * gridDim.y;
    __threadfence();
  }
  __syncthreads();
  return last;
}

/// Blocks (row, model), lanes over the keys of the row. The block that ends last finds the first misread of all rows.
__global__ void __launch_bounds__(threads) read_kernel(const __grid_constant__ ReadTask task) {
  __shared__ alignas(FirstMisread) std::byte memory[threads * sizeof(FirstMisread)];
  auto* shared = reinterpret_cast<FirstMisread*>(memory);
  const judge::AttentionBatch& batch = task.models[blockIdx.y];
  FirstMisread mine;
  if (batch.truth != nullptr)
    mine = judge::read_row(batch, blockIdx.x, {static_cast<std::int32_t>(threadIdx.x), threads});
  if (!is_last_block(task, first_of_block(mine, shared))) return;
  for (std::uint32_t model = 0; model < gridDim.y; ++model) {
    mine = {};
    for (std::uint32_t row = threadIdx.x; row < gridDim.x; row += threads)
      mine.add(task.found[model * gridDim.x + row]);
    const FirstMisread first = first_of_block(mine, shared);
    if (threadIdx.x == 0) task.report->first[model] = first;
    __syncthreads();
  }
}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, cudaStream_t stream, const Arguments&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = dim3(threads);
  config.stream = stream;
  PAGESTORM_CUDA(cudaLaunchKernelEx(&config, kernel, arguments...));
}

}  // namespace

void fill_slots(const judge::KvMemory& memory, const SlotFill* fills, std::int64_t count, cudaStream_t stream) {
  constexpr unsigned blocks = 32;  // every lane looks at every fill
  if (count > 0) launch(fill_kernel, dim3(blocks), stream, memory, fills, count);
}

void store_tokens(const judge::KvMemory& memory, const judge::TokenStore& store, ReaderReport* report,
                  cudaStream_t stream) {
  constexpr std::int64_t blocks_max = 1024;
  const std::int64_t blocks = std::min((store.full.size + threads - 1) / threads, blocks_max);
  if (blocks > 0) launch(store_kernel, dim3(static_cast<unsigned>(blocks)), stream, memory, store, report);
}

void read_rows(const ReadTask& task, cudaStream_t stream) {
  if (task.rows > 0) launch(read_kernel, dim3(static_cast<unsigned>(task.rows), kv_models), stream, task);
}

}  // namespace pagestorm::cuda
