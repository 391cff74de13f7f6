#pragma once
// Memory that grows and frees itself: on the device, or pinned on the host.

#include <bit>
#include <cstddef>
#include <string>
#include <utility>

#include "check.hpp"

namespace pagestorm::cuda {

/// Buffers from here on are allocated to the byte, and given back as soon as they are not needed.
inline constexpr std::size_t huge_bytes = std::size_t{1} << 30;

struct DevicePlace {
  static constexpr const char* name = "device";
  static constexpr const char* call = "cudaMalloc";
  static cudaError_t allocate(void** data, std::size_t bytes) { return cudaMalloc(data, bytes); }
  static void free(void* data) { static_cast<void>(cudaFree(data)); }
};

struct PinnedPlace {
  static constexpr const char* name = "pinned host";
  static constexpr const char* call = "cudaMallocHost";
  static cudaError_t allocate(void** data, std::size_t bytes) { return cudaMallocHost(data, bytes); }
  static void free(void* data) { static_cast<void>(cudaFreeHost(data)); }
};

template <class Place>
class Buffer {
 public:
  Buffer() = default;
  ~Buffer() { release(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }

  /// Makes room for `bytes`. Returns true when the address changed; the content is lost then.
  bool reserve(std::size_t bytes) {
    if (bytes <= capacity_) return false;
    release();
    const std::size_t wanted = bytes < huge_bytes ? std::bit_ceil(bytes) : bytes;
    void* data = nullptr;
    const cudaError_t error = Place::allocate(&data, wanted);
    if (error == cudaErrorMemoryAllocation) refuse(wanted);
    check(error, Place::call, __FILE__, __LINE__);
    data_ = static_cast<std::byte*>(data);
    capacity_ = wanted;
    return true;
  }

  void release() {
    if (data_ != nullptr) Place::free(std::exchange(data_, nullptr));
    capacity_ = 0;
  }

 private:
  [[noreturn]] static void refuse(std::size_t bytes) {
    static_cast<void>(cudaGetLastError());
    throw BuilderError(std::string("not enough ") + Place::name + " memory: " + std::to_string(bytes >> 20) +
                       " MiB were asked for");
  }

  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
};

using DeviceBuffer = Buffer<DevicePlace>;
using PinnedBuffer = Buffer<PinnedPlace>;

}  // namespace pagestorm::cuda
