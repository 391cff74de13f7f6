#pragma once
// Shapes that no launch accepts. Contents are never looked at: they may live on a device.

#include <cstdint>

#include "pagestorm/batch.hpp"
#include "pagestorm/ids.hpp"

namespace pagestorm::core {

/// What is wrong with the shapes of a call, as "argument: problem"; null when nothing is.
inline const char* complaint(const Batch& in, const Metadata& out) {
  const bool apply = in.entry == Entry::apply;
  const bool swa = in.full_to_swa.data != nullptr;
  if (in.page_size < 1 || in.page_size > page_size_max) return "page_size: must be 1 to 4096";
  if (in.rows < 0) return "rows: must not be negative";
  if (in.tokens_per_row < 1) return "tokens_per_row: must be at least 1";
  if (in.draft_step < 0) return "draft_step: must not be negative";
  if (in.rows > 0 && in.req_to_token.data == nullptr) return "req_to_token: is missing";
  if (in.rows > 0 && in.req_pool_indices.data == nullptr) return "req_pool_indices: is missing";
  if (in.rows > 0 && in.seq_lens.data == nullptr) return "seq_lens: is missing";
  if (in.rows > 0 && out.page_table.cols > 0 && out.page_table.data == nullptr) return "page_table: is missing";
  if (in.req_pool_indices.size < in.rows) return "req_pool_indices: has fewer elements than the batch has rows";
  if (in.seq_lens.size < in.rows) return "seq_lens: has fewer elements than the batch has rows";
  if (out.page_table.rows < in.rows) return "page_table: has fewer rows than the batch";
  if (out.status == nullptr) return "status: is missing";
  if (swa != (out.swa_page_table.data != nullptr))
    return "swa_page_table: must be given with full_to_swa, and only then";
  if (swa && out.swa_page_table.rows < in.rows) return "swa_page_table: has fewer rows than the batch";
  if (swa && out.swa_page_table.cols != out.page_table.cols) return "swa_page_table: must be as wide as page_table";
  if (!apply) return nullptr;
  if (out.cu_seqlens_q.data == nullptr) return "cu_seqlens_q: is missing";
  if (out.cu_seqlens_k.data == nullptr) return "cu_seqlens_k: is missing";
  if (in.rows > 0 && out.cache_seqlens.data == nullptr) return "cache_seqlens: is missing";
  const bool given = (in.mode == Mode::extend && in.has_cached_prefix) || in.mode == Mode::ragged_verify;
  if (given && in.rows > 0 && in.extend_seq_lens.data == nullptr) return "extend_seq_lens: is missing";
  if (given && in.extend_seq_lens.size < in.rows) return "extend_seq_lens: has fewer elements than the batch has rows";
  if (out.cache_seqlens.size < in.rows) return "cache_seqlens: has fewer elements than the batch has rows";
  if (out.cu_seqlens_q.size < in.rows + 1) return "cu_seqlens_q: needs one element more than the batch has rows";
  if (out.cu_seqlens_k.size < in.rows + 1) return "cu_seqlens_k: needs one element more than the batch has rows";
  return nullptr;
}

}  // namespace pagestorm::core
