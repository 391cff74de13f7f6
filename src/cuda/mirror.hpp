#pragma once
// A region of host memory as the device sees it: the same extent, somewhere else.

#include <cstddef>
#include <cstdint>

#include "buffer.hpp"
#include "pagestorm/batch.hpp"
#include "pagestorm/builder.hpp"

namespace pagestorm::cuda {

/// Device memory that stands for one region at a time. It is never touched as a whole: a region may be far larger than
/// what is used of it.
class Mirror {
 public:
  /// Stands for `region` from now on. `anew`: no content is needed any longer. Returns true when the memory moved.
  bool place(const Region& region, bool anew) {
    // The base keeps its alignment, so that a view is as aligned on the device as it is on the host.
    const std::size_t extent = static_cast<std::size_t>(region.below + region.above) + alignment;
    if (anew && buffer_.capacity() >= huge_bytes && extent < huge_bytes) buffer_.release();
    const bool moved = buffer_.reserve(extent);
    const std::uintptr_t lowest = address(buffer_.data()) + static_cast<std::uintptr_t>(region.below);
    base_ = lowest + (address(region.base) - lowest) % alignment;
    region_ = region;
    return moved;
  }

  bool stands_for(const Region& region) const {
    return region.base == region_.base && region.below == region_.below && region.above == region_.above;
  }

  const Region& region() const { return region_; }

  /// The allocation behind it.
  std::byte* memory() const { return buffer_.data(); }
  std::size_t bytes() const { return buffer_.capacity(); }

  /// Where the byte `offset` of the region is on the device.
  std::byte* at(std::int64_t offset) const {
    return reinterpret_cast<std::byte*>(base_ + static_cast<std::uintptr_t>(offset));
  }

  /// Where the host address `host` is on the device; null stays null.
  template <class T>
  T* of(T* host) const {
    if (host == nullptr) return nullptr;
    return reinterpret_cast<T*>(base_ + (address(host) - address(region_.base)));
  }

 private:
  static constexpr std::uintptr_t alignment = 256;

  static std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

  DeviceBuffer buffer_;
  Region region_;
  std::uintptr_t base_ = 0;
};

/// `batch` with every view on the device.
inline Batch relocated(Batch batch, const Mirror& inputs) {
  batch.req_to_token.data = inputs.of(batch.req_to_token.data);
  for (IntVector* vector :
       {&batch.req_pool_indices, &batch.seq_lens, &batch.extend_seq_lens, &batch.out_cache_loc, &batch.full_to_swa})
    vector->data = inputs.of(vector->data);
  return batch;
}

/// `out` with every view on the device.
inline Metadata relocated(Metadata out, const Mirror& image) {
  for (Vector<std::int32_t>* vector : {&out.cache_seqlens, &out.cu_seqlens_q, &out.cu_seqlens_k})
    vector->data = image.of(vector->data);
  for (Matrix<std::int32_t>* table : {&out.page_table, &out.swa_page_table}) table->data = image.of(table->data);
  out.swa_out_cache_loc.data = image.of(out.swa_out_cache_loc.data);
  out.status = image.of(out.status);
  return out;
}

}  // namespace pagestorm::cuda
