#pragma once
// A call that every builder must take, for tests that make one thing of it wrong.

#include <cstdint>

#include "pagestorm/batch.hpp"

namespace pagestorm::core {

/// A right call of two rows, in the mode that needs most of its arguments. Only its shapes are looked at.
struct RightShapes {
  std::int32_t cell = 0;
  std::int64_t wide_cell = 0;
  std::uint32_t status = 0;
  Batch in;
  Metadata out;

  RightShapes() {
    const IntVector two{&cell, 2, 1, IntType::int32};
    in = {.mode = Mode::extend,
          .rows = 2,
          .req_to_token = {&cell, 3, 8, 8, 1},
          .req_pool_indices = two,
          .seq_lens = two,
          .extend_seq_lens = two,
          .out_cache_loc = two,
          .full_to_swa = two};
    out = {.cache_seqlens = {&cell, 2},
           .cu_seqlens_q = {&cell, 3},
           .cu_seqlens_k = {&cell, 3},
           .page_table = {&cell, 2, 4, 4, 1},
           .swa_page_table = {&cell, 2, 4, 4, 1},
           .swa_out_cache_loc = {&wide_cell, 2},
           .status = &status};
  }
};

}  // namespace pagestorm::core
