#pragma once
// What attention backends of the FlashAttention family are given besides the metadata of a pass: tables in which a row
// of the batch becomes several (docs/contract.md, "The FlashAttention family").

#include <cstdint>
#include <span>

#include "pagestorm/batch.hpp"
#include "pagestorm/region.hpp"
#include "pagestorm/views.hpp"

namespace pagestorm {

/// The operations of the family. Each makes expanded rows of the rows of a batch.
enum class FlashOp : std::uint8_t {
  draft_expand,   ///< draft step with k branches a row: the pages of each branch
  verify_expand,  ///< tree verify, second pass: the draft tokens that each of N draft tokens sees
  merged_verify,  ///< tree verify, one pass: part of the prefix, then the draft tokens seen
  local_blocks,   ///< local attention: a row cut at the ends of chunks
  prompt_window,  ///< decode over a window that never forgets the prompt
  encoder_table,  ///< encoder-decoder model, cross attention: the tokens of the encoder, at the start of a row
  text_table,     ///< the same, self attention: the tokens of the decoder, behind those of the encoder
  schedule,       ///< how many splits the keys of each row are read in
};

inline constexpr int flash_op_count = 8;

/// Inputs of one operation. Like those of Batch: shapes, strides and scalars are host values and may be baked into a
/// captured graph, contents may change until the work runs.
struct FlashBatch {
  FlashOp op = FlashOp::draft_expand;
  std::int32_t page_size = 1;       ///< P: tokens, 1 to page_size_max
  std::int64_t rows = 0;            ///< rows of the batch, padded rows included
  std::int32_t branches = 1;        ///< k: of draft_expand
  std::int32_t draft_steps = 1;     ///< T: tokens of a branch
  std::int32_t draft_step = 0;      ///< i: the step, 0 to T - 1
  std::int32_t tokens_per_row = 1;  ///< N: draft tokens of a verify; queries of local_blocks without query_lens
  std::int32_t window = 0;          ///< tokens that a query sees, itself included; 0 = all
  std::int32_t chunk = 1;           ///< A: tokens of a chunk, a multiple of P; of schedule the keys of a split
  bool whole_mask = false;          ///< lines of the mask have a column for each token of the prefix, too
  Matrix<const std::int32_t> req_to_token =
      {};                                     ///< [pool rows, positions]; not of draft_expand, verify_expand, schedule
  IntVector req_pool_indices = {};            ///< [>= rows]; likewise
  IntVector seq_lens = {};                    ///< [>= rows]: L; of local_blocks, prompt_window and schedule the final K
  IntVector query_lens = {};                  ///< [>= rows]: queries of local_blocks; absent = N each
  IntVector prompt_lens = {};                 ///< [>= rows]: tokens that prompt_window keeps; tokens of the encoder
  IntVector out_cache_loc = {};               ///< slots of draft tokens: [rows, k, T] or [rows, N], row-major
  IntVector full_to_swa = {};                 ///< the table is for SWA layers; absent = for full layers
  Vector<const std::uint8_t> tree_mask = {};  ///< of a verify, line after line: not 0 = sees
};

/// Outputs of one operation, all caller-owned. An expanded row is one row of each.
struct FlashMetadata {
  Vector<std::int32_t> prefix_seqlens = {};  ///< [>= rows], of draft_expand: K of the pass over the prefix
  Vector<std::int32_t> cache_seqlens = {};   ///< [expanded rows]: K
  Vector<std::int32_t> cu_seqlens_q = {};    ///< [expanded rows + 1]
  Vector<std::int32_t> cu_seqlens_k = {};    ///< [expanded rows + 1]
  Matrix<std::int32_t> page_table = {};  ///< [expanded rows, width]: pages, or slots (names_slots); none of schedule
  Vector<std::int32_t> schedule = {};    ///< of schedule: [1 + rows, rounded up to a multiple of 4, or more]
  std::uint32_t* status = nullptr;       ///< bits of Status are ORed in
};

/// Whether the table names slots, one a column, whatever the page size: K counts columns then.
constexpr bool names_slots(FlashOp op) { return op != FlashOp::draft_expand && op != FlashOp::local_blocks; }

/// Whether rows are split by encoder and decoder.
constexpr bool has_encoder(FlashOp op) { return op == FlashOp::encoder_table || op == FlashOp::text_table; }

/// Elements that the schedule of a batch of `rows` rows has at least.
constexpr std::int64_t schedule_size(std::int64_t rows) { return 1 + (rows + 3) / 4 * 4; }

/// Expanded rows that an operation makes of each row; 0 where contents decide.
constexpr std::int64_t members_of(const FlashBatch& batch) {
  switch (batch.op) {
    case FlashOp::draft_expand: return batch.branches;
    case FlashOp::verify_expand:
    case FlashOp::merged_verify: return batch.tokens_per_row;
    case FlashOp::local_blocks: return 0;
    case FlashOp::prompt_window:
    case FlashOp::encoder_table:
    case FlashOp::text_table:
    case FlashOp::schedule: return 1;
  }
  return 0;
}

/// One operation for a builder. Members mean what those of Call do.
struct FlashCall {
  FlashBatch batch;
  FlashMetadata out;
  Region inputs;
  Region image;
  std::uint64_t inputs_generation = 0;
  std::span<const Window> changed;
  std::span<const Window> zone;
  std::uint64_t order = 0;
  bool capture = false;
};

}  // namespace pagestorm
