#pragma once
// Fault::lengths_read_on_host: what a careful engine never does while it enqueues.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "check.hpp"
#include "core/body.hpp"

namespace pagestorm::cuda {

/// Copies the elements of `vector` from the device, waits for them, and lets `vector` view `memory`.
inline void read_back(IntVector& vector, std::int64_t count, std::vector<std::byte>& memory, cudaStream_t stream) {
  const std::int64_t element = vector.type == IntType::int64 ? 8 : 4;
  const std::int64_t reach = count > 0 ? (count - 1) * vector.stride * element : 0;
  const std::int64_t lowest = std::min<std::int64_t>(reach, 0);
  memory.resize(count > 0 ? static_cast<std::size_t>(std::abs(reach) + element) : 0);
  if (count > 0)
    PAGESTORM_CUDA(cudaMemcpyAsync(memory.data(), static_cast<const std::byte*>(vector.data) + lowest, memory.size(),
                                   cudaMemcpyDeviceToHost, stream));
  PAGESTORM_CUDA(cudaStreamSynchronize(stream));
  vector.data = memory.data() - lowest;
}

/// Cuts the tables of `out` at the longest length; lengths, and with ragged_verify new tokens, being host memory.
inline void cut_at_longest_of(Batch in, Metadata& out) {
  in.has_cached_prefix = false;  // or lengths() would look at extend_seq_lens
  const auto body = core::body_of(in, out, core::PlainMemory{}, core::Sound{});
  std::int64_t longest = 0;
  for (std::int64_t row = 0; row < in.rows; ++row) longest = std::max(longest, body.lengths(row).keys);
  const std::int64_t cut = std::min(out.page_table.cols, body.size.pages(longest));
  out.page_table.cols = cut;
  out.swa_page_table.cols = cut;
}

/// The same at the longest length that the device holds now. Throws SyncInCapture in a capture.
inline void cut_at_longest(Batch in, Metadata& out, cudaStream_t stream) {
  std::vector<std::byte> memory, more;
  read_back(in.seq_lens, in.rows, memory, stream);
  if (in.mode == Mode::ragged_verify) read_back(in.extend_seq_lens, in.rows, more, stream);
  cut_at_longest_of(in, out);
}

}  // namespace pagestorm::cuda
