#pragma once
// Kernels that do one thing that an operation must do, as fast as the device can: what floors are made of.

#include <cstdint>

namespace pagestorm::cuda {

inline constexpr int probe_threads = 256;

/// Nothing, with arguments like those of an operation.
template <class Arguments>
__global__ void empty(const __grid_constant__ Arguments) {}

/// Reads the first word of every `step` words of `columns` steps in each row, and keeps nothing of it.
__global__ void __launch_bounds__(probe_threads)
    read_strided(const std::int32_t* words, std::int64_t row_stride, std::int64_t step, std::int64_t columns,
                 std::int32_t* never) {
  constexpr int n = 8;
  const std::int32_t* row = words + blockIdx.y * row_stride;
  const std::int64_t hop = std::int64_t{gridDim.x} * probe_threads;
  std::int32_t sum = 0;
  for (std::int64_t column = std::int64_t{blockIdx.x} * probe_threads + threadIdx.x; column < columns;
       column += n * hop) {
    std::int32_t word[n];
#pragma unroll
    for (int i = 0; i < n; ++i) word[i] = column + i * hop < columns ? row[(column + i * hop) * step] : 0;
#pragma unroll
    for (int i = 0; i < n; ++i) sum ^= word[i];
  }
  if (sum == 0x7e57ab1e) *never = sum;
}

/// Reads `count` entries at random multiples of `step` among `entries`, and keeps nothing of it.
__global__ void __launch_bounds__(probe_threads)
    read_randomly(const std::int64_t* map, std::uint32_t entries, std::int64_t step, std::int64_t count,
                  std::int32_t* never) {
  constexpr int n = 8;
  const std::int64_t hop = std::int64_t{gridDim.x} * probe_threads;
  std::int64_t sum = 0;
  for (std::int64_t first = std::int64_t{blockIdx.x} * probe_threads + threadIdx.x; first < count; first += n * hop) {
    std::int64_t entry[n];
#pragma unroll
    for (int i = 0; i < n; ++i) {
      std::uint32_t chance = static_cast<std::uint32_t>(first + i * hop) * 0x9e3779b1u;
      chance = (chance ^ (chance >> 15)) * 0x85ebca77u;
      chance ^= chance >> 13;
      entry[i] =
          first + i * hop < count ? __ldcs(map + (static_cast<std::uint64_t>(chance) * entries >> 32) * step) : 0;
    }
#pragma unroll
    for (int i = 0; i < n; ++i) sum ^= entry[i];
  }
  if (sum == 0x7e57ab1e) *never = static_cast<std::int32_t>(sum);
}

}  // namespace pagestorm::cuda
