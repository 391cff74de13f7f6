// A builder that reads a length back before it goes on, as many do: no graph can hold that. tools/gpu.sh --only outside.
#include <cstdint>
#include <cstring>

#include "pagestorm/abi.h"

namespace {

const char* why = "";

}  // namespace

extern "C" {

uint32_t pagestorm_abi_version(void) { return PAGESTORM_ABI_VERSION; }

int pagestorm_describe(pagestorm_capabilities* capabilities) {
  std::strcpy(capabilities->name, "syncs");
  capabilities->device = PAGESTORM_CUDA;
  capabilities->without = PAGESTORM_NO_BUILD;
  return 0;
}

int pagestorm_apply(const pagestorm_batch* batch, const pagestorm_metadata*, void* stream) {
  if (batch->rows == 0) return 0;
  int64_t length = 0;
  const auto size = batch->seq_lens.dtype == PAGESTORM_INT64 ? sizeof(int64_t) : sizeof(int32_t);
  const auto on = static_cast<cudaStream_t>(stream);
  cudaError_t error = cudaMemcpyAsync(&length, batch->seq_lens.data, size, cudaMemcpyDeviceToHost, on);
  if (error == cudaSuccess) error = cudaStreamSynchronize(on);
  why = cudaGetErrorString(error);
  return error;
}

const char* pagestorm_last_error(void) { return why; }

}  // extern "C"
