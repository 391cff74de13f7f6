#pragma once
// The body that reads as attention does, run on the host: all rows, lane after lane.

#include <ostream>

#include "judge/attention_reads.hpp"

namespace pagestorm::judge {

inline std::ostream& operator<<(std::ostream& out, const FirstMisread& first) {
  return out << "misread " << static_cast<int>(first.what) << " in row " << first.row << " at key " << first.key
             << ", wanted " << first.want << ", got " << first.got;
}

/// What is wrong first in a batch.
inline FirstMisread read_all(const AttentionBatch& in, std::int32_t lanes = 1) {
  FirstMisread first;
  for (std::int64_t row = 0; row < in.rows; ++row)
    for (std::int32_t lane = 0; lane < lanes; ++lane) first.add(read_row(in, row, {lane, lanes}));
  return first;
}

}  // namespace pagestorm::judge
