#pragma once
// What a run reached: a green run that never met the interesting cases says so.

#include <array>
#include <cstdint>
#include <map>

#include "scenario.hpp"
#include "world.hpp"

namespace pagestorm::sim {

/// Classes of forward passes and steps that a run should meet.
enum class Class : std::uint8_t {
  page_boundary,     ///< a length that is 0 or +-1 modulo the page size
  context_limit,     ///< a length from N tokens before the context limit on
  past_width,        ///< a row that needs more pages than the table is wide
  padded,            ///< padded rows
  batch_empty,       ///< no rows at all
  batch_one,         ///< one row
  batch_odd,         ///< an odd number of rows above 1
  batch_full,        ///< every request row takes part
  bucket_shrinks,    ///< a captured batch size after a larger one
  no_cached_prefix,  ///< an extend without any cached prefix
  all_accepted,      ///< a verify that accepts every draft token somewhere
  none_accepted,     ///< a verify that accepts none somewhere
  window_evicted,    ///< a row whose first pages have left the window
  absent_slot,       ///< a row with a punctured page
  odd_row,           ///< a row that the world was not told about
  far_offset,        ///< a layout with offsets past 2^31 elements
  strided,           ///< a layout with an inner stride above 1
  width_zero,        ///< a table without columns
};

inline constexpr int class_count = 18;

std::string_view name_of(Class which);

/// Counts over all scenarios of a run.
class Coverage {
 public:
  void start(const Config& config);
  void note(const Step& step, Outcome outcome, const World& world);
  Coverage& operator+=(const Coverage& other);

  std::int64_t scenarios = 0;
  std::int64_t steps = 0;
  std::int64_t no_ops = 0;
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  std::array<std::int64_t, mode_count> modes{};
  std::array<std::int64_t, step_kind_count> kinds{};
  std::array<std::int64_t, class_count> classes{};  ///< forward passes
  std::map<std::int64_t, std::int64_t> page_sizes;  ///< scenarios
  std::int64_t pages_peak = 0;                      ///< live pages of the full pool, at most

 private:
  void note_batch(const Step& step, const World& world);

  std::int64_t last_bucket_ = 0;
};

}  // namespace pagestorm::sim
