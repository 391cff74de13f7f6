#include "device.hpp"

#include "check.hpp"

namespace pagestorm {
namespace {

/// CUDA writes 13.0 as 13000.
std::string version(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

std::string describe() {
  cudaDeviceProp device;
  int driver = 0;
  int runtime = 0;
  PAGESTORM_CUDA(cudaGetDeviceProperties(&device, 0));
  PAGESTORM_CUDA(cudaDriverGetVersion(&driver));
  PAGESTORM_CUDA(cudaRuntimeGetVersion(&runtime));
  return std::string(device.name) + ", compute capability " + std::to_string(device.major) + "." +
         std::to_string(device.minor) + ", " + std::to_string(device.multiProcessorCount) + " multiprocessors, " +
         std::to_string(device.totalGlobalMem >> 30) + " GiB, driver " + version(driver) + ", runtime " +
         version(runtime);
}

}  // namespace

namespace cuda {

std::string absent_because() {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices > 0) return "";
  static_cast<void>(cudaGetLastError());
  return std::string("no device: ") + cudaGetErrorString(error == cudaSuccess ? cudaErrorNoDevice : error);
}

}  // namespace cuda

std::string cuda_description() {
  const std::string absent = cuda::absent_because();
  if (!absent.empty()) return absent;
  try {
    return describe();
  } catch (const BuilderError& error) {
    return std::string("no device: ") + error.what();
  }
}

}  // namespace pagestorm
