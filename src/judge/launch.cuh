#pragma once
// Many jobs a launch: poison before the builds, judgement after them.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "job.hpp"
#include "strand.hpp"
#include "zone.hpp"

namespace pagestorm::judge {

/// A job as kernels take it.
struct Task {
  Job job;
  Rest rest[rest_count];
  Cut cut;
};

/// What the strands of a task have found so far. As it is made before a judgement and after it.
struct Tally {
  std::uint32_t laws = 0;
  std::uint32_t status = 0;
  unsigned long long word = Verdict::nowhere;
};

/// Strands, on the device.
struct Strands {
  const Strand* first = nullptr;
  std::uint32_t count = 0;
};

/// Memory of a round that kernels reach; all of it on the device but for the verdicts, which may be anywhere.
struct Round {
  const Task* tasks = nullptr;
  std::uint32_t count = 0;  ///< tasks
  Strands poison, judge;
  Tally* tallies = nullptr;     ///< one a task
  Verdict* verdicts = nullptr;  ///< one a task; a judgement adds to what is there
};

/// Both enqueue kernels, or nothing for a round without tasks, wait for nothing, and return what CUDA says to it. Judgement is
/// two: strands add to tallies, and a thread a task makes a verdict of its tally and of the status word.
cudaError_t poison(const Round& round, cudaStream_t stream);
cudaError_t judge(const Round& round, cudaStream_t stream);

}  // namespace pagestorm::judge
