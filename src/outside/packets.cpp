#include "packets.hpp"

namespace pagestorm::outside {
namespace {

class Tensors {
 public:
  Tensors(const CallMemory& memory, CallMemory::Part part) : memory_(memory), part_(part), device_(memory.device()) {}

  pagestorm_tensor of(const IntVector& view) const {
    return vector(view.data, view.type == IntType::int64 ? PAGESTORM_INT64 : PAGESTORM_INT32, view.size, view.stride);
  }

  pagestorm_tensor of(const Vector<std::int32_t>& view) const {
    return vector(view.data, PAGESTORM_INT32, view.size, view.stride);
  }

  pagestorm_tensor of(const Vector<std::int64_t>& view) const {
    return vector(view.data, PAGESTORM_INT64, view.size, view.stride);
  }

  template <class T>
  pagestorm_tensor of(const Matrix<T>& view) const {
    if (view.data == nullptr) return {};
    return {
        where(view.data), PAGESTORM_INT32, device_, 0, 2, {view.rows, view.cols}, {view.row_stride, view.col_stride}};
  }

  pagestorm_tensor of(const std::uint32_t* status) const { return vector(status, PAGESTORM_UINT32, 1, 1); }

 private:
  pagestorm_tensor vector(const void* data, std::int32_t type, std::int64_t size, std::int64_t stride) const {
    if (data == nullptr) return {};
    return {where(data), type, device_, 0, 1, {size, 0}, {stride, 0}};
  }

  // No address, but 1 + the offset from the start of the memory.
  void* where(const void* data) const {
    return reinterpret_cast<void*>(std::uintptr_t{1} + static_cast<std::uintptr_t>(memory_.offset(part_, data)));
  }

  const CallMemory& memory_;
  CallMemory::Part part_;
  std::int32_t device_;
};

bool looks_at_extends(const Batch& batch) {
  if (batch.entry == Entry::build) return false;
  return batch.mode == Mode::ragged_verify || (batch.mode == Mode::extend && batch.has_cached_prefix);
}

}  // namespace

pagestorm_wire_call packet_of(const Batch& batch, const Metadata& out, const CallMemory& memory) {
  const Tensors in(memory, CallMemory::Part::inputs);
  const Tensors to(memory, CallMemory::Part::image);
  pagestorm_wire_call call{};
  call.kind = batch.entry == Entry::build ? PAGESTORM_WIRE_BUILD : PAGESTORM_WIRE_APPLY;
  call.batch.mode = static_cast<std::int32_t>(batch.mode);
  call.batch.draft_step = batch.draft_step;
  call.batch.tokens_per_row = batch.tokens_per_row;
  call.batch.has_cached_prefix = batch.has_cached_prefix ? 1 : 0;
  call.batch.page_size = batch.page_size;
  call.batch.rows = batch.rows;
  call.batch.req_to_token = in.of(batch.req_to_token);
  call.batch.req_pool_indices = in.of(batch.req_pool_indices);
  call.batch.seq_lens = in.of(batch.seq_lens);
  if (looks_at_extends(batch)) call.batch.extend_seq_lens = in.of(batch.extend_seq_lens);
  call.batch.out_cache_loc = in.of(batch.out_cache_loc);
  call.batch.full_to_swa = in.of(batch.full_to_swa);
  call.out.cache_seqlens = to.of(out.cache_seqlens);
  call.out.cu_seqlens_q = to.of(out.cu_seqlens_q);
  call.out.cu_seqlens_k = to.of(out.cu_seqlens_k);
  call.out.page_table = to.of(out.page_table);
  call.out.swa_page_table = to.of(out.swa_page_table);
  call.out.swa_out_cache_loc = to.of(out.swa_out_cache_loc);
  call.out.status = to.of(out.status);
  return call;
}

}  // namespace pagestorm::outside
