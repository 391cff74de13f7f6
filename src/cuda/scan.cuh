#pragma once
// Cumulative lengths, by one block: a row a thread, sums by shuffles, one word a warp in between.

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

/// Sums over the lanes up to and including this one.
__device__ __forceinline__ Sums warp_sums(Sums own) {
#pragma unroll
  for (int reach = 1; reach < warp_size; reach *= 2) {
    const Sums before{__shfl_up_sync(0xffffffffu, own.queries, reach), __shfl_up_sync(0xffffffffu, own.keys, reach)};
    if (static_cast<int>(threadIdx.x % warp_size) >= reach) own.add(before);
  }
  return own;
}

/// Lengths and cumulative lengths of all rows. Few rows are the work of one warp, which waits for no other.
template <int threads_max, class Body>
__device__ __forceinline__ void scan(const Body& body) {
  __shared__ Sums of_warp[2][threads_max / warp_size];
  const int warp = threadIdx.x / warp_size;
  if (threadIdx.x == 0) body.store_sum_zero();
  const bool alone = body.in.rows <= warp_size;
  if (alone && warp > 0) return;
  Sums before;
  int turn = 0;
  for (std::int64_t tile = 0; tile < body.in.rows; tile += blockDim.x, turn ^= 1) {
    const std::int64_t row = tile + threadIdx.x;
    core::RowLengths own;
    if (row < body.in.rows) own = body.lengths(row);
    Sums sum = warp_sums({own.queries, own.keys});
    sum.add(before);
    if (!alone) {
      // Two sets of words: a warp that is ahead by a tile overwrites nothing that is still being read.
      if (threadIdx.x % warp_size == warp_size - 1) of_warp[turn][warp] = {sum.queries - before.queries, sum.keys - before.keys};
      __syncthreads();
      for (int other = 0; other < static_cast<int>(blockDim.x) / warp_size; ++other) {
        if (other < warp) sum.add(of_warp[turn][other]);
        before.add(of_warp[turn][other]);
      }
    }
    if (row < body.in.rows) body.store_lengths(row, own, sum.queries, sum.keys);
  }
}

}  // namespace pagestorm::cuda
