#pragma once
// The kernel: rows, scan and translation side by side. What a cell is, core says; who computes it, this.

#include <cstdint>

#include <cub/block/block_scan.cuh>

#include "core/body.hpp"
#include "shape.hpp"

namespace pagestorm::cuda {

/// Device memory under many lanes: only the status word is shared.
struct DeviceMemory {
  template <class T>
  PAGESTORM_HD T load(const T* address) const {
    return *address;
  }
  template <class T>
  PAGESTORM_HD void store(T* address, T value) const {
    *address = value;
  }
  PAGESTORM_HD void raise(std::uint32_t* status, std::uint32_t bits) const {
#if defined(__CUDA_ARCH__)
    if (bits != 0) atomicOr(status, bits);
#else
    if (bits != 0) *status |= bits;
#endif
  }
};

/// All that a launch is given.
template <class Rules>
struct Work {
  core::Body<DeviceMemory, Rules> body;
  Shape shape;
};

struct Sums {
  std::int64_t queries = 0;
  std::int64_t keys = 0;
};

struct AddSums {
  __device__ Sums operator()(const Sums& a, const Sums& b) const { return {a.queries + b.queries, a.keys + b.keys}; }
};

/// Lengths and cumulative lengths of all rows, by one block, tile after tile.
template <int threads, class Body>
__device__ __forceinline__ void scan(const Body& body) {
  constexpr int rows_per_thread = 4;
  using Scan = cub::BlockScan<Sums, threads>;
  __shared__ typename Scan::TempStorage storage;
  if (threadIdx.x == 0) body.store_sum_zero();
  Sums before;
  for (std::int64_t tile = 0; tile < body.in.rows; tile += threads * rows_per_thread) {
    const std::int64_t first = tile + static_cast<std::int64_t>(threadIdx.x) * rows_per_thread;
    core::RowLengths own[rows_per_thread];
    Sums sums[rows_per_thread];
#pragma unroll
    for (int i = 0; i < rows_per_thread; ++i) {
      if (first + i < body.in.rows) own[i] = body.lengths(first + i);
      sums[i] = {own[i].queries, own[i].keys};
    }
    Sums whole;
    Scan(storage).InclusiveScan(sums, sums, AddSums{}, whole);
#pragma unroll
    for (int i = 0; i < rows_per_thread; ++i) {
      const Sums sum = AddSums{}(before, sums[i]);
      if (first + i < body.in.rows) body.store_lengths(first + i, own[i], sum.queries, sum.keys);
    }
    before = AddSums{}(before, whole);
    __syncthreads();
  }
}

/// This thread's share of the rows, given the index of its block among the blocks of the rows.
template <int threads, class Body>
__device__ __forceinline__ void fill(const Body& body, const Shape& shape, std::int64_t block) {
  const std::int64_t thread = block * threads + threadIdx.x;
  const std::int64_t lanes = std::int64_t{1} << shape.lanes_shift;
  const std::int64_t teams = (shape.row_blocks * threads) >> shape.lanes_shift;
  const core::Lane lane{thread & (lanes - 1), lanes};
  for (std::int64_t row = thread >> shape.lanes_shift; row < body.in.rows; row += teams) body.fill_row(row, lane);
}

/// Threads that a multiprocessor shall be able to keep resident: the scan alone would take registers for fewer.
inline constexpr int resident_threads = 1024;

template <int threads, class Rules>
__global__ void __launch_bounds__(threads, resident_threads / threads) run(const __grid_constant__ Work<Rules> work) {
  const Shape& shape = work.shape;
  std::int64_t block = blockIdx.x;
  if (block < shape.scan_blocks) return scan<threads>(work.body);
  block -= shape.scan_blocks;
  if (block < shape.translate_blocks)
    return work.body.translate({block * threads + threadIdx.x, std::int64_t{shape.translate_blocks} * threads});
  fill<threads>(work.body, shape, block - shape.translate_blocks);
}

}  // namespace pagestorm::cuda
