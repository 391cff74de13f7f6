#pragma once
// The device operation itself, without a builder around it: for engines that have stream and memory of their own.

#include "pagestorm/batch.hpp"

namespace pagestorm {

/// Enqueues the one launch of a call on `stream`, a cudaStream_t of the current device, where all views of the call must
/// lie. Allocates nothing and waits for nothing, so it may be captured; the first call of a process, which loads the
/// kernels, may not. The shapes must be right. Throws BuilderError when the launch fails, or where CUDA was not built.
/// Defined by src/cuda, or by src/stub.
void launch_on_device(const Batch& batch, const Metadata& out, void* stream);

}  // namespace pagestorm
