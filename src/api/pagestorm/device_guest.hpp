#pragma once
// A device in the process of an outside builder: opens memory that Pagestorm owns, and runs kernels that come as files.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "pagestorm/wire.h"

namespace pagestorm {

/// One argument of a kernel, as bytes: the size decides how many of them count.
struct KernelArgument {
  std::uint64_t bits = 0;
  std::uint32_t bytes = 8;  ///< 4 or 8
};

/// How a kernel is launched.
struct KernelShape {
  std::array<std::int64_t, 3> grid = {1, 1, 1};
  std::array<std::int64_t, 3> block = {1, 1, 1};
  std::int64_t shared_bytes = 0;
};

/// All throw BuilderError with CUDA's own words.
class DeviceGuest {
 public:
  virtual ~DeviceGuest() = default;

  /// Opens memory that a packet describes; its address here.
  virtual std::byte* open(const pagestorm_wire_region& packet) = 0;
  virtual void close(std::byte* start) = 0;

  /// A cudaStream_t on which calls are enqueued.
  virtual void* stream() const = 0;

  /// Waits for all that was enqueued.
  virtual void wait() = 0;

  /// Captures what `work` enqueues on the stream into a graph, in global mode, and runs none of it. What would wait for the
  /// device or allocate throws.
  virtual void capture(const std::function<void()>& work) = 0;

  /// Enqueues the graph that was captured last.
  virtual void launch_captured() = 0;

  /// Loads a kernel out of a cubin, a fatbin or PTX, and returns its number.
  virtual std::size_t load(const std::string& image, const std::string& kernel) = 0;

  /// Enqueues it. Nothing is enqueued where a dimension of the grid is 0.
  virtual void launch(std::size_t kernel, const KernelShape& shape, std::span<const KernelArgument> arguments) = 0;
};

/// The first device. Throws BuilderError where there is none. Defined by src/cuda or src/stub.
std::unique_ptr<DeviceGuest> device_guest();

}  // namespace pagestorm
