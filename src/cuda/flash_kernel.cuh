#pragma once
// The kernel of the FlashAttention family: the first block sums lengths up, warps of the others fill rows of the table.
// What a cell is, core says; who computes it, this.

#include <cstdint>

#include "core/flash_body.hpp"
#include "memory.cuh"
#include "scan.cuh"

namespace pagestorm::cuda {

inline constexpr int flash_threads = 256;

/// The sum over all lanes of a warp.
__device__ __forceinline__ std::int64_t warp_sum(std::int64_t value) {
#pragma unroll
  for (int reach = warp_size / 2; reach > 0; reach /= 2) value += __shfl_xor_sync(0xffffffffu, value, reach);
  return value;
}

/// Parts that the work of an expanded row is cut into, a warp each, by shapes alone: of its columns, or where contents decide
/// how many rows a row makes, of those.
__host__ __device__ __forceinline__ std::int64_t parts_of(const FlashBatch& in, const FlashMetadata& out) {
  constexpr std::int64_t columns_a_part = 4 * warp_size;
  constexpr std::int64_t parts_most = 64;
  constexpr std::int64_t tasks_wanted = 8192;  // about what a large device keeps resident
  const std::int64_t members = members_of(in);
  const std::int64_t rows = in.rows > 0 ? in.rows : 1;
  std::int64_t parts =
      members > 0 ? (out.page_table.cols + columns_a_part - 1) / columns_a_part : out.cache_seqlens.size / rows;
  const std::int64_t enough = tasks_wanted / (rows * (members > 0 ? members : 1));
  parts = parts < enough ? parts : enough;
  parts = parts < parts_most ? parts : parts_most;
  return parts > 1 ? parts : 1;
}

/// As core's: the lanes of a warp find two bits each, a single lane all of them.
template <class Predicate>
__device__ __forceinline__ std::uint64_t bits_together(const DeviceMemory&, core::Lane lane, std::int64_t count,
                                                       const Predicate& says) {
  if (lane.count % warp_size == 0) {
    const std::int64_t low = lane.index % warp_size;
    const std::int64_t high = low + warp_size;
    const unsigned low_bits = __ballot_sync(0xffffffffu, low < count && says(low));
    const unsigned high_bits = __ballot_sync(0xffffffffu, high < count && says(high));
    return std::uint64_t{high_bits} << warp_size | low_bits;
  }
  std::uint64_t bits = 0;
#pragma unroll 16
  for (std::int64_t t = 0; t < count; ++t) bits |= std::uint64_t{says(t) ? 1u : 0u} << t;
  return bits;
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
  const std::int64_t own_lane = threadIdx.x % warp_size;
  const std::int64_t members = members_of(body.in);
  const std::int64_t parts = parts_of(body.in, body.out);
  if (members > 0) {
    for (std::int64_t task = warp; task < body.in.rows * members * parts; task += warps) {
      const std::int64_t at = task / parts;
      const std::int64_t row = at / members;
      const core::Lane lane{task % parts * warp_size + own_lane, parts * warp_size};
      body.fill(row, at % members, shares_before(body, row), lane);
    }
    return;
  }
  for (std::int64_t task = warp; task < body.in.rows * parts; task += warps) {
    const std::int64_t row = task / parts;
    const core::FlashShare before = shares_before(body, row);
    const std::int64_t own = body.share(row).rows;
    for (std::int64_t m = task % parts; m < own && before.rows + m < body.room(); m += parts)
      body.fill(row, m, before, {own_lane, warp_size});
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

/// Lengths and sums where each row has as many members, and lies where its number says: a member a thread.
template <class Body>
__device__ __forceinline__ void scan_members(const Body& body) {
  if (threadIdx.x == 0) body.store_sum_zero();
  const std::int64_t members = members_of(body.in);
  const std::int64_t count = body.in.rows * members;
  Sums sums;
  for (std::int64_t tile = 0; tile < count; tile += flash_threads) {
    const std::int64_t at = tile + threadIdx.x;
    const std::int64_t row = at / members;
    core::FlashRow own;
    if (at < count) own = body.row_of(row, at % members, body.shares_before(row));
    Sums tile_sums;
    Sums sum = block_sums_before({own.queries, own.keys}, tile_sums);
    sum.add({own.queries, own.keys});
    sum.add(sums);
    if (at < count) body.store_row(at, own, sum.queries, sum.keys);
    sums.add(tile_sums);
  }
  for (std::int64_t row = threadIdx.x; row < body.in.rows; row += flash_threads) body.store_whole(row);
  body.store_rest(count, sums.queries, sums.keys, {threadIdx.x, flash_threads});
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
  if (blockIdx.x == 0) return members_of(body.in) > 0 && !body.shares_vary() ? scan_members(body) : scan_flash(body);
  constexpr std::int64_t warps = flash_threads / warp_size;
  fill_flash(body, std::int64_t{blockIdx.x - 1} * warps + threadIdx.x / warp_size, std::int64_t{gridDim.x - 1} * warps);
}

}  // namespace pagestorm::cuda
