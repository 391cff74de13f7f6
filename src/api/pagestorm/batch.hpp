#pragma once
// What goes into the device operations, and what comes out.

#include <cstdint>

#include "pagestorm/mode.hpp"
#include "pagestorm/views.hpp"

namespace pagestorm {

/// Inputs of one forward pass. The shapes, strides and scalars are host values and may be baked into a captured
/// graph; the contents of the views may change until the work runs (docs/contract.md, "Inputs").
struct Batch {
  Mode mode = Mode::decode;
  Entry entry = Entry::apply;
  std::int32_t draft_step = 0;      ///< i of draft_decode, from 0
  std::int32_t tokens_per_row = 1;  ///< N of target_verify and draft_extend
  bool has_cached_prefix = true;    ///< extend: false says that no row has tokens cached before this forward
  std::int32_t page_size = 1;       ///< tokens, 1 to page_size_max, any integer
  std::int64_t rows = 0;            ///< rows of the batch, padded rows included
  Matrix<const std::int32_t> req_to_token =
      {};                           ///< [pool rows, positions]: full-pool slot of a token, negative = absent
  IntVector req_pool_indices = {};  ///< [>= rows]: request row of a batch row
  IntVector seq_lens = {};          ///< [>= rows]: length; for build, the final KV length
  IntVector extend_seq_lens = {};   ///< [>= rows]: new tokens of a row; extend with a cached prefix, ragged_verify
  IntVector out_cache_loc = {};     ///< [n]: full-pool slots written by this forward, row after row
  IntVector full_to_swa = {};       ///< [slots of the full pool]: SWA slot, 0 = none; absent without SWA
};

/// Outputs of one forward pass, all caller-owned (docs/contract.md, "Outputs").
struct Metadata {
  Vector<std::int32_t> cache_seqlens = {};      ///< [>= rows]: KV length K
  Vector<std::int32_t> cu_seqlens_q = {};       ///< [>= rows + 1]: cumulative queries
  Vector<std::int32_t> cu_seqlens_k = {};       ///< [>= rows + 1]: cumulative K
  Matrix<std::int32_t> page_table = {};         ///< [>= rows, width]
  Matrix<std::int32_t> swa_page_table = {};     ///< [>= rows, same width], strides of its own; absent without SWA
  Vector<std::int64_t> swa_out_cache_loc = {};  ///< [m]: SWA write slots, zeros after the n given; absent without SWA
  std::uint32_t* status = nullptr;              ///< bits of Status are ORed in
};

}  // namespace pagestorm
