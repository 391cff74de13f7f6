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

/// Nothing to wait for.
struct Ready {
  __device__ __forceinline__ void operator()() const {}
};

/// This thread's share of the rows, given the index of its block among the blocks of the rows. `wait` is called before the
/// first access to memory.
template <bool swa, core::Layout layout, class Body, class Wait = Ready>
__device__ __forceinline__ void fill(const Body& body, const Shape& shape, std::uint32_t block, const Wait& wait = {}) {
  const std::uint64_t thread = std::uint64_t{block} * blockDim.x + threadIdx.x;
  const std::uint32_t lanes = 1u << shape.lanes_shift;
  const core::Lane lane{static_cast<std::uint32_t>(thread) & (lanes - 1), lanes};
  wait();
  for (std::int64_t row = thread >> shape.lanes_shift; row < body.in.rows; row += shape.teams)
    body.template fill_row_as<swa, layout>(row, lane);
}

/// What this block has to do, once the launch before this one is done.
template <bool swa, core::Layout layout, class Body>
__device__ __forceinline__ void do_share(const Body& body, const Shape& shape) {
  const auto wait = [] { asm volatile("griddepcontrol.wait;" ::: "memory"); };
  std::uint32_t block = blockIdx.x;
  if (block < shape.scan_blocks) {
    wait();
    return scan<threads_max>(body);
  }
  block -= shape.scan_blocks;
  if (block < shape.translate_blocks) {
    wait();
    return body.translate(
        {std::int64_t{block} * blockDim.x + threadIdx.x, std::int64_t{shape.translate_blocks} * blockDim.x});
  }
  fill<swa, layout>(body, shape, block - shape.translate_blocks, wait);
}

/// The launch after this one may take its place on the device once all blocks are past one of the two releases. All that
/// either reads or writes comes after its wait for the launch before, so the order of launches is what it would be
/// without.
template <class Body, bool swa, core::Layout layout>
__global__ void __launch_bounds__(threads_max, Body::Memory::resident_threads / threads_max)
    run(const __grid_constant__ Work<Body> work) {
  if (work.shape.early) asm volatile("griddepcontrol.launch_dependents;");
  do_share<swa, layout>(work.body, work.shape);
  if (!work.shape.early) asm volatile("griddepcontrol.launch_dependents;");
}

}  // namespace pagestorm::cuda
