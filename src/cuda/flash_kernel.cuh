#pragma once
// The kernel of the FlashAttention family: the first block sums lengths up, warps of the others fill rows of the table.
// What a cell is, core says; who computes it, this.

#include <cstdint>

#include "core/flash_body.hpp"
#include "scan.cuh"

namespace pagestorm::cuda {

inline constexpr int flash_threads = 256;

/// The sum over all lanes of a warp.
__device__ __forceinline__ std::int64_t warp_sum(std::int64_t value) {
#pragma unroll
  for (int reach = warp_size / 2; reach > 0; reach /= 2) value += __shfl_xor_sync(0xffffffffu, value, reach);
  return value;
}

/// What all rows before one have, found by a whole warp.
template <class Body>
__device__ __forceinline__ core::FlashShare shares_before(const Body& body, std::int64_t row) {
  if (!body.shares_vary()) return body.shares_before(row);
  core::FlashShare mine;
  for (std::int64_t r = threadIdx.x % warp_size; r < row; r += warp_size) mine.add(body.share(r));
  return {warp_sum(mine.rows), warp_sum(mine.mask)};
}

/// The warps of a block fill rows of the table: `warp` of `warps`, of all blocks that do.
template <class Body>
__device__ __forceinline__ void fill_flash(const Body& body, std::int64_t warp, std::int64_t warps) {
  const core::Lane lane{threadIdx.x % warp_size, warp_size};
  const std::int64_t members = members_of(body.in);
  if (members > 0) {
    for (std::int64_t task = warp; task < body.in.rows * members; task += warps) {
      const std::int64_t row = task / members;
      body.fill(row, task % members, shares_before(body, row), lane);
    }
    return;
  }
  for (std::int64_t row = warp; row < body.in.rows; row += warps) {
    const core::FlashShare before = shares_before(body, row);
    const std::int64_t own = body.share(row).rows;
    for (std::int64_t m = 0; m < own && before.rows + m < body.room(); ++m) body.fill(row, m, before, lane);
  }
}

/// Exclusive sums over a block of a pair a thread; `whole` gets the sums over all threads.
__device__ __forceinline__ Sums block_sums_before(const Sums& own, Sums& whole) {
  __shared__ Sums of_warp[flash_threads / warp_size];
  const int warp = threadIdx.x / warp_size;
  Sums all;
  Sums before = sums_before(own, all);
  __syncthreads();  // the sums of the last call were read
  if (threadIdx.x % warp_size == 0) of_warp[warp] = all;
  __syncthreads();
  whole = {};
  for (int other = 0; other < flash_threads / warp_size; ++other) {
    if (other < warp) before.add(of_warp[other]);
    whole.add(of_warp[other]);
  }
  return before;
}

/// Lengths and sums of all rows, a row of the batch a thread.
template <class Body>
__device__ __forceinline__ void scan_flash(const Body& body) {
  if (threadIdx.x == 0) body.store_sum_zero();
  core::FlashShare shares;
  Sums sums;
  for (std::int64_t tile = 0; tile < body.in.rows; tile += flash_threads) {
    const std::int64_t row = tile + threadIdx.x;
    const bool there = row < body.in.rows;
    const core::FlashShare own = there ? body.share(row) : core::FlashShare{};
    Sums tile_shares;
    const Sums earlier = block_sums_before({own.rows, own.mask}, tile_shares);
    const core::FlashShare before{shares.rows + earlier.queries, shares.mask + earlier.keys};
    // A row that claims to be very long has more blocks than there is room for: one of them says so.
    const std::int64_t room = body.room() - before.rows + 1;
    const std::int64_t members = own.rows < room ? own.rows : room;
    Sums mine;
    for (std::int64_t m = 0; m < members; ++m) {
      const core::FlashRow one = body.row_of(row, m, before);
      mine.add({one.queries, one.keys});
    }
    Sums tile_sums;
    Sums sum = block_sums_before(mine, tile_sums);
    sum.add(sums);
    for (std::int64_t m = 0; m < members; ++m) {
      const core::FlashRow one = body.row_of(row, m, before);
      sum.add({one.queries, one.keys});
      body.store_row(before.rows + m, one, sum.queries, sum.keys);
    }
    if (there) body.store_whole(row);
    shares.add({tile_shares.queries, tile_shares.keys});
    sums.add(tile_sums);
  }
  body.store_rest(shares.rows, sums.queries, sums.keys, {threadIdx.x, flash_threads});
}

template <class Body>
__global__ void __launch_bounds__(flash_threads) run_flash(const __grid_constant__ Body body) {
  if (blockIdx.x == 0) return scan_flash(body);
  constexpr std::int64_t warps = flash_threads / warp_size;
  fill_flash(body, std::int64_t{blockIdx.x - 1} * warps + threadIdx.x / warp_size, std::int64_t{gridDim.x - 1} * warps);
}

}  // namespace pagestorm::cuda
