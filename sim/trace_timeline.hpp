#pragma once
// What an engine looked like, every so many forward passes.

#include <cstdint>
#include <string>
#include <vector>

#include "pagestorm/mode.hpp"

namespace pagestorm::sim {

/// After one forward pass.
struct TimelineRow {
  double virtual_s = 0;
  std::int64_t step = 0;  ///< of any kind, from 1
  Mode mode = Mode::idle;
  std::int64_t rows = 0;          ///< of the batch, padded rows included
  std::int64_t live = 0;          ///< requests
  std::int64_t waiting = 0;       ///< retracted requests
  std::int64_t free_pages = 0;    ///< of the full pool
  std::int64_t cached_pages = 0;  ///< of the full pool, in the prefix cache
  std::int64_t hit_tokens = 0;    ///< so far
  std::int64_t retractions = 0;   ///< so far
};

class Timeline {
 public:
  static constexpr std::size_t most_rows = 100'000;

  /// Keeps every `every`-th row. With 0, every one as long as there are at most `most`; then every second one, and so on.
  explicit Timeline(std::int64_t every, std::size_t most = most_rows);

  void add(const TimelineRow& row);

  std::int64_t every() const { return every_; }
  const std::vector<TimelineRow>& rows() const { return rows_; }

  /// A line that names the columns, and one for each row.
  std::string csv() const;

 private:
  std::int64_t every_;
  std::size_t most_;  ///< rows, or 0 for any number
  std::int64_t seen_ = 0;
  std::vector<TimelineRow> rows_;
};

}  // namespace pagestorm::sim
