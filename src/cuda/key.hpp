#pragma once
// Everything that a captured launch bakes in.

#include <cstdint>
#include <utility>
#include <vector>

#include "pagestorm/batch.hpp"

namespace pagestorm::cuda {

/// Two calls with the same key are the same graph: only contents behind the same addresses differ.
using Key = std::vector<std::int64_t>;

class KeyWriter {
 public:
  template <class... Parts>
  void add(const Parts&... parts) {
    (put(parts), ...);
  }

  Key key;

 private:
  void put(std::int64_t value) { key.push_back(value); }
  void put(const void* pointer) { put(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(pointer))); }
  void put(const IntVector& view) { add(view.data, view.size, view.stride, static_cast<std::int64_t>(view.type)); }
  template <class T>
  void put(const Vector<T>& view) {
    add(view.data, view.size, view.stride);
  }
  template <class T>
  void put(const Matrix<T>& view) {
    add(view.data, view.rows, view.cols, view.row_stride, view.col_stride);
  }
};

/// The key of a call whose views lie on the device.
inline Key key_of(const Batch& in, const Metadata& out, std::uint64_t order) {
  KeyWriter writer;
  writer.add(static_cast<std::int64_t>(in.mode), static_cast<std::int64_t>(in.entry), in.draft_step, in.tokens_per_row,
             static_cast<std::int64_t>(in.has_cached_prefix), in.page_size, in.rows, static_cast<std::int64_t>(order));
  writer.add(in.req_to_token, in.req_pool_indices, in.seq_lens, in.extend_seq_lens, in.out_cache_loc, in.full_to_swa);
  writer.add(out.cache_seqlens, out.cu_seqlens_q, out.cu_seqlens_k, out.page_table, out.swa_page_table,
             out.swa_out_cache_loc, out.status);
  return std::move(writer.key);
}

}  // namespace pagestorm::cuda
