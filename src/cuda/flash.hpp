#pragma once
// One kernel launch per operation of the FlashAttention family.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <utility>

#include "key.hpp"
#include "mirror.hpp"
#include "pagestorm/fault.hpp"
#include "pagestorm/flash.hpp"

namespace pagestorm::cuda {

/// Enqueues the one launch of an operation whose views lie on the device. `order` as in FlashCall. Allocates nothing,
/// waits for nothing, looks at no content.
void launch_flash(const FlashBatch& in, const FlashMetadata& out, std::uint64_t order, Fault fault,
                  cudaStream_t stream);

/// Loads every kernel of the family, so that no capture has to.
void load_flash_kernels();

/// `batch` with every view on the device.
inline FlashBatch relocated(FlashBatch batch, const Mirror& inputs) {
  batch.req_to_token.data = inputs.of(batch.req_to_token.data);
  for (IntVector* vector : {&batch.req_pool_indices, &batch.seq_lens, &batch.query_lens, &batch.prompt_lens,
                            &batch.out_cache_loc, &batch.full_to_swa})
    vector->data = inputs.of(vector->data);
  batch.tree_mask.data = inputs.of(batch.tree_mask.data);
  return batch;
}

/// `out` with every view on the device.
inline FlashMetadata relocated(FlashMetadata out, const Mirror& image) {
  for (Vector<std::int32_t>* vector :
       {&out.prefix_seqlens, &out.cache_seqlens, &out.cu_seqlens_q, &out.cu_seqlens_k, &out.schedule})
    vector->data = image.of(vector->data);
  out.page_table.data = image.of(out.page_table.data);
  out.status = image.of(out.status);
  return out;
}

/// The key of an operation whose views lie on the device.
inline Key key_of(const FlashBatch& in, const FlashMetadata& out, std::uint64_t order) {
  KeyWriter writer;
  writer.add(static_cast<std::int64_t>(in.op), in.page_size, in.rows, in.branches, in.draft_steps, in.draft_step,
             in.tokens_per_row, in.window, in.chunk, static_cast<std::int64_t>(in.whole_mask),
             static_cast<std::int64_t>(order));
  writer.add(in.req_to_token, in.req_pool_indices, in.seq_lens, in.query_lens, in.prompt_lens, in.out_cache_loc,
             in.full_to_swa, in.tree_mask);
  writer.add(out.prefix_seqlens, out.cache_seqlens, out.cu_seqlens_q, out.cu_seqlens_k, out.page_table, out.schedule,
             out.status);
  return std::move(writer.key);
}

}  // namespace pagestorm::cuda
