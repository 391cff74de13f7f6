#pragma once
// The memory of calls as the process of an outside builder sees it: shared pages on the host, or memory of a device.

#include <cstdint>
#include <memory>
#include <span>

#include "pagestorm/region.hpp"
#include "pagestorm/wire.h"

namespace pagestorm {

/// Memory that stands for the two regions of a call, one of each at a time, and that another process can open.
class CallMemory {
 public:
  enum class Part : std::uint8_t { inputs, image };

  virtual ~CallMemory() = default;

  /// Stands for `region` from now on. `anew`: no content is needed any longer. Returns true when the memory is another one,
  /// of which the other process does not know yet. Throws BuilderError when there is not enough.
  virtual bool place(Part part, const Region& region, bool anew) = 0;

  /// Whether the part stands for `region`.
  virtual bool stands_for(Part part, const Region& region) const = 0;

  /// How far from the start of the memory the address `at` of the region is, in bytes.
  virtual std::int64_t offset(Part part, const void* at) const = 0;

  /// Where the memory is: PAGESTORM_HOST or PAGESTORM_CUDA.
  virtual std::int32_t device() const = 0;

  /// Fills in what the other process needs to open it, but for kind and number.
  virtual void describe(Part part, pagestorm_wire_region& packet) const = 0;

  /// The descriptor that goes with that packet; -1 where there is none.
  virtual int descriptor(Part part) const = 0;

  /// Copies these bytes of the regions to the memory; returns when they are there.
  virtual void carry_in(std::span<const Window> inputs, std::span<const Window> image) = 0;

  /// Copies these bytes of the image back; returns when they are there.
  virtual void carry_out(std::span<const Window> image) = 0;
};

/// Memory of the first device. Throws BuilderError where there is none. Defined by src/cuda or src/stub.
std::unique_ptr<CallMemory> device_call_memory();

}  // namespace pagestorm
