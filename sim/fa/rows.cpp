#include "rows.hpp"

#include <numeric>

#include "require.hpp"

namespace pagestorm::sim::fa {

std::vector<std::int64_t> cu_seqlens(std::span<const std::int64_t> lengths) {
  std::vector<std::int64_t> sums = {0};
  for (const std::int64_t length : lengths) {
    require(length >= 0, "length of row {} must be 0 or more, is {}", sums.size() - 1, length);
    sums.push_back(sums.back() + length);
  }
  return sums;
}

std::vector<std::int64_t> one_query_each(std::int64_t rows) {
  require(rows >= 0, "there must be 0 or more rows, not {}", rows);
  std::vector<std::int64_t> sums(static_cast<std::size_t>(rows) + 1);
  std::iota(sums.begin(), sums.end(), std::int64_t{0});
  return sums;
}

}  // namespace pagestorm::sim::fa
