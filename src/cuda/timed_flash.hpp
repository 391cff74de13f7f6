#pragma once
// An operation of the FlashAttention family to time: made on the host, mirrored, and checked once against the host builder.

#include <cstddef>
#include <vector>

#include "flash.hpp"
#include "pagestorm/device_timing.hpp"

namespace pagestorm::cuda {

/// The views of one shape on both sides, and the memory behind them.
class TimedFlashWorld {
 public:
  TimedFlashWorld(const TimedFlash& shape, cudaStream_t stream);

  FlashBatch in() const { return relocated(call_.batch, inputs_mirror_); }
  FlashMetadata out() const { return relocated(call_.out, image_mirror_); }

  /// Runs the call once on the host and once here. Throws BuilderError when one byte of an output differs. Afterwards
  /// cells_written() is known.
  void verify(cudaStream_t stream);

  std::int64_t cells_written() const { return cells_written_; }  ///< words of all outputs

 private:
  void add_rows(const TimedFlash& shape);
  void add_drafts(const TimedFlash& shape);
  void add_outputs(const TimedFlash& shape);
  template <class T>
  T* room(std::vector<std::byte>& arena, std::int64_t elements);
  IntVector integers(std::vector<std::int64_t> values);

  FlashCall call_;  ///< on the host
  std::vector<std::byte> inputs_, image_;
  Mirror inputs_mirror_, image_mirror_;
  std::int64_t cells_written_ = 0;
};

}  // namespace pagestorm::cuda
