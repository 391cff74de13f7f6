#pragma once
// Many jobs a launch: poison before the builds, judgement after them.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "job.hpp"

namespace pagestorm::judge {

inline constexpr int threads = 128;  ///< of a block

/// How a job is shared out: `parts` blocks, 2^lanes_shift neighbouring threads for a row.
struct Cut {
  static constexpr std::uint32_t lanes_shift_least = 3;

  std::uint32_t parts = 1;
  std::uint32_t lanes_shift = lanes_shift_least;  ///< the threads of all parts are a multiple of the lanes

  /// For rows of about so many live columns. Any cut is right.
  static Cut of(std::int64_t rows, std::int64_t pages);
};

/// A job as kernels take it.
struct Task {
  Job job;
  Cut cut;
};

/// Which part of which task a block does.
struct Share {
  std::uint32_t task = 0;
  std::uint32_t part = 0;
};

/// What the parts of a task have found so far. Zero, with `word` nowhere, before the first of them and after the last.
struct Tally {
  std::uint32_t laws = 0;
  std::uint32_t status = 0;
  std::uint32_t done = 0;
  std::uint32_t unused = 0;
  unsigned long long word = Verdict::nowhere;
};

/// Device memory of a round.
struct Round {
  const Task* tasks = nullptr;
  const Share* shares = nullptr;  ///< a share for each part of each task
  std::uint32_t blocks = 0;       ///< how many
  Tally* tallies = nullptr;       ///< one a task
  Verdict* verdicts = nullptr;    ///< one a task; a judgement adds to what is there
};

/// Both enqueue one kernel, or nothing for a round without blocks, wait for nothing, and return what CUDA says to it.
cudaError_t poison(const Round& round, cudaStream_t stream);
cudaError_t judge(const Round& round, cudaStream_t stream);

}  // namespace pagestorm::judge
