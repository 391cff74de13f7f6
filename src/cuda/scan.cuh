#pragma once
// Cumulative lengths, by one block: some rows a thread, shuffles within a warp, one pair of sums a warp in between.

#include <cstdint>

#include "core/body.hpp"

namespace pagestorm::cuda {

inline constexpr int warp_size = 32;

struct Sums {
  std::int64_t queries = 0;
  std::int64_t keys = 0;

  __device__ __forceinline__ void add(const Sums& other) {
    queries += other.queries;
    keys += other.keys;
  }
};

/// Sums over the lanes before this one. `whole`: over all lanes.
__device__ __forceinline__ Sums sums_before(const Sums& own, Sums& whole) {
  constexpr unsigned all = 0xffffffffu;
  const int lane = threadIdx.x % warp_size;
  Sums sum = own;
#pragma unroll
  for (int reach = 1; reach < warp_size; reach *= 2) {
    const Sums before{__shfl_up_sync(all, sum.queries, reach), __shfl_up_sync(all, sum.keys, reach)};
    if (lane >= reach) sum.add(before);
  }
  whole = {__shfl_sync(all, sum.queries, warp_size - 1), __shfl_sync(all, sum.keys, warp_size - 1)};
  return {sum.queries - own.queries, sum.keys - own.keys};
}

/// Lengths and cumulative lengths of all rows, `per_thread` neighbouring rows a thread, tile after tile. `alone`: one
/// warp is enough, and waits for no other.
template <int per_thread, bool alone, int threads_max, class Body>
__device__ __forceinline__ void scan_tiles(const Body& body) {
  __shared__ Sums of_warp[2][threads_max / warp_size];
  const int warp = threadIdx.x / warp_size;
  const std::int64_t tile_rows = std::int64_t{blockDim.x} * per_thread;
  Sums before;
  int turn = 0;
  for (std::int64_t tile = 0; tile < body.in.rows; tile += tile_rows, turn ^= 1) {
    const std::int64_t first = tile + std::int64_t{threadIdx.x} * per_thread;
    core::RowLengths own;
    Sums mine;
#pragma unroll
    for (int i = 0; i < per_thread; ++i) {
      if (first + i >= body.in.rows) break;
      own = body.lengths(first + i);
      mine.add({own.queries, own.keys});
    }
    Sums whole;
    Sums sum = sums_before(mine, whole);
    sum.add(before);
    if constexpr (!alone) {
      // Two sets of sums: a warp that is ahead by a tile overwrites nothing that is still being read.
      if (threadIdx.x % warp_size == 0) of_warp[turn][warp] = whole;
      __syncthreads();
      for (int other = 0; other < static_cast<int>(blockDim.x) / warp_size; ++other) {
        if (other < warp) sum.add(of_warp[turn][other]);
        before.add(of_warp[turn][other]);
      }
    }
    for (int i = 0; i < per_thread; ++i) {
      if (first + i >= body.in.rows) break;
      if constexpr (per_thread > 1) own = body.lengths(first + i);  // again: registers are dearer
      sum.add({own.queries, own.keys});
      body.store_lengths(first + i, own, sum.queries, sum.keys);
    }
  }
}

template <int threads_max, class Body>
__device__ __forceinline__ void scan(const Body& body) {
  if (threadIdx.x == 0) body.store_sum_zero();
  if (body.in.rows <= warp_size) {
    if (threadIdx.x < warp_size) scan_tiles<1, true, threads_max>(body);
  } else if (body.in.rows <= blockDim.x) {
    scan_tiles<1, false, threads_max>(body);
  } else {
    scan_tiles<4, false, threads_max>(body);
  }
}

}  // namespace pagestorm::cuda
