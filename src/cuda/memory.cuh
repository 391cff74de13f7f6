#pragma once
// How a kernel touches device memory: what is read once does not push out what will be read again.

#include <cstdint>

#include "core/memory.hpp"

namespace pagestorm::cuda {

/// Device memory under many lanes: only the status word is shared. The asm is volatile so that nothing is moved above
/// the wait for the launch before.
struct DeviceMemory {
#ifndef TUNE_CELLS
#define TUNE_CELLS 4
#define TUNE_FOURS 4
#define TUNE_MFOURS 2
#endif
  static constexpr int cells = TUNE_CELLS;
  static constexpr int fours = TUNE_FOURS;
  static constexpr int mapped_fours = TUNE_MFOURS;

  template <class T>
  __device__ __forceinline__ T load(const T* address) const {
    return *address;
  }
  __device__ __forceinline__ std::int32_t load_slot(const std::int32_t* address) const {
    std::int32_t slot;
    asm volatile("ld.global.L1::no_allocate.s32 %0, [%1];" : "=r"(slot) : "l"(address));
    return slot;
  }
  __device__ __forceinline__ core::Four load_slots(const std::int32_t* address) const {
    core::Four four;
    asm volatile("ld.global.cs.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(four.cell[0]), "=r"(four.cell[1]), "=r"(four.cell[2]), "=r"(four.cell[3])
                 : "l"(address));
    return four;
  }
  __device__ __forceinline__ std::int32_t look_up(const std::int32_t* address) const { return load_slot(address); }
  __device__ __forceinline__ std::int64_t look_up(const std::int64_t* address) const {
    std::int64_t entry;
    asm volatile("ld.global.L1::no_allocate.s64 %0, [%1];" : "=l"(entry) : "l"(address));
    return entry;
  }
  template <class T>
  __device__ __forceinline__ void store(T* address, T value) const {
    *address = value;
  }
  __device__ __forceinline__ void store_pages(std::int32_t* address, const core::Four& four) const {
    __stcs(reinterpret_cast<int4*>(address), make_int4(four.cell[0], four.cell[1], four.cell[2], four.cell[3]));
  }
  __device__ __forceinline__ void raise(std::uint32_t* status, std::uint32_t bits) const {
    if (bits != 0) atomicOr(status, bits);
  }
};

}  // namespace pagestorm::cuda
