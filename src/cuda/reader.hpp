#pragma once
// Kernels that store tags to KV slots and read them as attention does.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "judge/attention_reads.hpp"
#include "judge/token_stores.hpp"

namespace pagestorm::cuda {

/// What the kernels of a pass leave behind. Zero before the first of them.
struct ReaderReport {
  unsigned long long unwritten[kv_pools];  ///< write slots outside of their pool
  std::uint32_t done;                      ///< blocks that have read
  std::uint32_t unused;
  judge::FirstMisread first[kv_models];
};

/// What both models read. A model without `truth` does not run.
struct ReadTask {
  judge::AttentionBatch models[kv_models] = {};
  std::int64_t rows = 0;
  judge::FirstMisread* found = nullptr;  ///< [kv_models x rows], scratch
  ReaderReport* report = nullptr;
};

/// All enqueue one kernel, or nothing where there is nothing to do, and wait for nothing. Pointers are of the device.
void fill_slots(const judge::KvMemory& memory, const SlotFill* fills, std::int64_t count, cudaStream_t stream);
void store_tokens(const judge::KvMemory& memory, const judge::TokenStore& store, ReaderReport* report,
                  cudaStream_t stream);
void read_rows(const ReadTask& task, cudaStream_t stream);

}  // namespace pagestorm::cuda
