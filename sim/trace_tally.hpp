#pragma once
// What the engines of a trace did, in figures.

#include <array>
#include <cstdint>
#include <vector>

#include "coverage.hpp"

namespace pagestorm::sim {

/// What one engine, or several, did.
struct DriveTally {
  static constexpr std::int64_t share_parts = 10'000;

  std::int64_t requests = 0;  ///< finished
  std::int64_t steps = 0;     ///< of any kind
  std::int64_t forwards = 0;  ///< forward passes, all judged
  std::int64_t rows = 0;      ///< of them, padded rows included
  std::int64_t cells = 0;     ///< live cells of their tables
  std::array<std::int64_t, mode_count> mode_steps{};
  std::array<std::int64_t, mode_count> mode_rows{};  ///< without padded rows
  std::int64_t prefilled = 0;                        ///< tokens, what was retracted once more included
  std::int64_t accepted = 0;                         ///< tokens, over `verified` rows of verify passes
  std::int64_t verified = 0;

  std::int64_t prompt_tokens = 0;  ///< of requests that came in
  std::int64_t hit_tokens = 0;     ///< of them, those that the prefix cache had
  std::int64_t prompt_blocks = 0;  ///< prefix blocks of the same requests
  std::int64_t hit_blocks = 0;     ///< of them, those that the prefix cache had as a whole
  std::int64_t retractions = 0;
  std::int64_t readmissions = 0;
  std::int64_t reclaimed = 0;     ///< full pages that the prefix cache gave back
  std::int64_t tombstones = 0;    ///< SWA pages that it gave back, keeping the full ones
  std::int64_t window_freed = 0;  ///< SWA pages that left the window of a request

  std::int64_t rows_peak = 0;     ///< live requests of an engine, at most
  std::int64_t pages_peak = 0;    ///< pages of an engine's full pool that are not free, at most
  std::int64_t pages_sum = 0;     ///< the same, over forward passes
  std::int64_t running_peak = 0;  ///< cells of one table that are live, at most
  std::int64_t running_sum = 0;   ///< the same, over forward passes
  double virtual_s = 0;           ///< of the engine that took longest
  std::vector<std::int64_t> live_share = std::vector<std::int64_t>(share_parts + 1);  ///< forwards by parts of the
                                                                                      ///< static table that are live
  /// Share of the cells of a static table that are live, at the median forward pass.
  double median_live_share() const;

  /// Tokens accepted a row and verify; 0 without any.
  double mean_accepted() const;

  /// Of an engine, at the mean forward pass: pages that are not free, and live cells of a table.
  double mean_pages() const;
  double mean_running() const;

  DriveTally& operator+=(const DriveTally& other);
};

}  // namespace pagestorm::sim
