#pragma once
// How a kernel touches device memory: how much it has under way, and what it asks the L2 cache to keep.

#include <cstdint>

#include "core/memory.hpp"

namespace pagestorm::cuda {

/// Device memory under many lanes: only the status word is shared. Loads are volatile so that they stay in order: none
/// above the wait for the launch before, none behind the first use of another.
struct DeviceMemory {
  static constexpr int cells = 4;
  static constexpr int fours = 4;
  static constexpr int mapped_fours = 2;
  static constexpr std::int64_t four_alignment = sizeof(core::Four);
  static constexpr int resident_threads = 1024;  ///< that a multiprocessor shall be able to keep
  static constexpr bool by_region = false;

  std::int64_t live_kept = INT64_MAX;  ///< where rows have more live columns, L2 cannot keep what a launch reads

  __device__ __forceinline__ bool overflows(std::int64_t live) const { return live > live_kept; }

  template <class T>
  __device__ __forceinline__ T load(const T* address) const {
    return load_apart<false>(address);
  }
  __device__ __forceinline__ std::uint8_t load(const std::uint8_t* address) const {
    std::uint32_t value;
    asm volatile("ld.global.u8 %0, [%1];" : "=r"(value) : "l"(address));
    return static_cast<std::uint8_t>(value);
  }
  template <bool overflowing>
  __device__ __forceinline__ std::int32_t load_apart(const std::int32_t* address) const {
    std::int32_t value;
    if constexpr (overflowing)
      asm volatile("ld.global.L2::cache_hint.s32 %0, [%1], %2;" : "=r"(value) : "l"(address), "l"(policy()));
    else
      asm volatile("ld.global.s32 %0, [%1];" : "=r"(value) : "l"(address));
    return value;
  }
  template <bool overflowing>
  __device__ __forceinline__ std::int64_t load_apart(const std::int64_t* address) const {
    std::int64_t value;
    if constexpr (overflowing)
      asm volatile("ld.global.L2::cache_hint.s64 %0, [%1], %2;" : "=l"(value) : "l"(address), "l"(policy()));
    else
      asm volatile("ld.global.s64 %0, [%1];" : "=l"(value) : "l"(address));
    return value;
  }
  __device__ __forceinline__ core::Four load_four(const std::int32_t* address, bool mapped) const {
    core::Four four;
    if (mapped)
      asm volatile("ld.global.cs.v4.s32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(four.cell[0]), "=r"(four.cell[1]), "=r"(four.cell[2]), "=r"(four.cell[3])
                   : "l"(address));
    else
      asm volatile("ld.global.v4.s32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(four.cell[0]), "=r"(four.cell[1]), "=r"(four.cell[2]), "=r"(four.cell[3])
                   : "l"(address));
    return four;
  }
  template <class T>
  __device__ __forceinline__ void store(T* address, T value) const {
    *address = value;
  }
  __device__ __forceinline__ void store_four(std::int32_t* address, const core::Four& four) const {
    __stcs(reinterpret_cast<int4*>(address), make_int4(four.cell[0], four.cell[1], four.cell[2], four.cell[3]));
  }
  __device__ __forceinline__ void raise(std::uint32_t* status, std::uint32_t bits) const {
    if (bits != 0) atomicOr(status, bits);
  }

 private:
  /// A quarter of the lines competes for the cache as usual, the others pass through: so the next launch finds that
  /// quarter again, where otherwise each line would be gone before it is wanted.
  __device__ __forceinline__ std::uint64_t policy() const {
    std::uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_normal.L2::evict_first.b64 %0, 0.25;" : "=l"(policy));
    return policy;
  }
};

/// For a map that the L2 cache cannot keep: each lane holds many slots, and looks up one region of the map after the other.
struct RegionMemory : DeviceMemory {
  static constexpr int mapped_fours = 8;
  static constexpr bool by_region = true;

  std::uint32_t region_slots = UINT32_MAX;  ///< entries of a region
};

}  // namespace pagestorm::cuda
