#pragma once
// Which tokens each query of the FlashAttention family must see, from the world alone: lengths, trees, windows, chunks.

#include <cstdint>
#include <vector>

#include "sim/flash/moment.hpp"

namespace pagestorm::props {

/// The keys of an expanded row, in the order in which attention must meet them. A position is one of the request whose
/// tokens they are; of a branch's copy of the prefix's tail, that of the copy.
struct CausalSet {
  std::int64_t expanded = 0;  ///< row of the outputs
  std::int64_t row = 0;       ///< row of the batch
  std::int64_t queries = 1;
  std::vector<std::int64_t> positions;
  std::vector<std::int64_t> meant;  ///< positions whose tokens they are: other than above for copies alone
};

/// Of every expanded row that stands for a request which the device is told the truth about, in order.
std::vector<CausalSet> causal_sets(const sim::FlashMoment& moment);

}  // namespace pagestorm::props
