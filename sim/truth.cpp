#include "truth.hpp"

#include <algorithm>
#include <cstring>

namespace pagestorm::sim {

void Truth::lay_out(const Config& config) {
  changed_.clear();
  owned_ = {};
  if (!config.swa) return;
  const std::int64_t columns = (config.columns() + config.page_size - 1) / config.page_size;
  owned_ = {.rows = config.requests + 1, .cols = columns, .row_stride = columns, .col_stride = 1};
  memory_.reserve(0, owned_.rows * owned_.row_stride * 4);
  owned_.data = reinterpret_cast<const std::int32_t*>(memory_.base());
  known_.assign(static_cast<std::size_t>(owned_.rows), 0);
}

// Only cells that differ are sent: between two passes of a request few do.
std::int64_t Truth::note(const Request& request) {
  cells_.assign(request.swa_pages.begin(), request.swa_pages.end());
  for (const std::int64_t column : request.punctured) {
    std::int32_t& cell = cells_[static_cast<std::size_t>(column)];
    cell = punctured(cell);
  }
  auto* row = reinterpret_cast<std::int32_t*>(memory_.base()) + request.row * owned_.row_stride;
  auto& known = known_[static_cast<std::size_t>(request.row)];
  const auto size = static_cast<std::int64_t>(cells_.size());
  const std::int64_t common = std::min(known, size);
  std::int64_t first = common;
  if (common > 0 && std::memcmp(cells_.data(), row, static_cast<std::size_t>(common) * 4) != 0)
    first = std::mismatch(cells_.begin(), cells_.begin() + common, row).second - row;
  known = std::max(known, size);
  if (first == size) return request.row;
  std::memcpy(row + first, cells_.data() + first, static_cast<std::size_t>(size - first) * 4);
  changed_.push_back({(request.row * owned_.row_stride + first) * 4, (size - first) * 4});
  return request.row;
}

}  // namespace pagestorm::sim
