#pragma once
// The kernel: rows, scan and translation side by side. What a cell is, core says; who computes it, this.

#include <cstdint>

#include "core/body.hpp"
#include "memory.cuh"
#include "scan.cuh"
#include "shape.hpp"

namespace pagestorm::cuda {

/// All that a launch is given.
template <class Body>
struct Work {
  Body body;
  Shape shape;
};

/// This thread's share of the rows, given the index of its block among the blocks of the rows.
template <bool swa, core::Layout layout, class Body>
__device__ __forceinline__ void fill(const Body& body, const Shape& shape, std::uint32_t block) {
  const std::uint64_t thread = static_cast<std::uint64_t>(block) * blockDim.x + threadIdx.x;
  const std::uint32_t lanes = 1u << shape.lanes_shift;
  const core::Lane lane{static_cast<std::uint32_t>(thread) & (lanes - 1), lanes};
  for (std::int64_t row = thread >> shape.lanes_shift; row < body.in.rows; row += shape.teams)
    body.template fill_row_as<swa, layout>(row, lane);
}

/// Reads all arguments, so that none is fetched for the first time when it is waited for.
template <class Body>
__device__ __forceinline__ void touch(const Work<Body>& work) {
  constexpr std::size_t line = 64;
  const auto* words = reinterpret_cast<const std::uint32_t*>(&work);
#pragma unroll
  for (std::size_t at = 0; at < sizeof(work) / sizeof(*words); at += line / sizeof(*words)) asm volatile("" ::"r"(words[at]));
}

template <class Body, bool swa, core::Layout layout>
__global__ void __launch_bounds__(threads_max, Body::Memory::resident_threads / threads_max)
    run(const __grid_constant__ Work<Body> work) {
  const Shape& shape = work.shape;
  // The launch after this one may take its place on the device now. All that is read or written by either comes after
  // the wait, so the order of two launches is what it was without.
  asm volatile("griddepcontrol.launch_dependents;");
  if constexpr (Body::Memory::touches) touch(work);
  asm volatile("griddepcontrol.wait;" ::: "memory");
  std::uint32_t block = blockIdx.x;
  if (block < shape.scan_blocks) return scan<threads_max>(work.body);
  block -= shape.scan_blocks;
  if (block < shape.translate_blocks)
    return work.body.translate({std::int64_t{block} * blockDim.x + threadIdx.x, std::int64_t{shape.translate_blocks} * blockDim.x});
  fill<swa, layout>(work.body, shape, block - shape.translate_blocks);
}

}  // namespace pagestorm::cuda
