#pragma once
// Many small things on their way to the device in one copy.

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "buffer.hpp"

namespace pagestorm::cuda {

/// Pinned memory that is filled from the start, and its twin on the device. Offsets are bytes, the same on both sides.
class Freight {
 public:
  void clear() { size_ = 0; }

  /// Appends bytes at a multiple of `alignment`, a power of two; where they are.
  std::int64_t add(const void* data, std::size_t bytes, std::size_t alignment) {
    const std::size_t first = (size_ + alignment - 1) & ~(alignment - 1);
    if (first + bytes > host_->capacity()) grow(first + bytes);
    if (bytes > 0) std::memcpy(host_->data() + first, data, bytes);
    size_ = first + bytes;
    return static_cast<std::int64_t>(first);
  }

  template <class T>
  std::int64_t add(std::span<const T> items) {
    return add(items.data(), items.size_bytes(), 16);
  }

  /// Makes room on the device for all that was added; from here on device() is known until clear().
  void reserve() { device_.reserve(size_); }

  /// Enqueues the copy. What is on the host must stay until it is done.
  void send(cudaStream_t stream) const {
    if (size_ > 0)
      PAGESTORM_CUDA(cudaMemcpyAsync(device_.data(), host_->data(), size_, cudaMemcpyHostToDevice, stream));
  }

  template <class T>
  T* host(std::int64_t offset) const {
    return reinterpret_cast<T*>(host_->data() + offset);
  }
  template <class T>
  T* device(std::int64_t offset) const {
    return reinterpret_cast<T*>(device_.data() + offset);
  }

 private:
  void grow(std::size_t bytes) {
    auto larger = std::make_unique<PinnedBuffer>();
    larger->reserve(bytes);
    if (size_ > 0) std::memcpy(larger->data(), host_->data(), size_);
    host_ = std::move(larger);
  }

  std::unique_ptr<PinnedBuffer> host_ = std::make_unique<PinnedBuffer>();
  DeviceBuffer device_;
  std::size_t size_ = 0;
};

}  // namespace pagestorm::cuda
