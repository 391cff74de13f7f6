#pragma once
// Calls of any number and shape in one launch.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pagestorm/batch.hpp"
#include "pagestorm/fault.hpp"

namespace pagestorm::cuda {

/// Which block of which call a block of the launch is, and on which of its two images.
struct PackShare {
  std::uint32_t call = 0;
  std::uint32_t block : 31 = 0;
  std::uint32_t image : 1 = 0;
};

/// Calls that are gathered on the host, in the form in which the kernel takes them. Their memory on the device is the
/// caller's matter.
class Packing {
 public:
  virtual ~Packing() = default;
  virtual void clear() = 0;

  /// Adds a call whose views lie on the device. With `second` it is done on two images, and `second` says how many bytes
  /// after the views of `out` those of the other image lie. `pages`: live columns of the longest row, about.
  virtual void add(const Batch& in, const Metadata& out, std::int64_t pages, const std::int64_t* second) = 0;

  /// To be copied to the device, the calls at a multiple of 16 bytes.
  virtual std::span<const std::byte> calls() const = 0;
  std::span<const PackShare> shares() const { return shares_; }

  /// Enqueues one launch of `count` of the shares, given the copies; nothing for none.
  virtual void launch(const std::byte* calls, const PackShare* shares, std::size_t count,
                      cudaStream_t stream) const = 0;

 protected:
  std::vector<PackShare> shares_;
};

std::unique_ptr<Packing> make_packing(Fault fault);

}  // namespace pagestorm::cuda
