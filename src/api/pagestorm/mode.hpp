#pragma once
// The kinds of forward pass that need attention metadata.

#include <cstdint>

namespace pagestorm {

/// What the batch is about to do; decides how long each row's cache counts as and how many queries it has
/// (docs/contract.md, "Modes").
enum class Mode : std::uint8_t {
  idle,           ///< a rank without requests: decode with no rows, or with padded rows only
  decode,         ///< one new token a row, already counted in its length
  draft_decode,   ///< draft step i of a speculative loop: the row has i + 1 tokens more than its length
  target_verify,  ///< N draft tokens a row are verified on top of its length
  draft_extend,   ///< N tokens a row, already counted in its length
  extend,         ///< prefill: a different number of new tokens a row, already counted in its length
  ragged_verify,  ///< a different number of draft tokens a row is verified on top of its length
};

inline constexpr int mode_count = 7;

/// Which device operation is asked for.
enum class Entry : std::uint8_t {
  apply,  ///< everything: lengths, cumulative lengths, both tables, SWA write slots
  build,  ///< the tables alone, from lengths that are final
};

}  // namespace pagestorm
