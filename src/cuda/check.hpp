#pragma once
// CUDA errors as exceptions that name the call and its place.

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>

#include "pagestorm/builder.hpp"

namespace pagestorm::cuda {

/// Whether `error` says that a stream capture met work that it does not allow, or was broken by it.
inline bool breaks_capture(cudaError_t error) {
  return error >= cudaErrorStreamCaptureUnsupported && error <= cudaErrorStreamCaptureWrongThread;
}

/// Throws SyncInCapture or BuilderError, and leaves no error behind where CUDA lets go of it.
[[noreturn]] inline void fail(cudaError_t error, std::string_view call, std::string_view file, int line) {
  static_cast<void>(cudaGetLastError());
  const std::string text = std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(line) + ": " +
                           std::string(call) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")";
  if (breaks_capture(error)) throw SyncInCapture(text);
  throw BuilderError(text);
}

inline void check(cudaError_t error, std::string_view call, std::string_view file, int line) {
  if (error != cudaSuccess) fail(error, call, file, line);
}

}  // namespace pagestorm::cuda

/// Makes a call of the CUDA runtime and throws when it fails.
#define PAGESTORM_CUDA(...) ::pagestorm::cuda::check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
