#pragma once
// One kernel launch per operation.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "pagestorm/batch.hpp"
#include "pagestorm/fault.hpp"

namespace pagestorm::cuda {

/// Enqueues the one launch of a call whose views lie on the device. `order` as in Call. Allocates nothing, waits for
/// nothing, looks at no content.
void launch(const Batch& in, const Metadata& out, std::uint64_t order, Fault fault, cudaStream_t stream);

/// Loads every kernel, so that no capture has to. Throws BuilderError when the device has no code to run.
void load_kernels();

}  // namespace pagestorm::cuda
