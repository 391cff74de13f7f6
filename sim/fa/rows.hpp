#pragma once
// What the results of this room are made of: rows, and running sums of lengths.

#include <cstdint>
#include <span>
#include <vector>

namespace pagestorm::sim::fa {

/// A table by rows; each holds the cells that are defined and no more.
using Rows = std::vector<std::vector<std::int32_t>>;

/// `cu_seqlens` of the lengths, [n + 1]: element 0 is 0, element i + 1 the sum of lengths 0 to i (docs/contract.md,
/// "Cumulative lengths"; nothing saturates here). Throws std::invalid_argument on a negative length.
std::vector<std::int64_t> cu_seqlens(std::span<const std::int64_t> lengths);

/// `cu_seqlens_q` of `rows` rows with one query each: 0, 1, 2, … up to `rows`, 0 or more.
std::vector<std::int64_t> one_query_each(std::int64_t rows);

}  // namespace pagestorm::sim::fa
