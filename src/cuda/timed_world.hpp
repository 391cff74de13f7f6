#pragma once
// A batch to time: made on the device, and checked once against the host builder.

#include <cuda_runtime_api.h>

#include "buffer.hpp"
#include "pagestorm/device_timing.hpp"

namespace pagestorm::cuda {

/// The views of one shape, and the memory behind them.
class TimedWorld {
 public:
  TimedWorld(const TimedShape& shape, cudaStream_t stream);

  const Batch& in() const { return in_; }
  const Metadata& out() const { return out_; }
  std::int64_t map_pages() const { return map_pages_; }  ///< pages of the full pool, page 0 included

  /// Runs the call once here and once on the host; throws BuilderError when one byte of an output differs.
  void verify(cudaStream_t stream) const;

 private:
  template <class T>
  T* room(DeviceBuffer& buffer, std::int64_t elements);
  IntVector integers(DeviceBuffer& buffer, std::int64_t elements);

  Batch in_;
  Metadata out_;
  std::int64_t map_pages_ = 0;
  DeviceBuffer slots_, indices_, lengths_, writes_, map_;
  DeviceBuffer image_;  ///< all outputs, one after the other
  std::size_t image_bytes_ = 0;
};

}  // namespace pagestorm::cuda
