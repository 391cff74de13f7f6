#pragma once
// Shapes of the FlashAttention family that no launch accepts. Contents are never looked at.

#include <cstdint>

#include "pagestorm/flash.hpp"
#include "pagestorm/ids.hpp"

namespace pagestorm::core {

/// What the scalars of an operation are wrong in; null when in nothing.
inline const char* scalar_complaint(const FlashBatch& in) {
  if (in.page_size < 1 || in.page_size > page_size_max) return "page_size: must be 1 to 4096";
  if (in.rows < 0) return "rows: must not be negative";
  if (in.branches < 1) return "branches: must be at least 1";
  if (in.draft_steps < 1) return "draft_steps: must be at least 1";
  if (in.draft_step < 0 || in.draft_step >= in.draft_steps) return "draft_step: must be 0 to draft_steps - 1";
  if (in.tokens_per_row < 1) return "tokens_per_row: must be at least 1";
  if (in.window < 0) return "window: must not be negative";
  if (in.chunk < 1) return "chunk: must be at least 1";
  if (in.op == FlashOp::local_blocks && in.chunk % in.page_size != 0) return "chunk: must be a multiple of page_size";
  return nullptr;
}

/// The same of the inputs.
inline const char* input_complaint(const FlashBatch& in) {
  const bool looks_up = in.op != FlashOp::draft_expand && in.op != FlashOp::verify_expand && in.op != FlashOp::schedule;
  const bool verifies = in.op == FlashOp::verify_expand || in.op == FlashOp::merged_verify;
  if (in.rows > 0 && in.seq_lens.data == nullptr) return "seq_lens: is missing";
  if (in.seq_lens.size < in.rows) return "seq_lens: has fewer elements than the batch has rows";
  if (looks_up && in.rows > 0 && in.req_to_token.data == nullptr) return "req_to_token: is missing";
  if (looks_up && in.rows > 0 && in.req_pool_indices.data == nullptr) return "req_pool_indices: is missing";
  if (looks_up && in.req_pool_indices.size < in.rows)
    return "req_pool_indices: has fewer elements than the batch has rows";
  if ((verifies || in.op == FlashOp::draft_expand) && in.rows > 0 && in.out_cache_loc.data == nullptr)
    return "out_cache_loc: is missing";
  if (in.op == FlashOp::draft_expand && in.out_cache_loc.size / in.branches / in.draft_steps < in.rows)
    return "out_cache_loc: needs a slot for each step of each branch of each row";
  if (verifies && in.out_cache_loc.size / in.tokens_per_row < in.rows)
    return "out_cache_loc: needs a slot for each draft token of each row";
  if (verifies && in.rows > 0 && in.tree_mask.data == nullptr) return "tree_mask: is missing";
  const std::int64_t n = in.tokens_per_row;
  if (verifies && !in.whole_mask && in.tree_mask.size / n / n < in.rows)
    return "tree_mask: needs an element for each pair of draft tokens of each row";
  const bool has_prompts = in.op == FlashOp::prompt_window || has_encoder(in.op);
  if (has_prompts && in.rows > 0 && in.prompt_lens.data == nullptr) return "prompt_lens: is missing";
  if (has_prompts && in.prompt_lens.size < in.rows) return "prompt_lens: has fewer elements than the batch has rows";
  if (in.op == FlashOp::local_blocks && in.query_lens.data != nullptr && in.query_lens.size < in.rows)
    return "query_lens: has fewer elements than the batch has rows";
  return nullptr;
}

/// The same of the outputs.
inline const char* output_complaint(const FlashBatch& in, const FlashMetadata& out) {
  const std::int64_t members = members_of(in);
  if (out.status == nullptr) return "status: is missing";
  if (out.cu_seqlens_q.data == nullptr) return "cu_seqlens_q: is missing";
  if (out.cu_seqlens_k.data == nullptr) return "cu_seqlens_k: is missing";
  if (in.rows > 0 && out.cache_seqlens.data == nullptr) return "cache_seqlens: is missing";
  if (members > 0 && out.cache_seqlens.size / members < in.rows)
    return "cache_seqlens: has fewer elements than there are expanded rows";
  if (out.cu_seqlens_q.size <= out.cache_seqlens.size)
    return "cu_seqlens_q: needs one element more than cache_seqlens has";
  if (out.cu_seqlens_k.size <= out.cache_seqlens.size)
    return "cu_seqlens_k: needs one element more than cache_seqlens has";
  if (out.page_table.rows < out.cache_seqlens.size) return "page_table: has fewer rows than cache_seqlens has elements";
  if (out.page_table.rows > 0 && out.page_table.cols > 0 && out.page_table.data == nullptr)
    return "page_table: is missing";
  if (in.op == FlashOp::draft_expand && in.rows > 0 && out.prefix_seqlens.data == nullptr)
    return "prefix_seqlens: is missing";
  if (in.op == FlashOp::draft_expand && out.prefix_seqlens.size < in.rows)
    return "prefix_seqlens: has fewer elements than the batch has rows";
  if (in.op == FlashOp::schedule && out.schedule.data == nullptr) return "schedule: is missing";
  if (in.op == FlashOp::schedule && out.schedule.size < schedule_size(in.rows))
    return "schedule: needs an element and one for each row, the rows rounded up to a multiple of 4";
  return nullptr;
}

/// What is wrong with the shapes of a call, as "argument: problem"; null when nothing is.
inline const char* complaint(const FlashBatch& in, const FlashMetadata& out) {
  if (const char* problem = scalar_complaint(in)) return problem;
  if (const char* problem = input_complaint(in)) return problem;
  return output_complaint(in, out);
}

}  // namespace pagestorm::core
