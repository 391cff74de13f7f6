#pragma once
// What a run reached: a green run that never met the interesting cases says so.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "flash/asks.hpp"
#include "scenario.hpp"
#include "world.hpp"

namespace pagestorm::sim {

/// Classes of steps that a run should meet; the first ones are of forward passes.
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
  mixed,             ///< an extend in which somebody decodes
  behind,            ///< a verify or draft of a request of which the host knows less than the device
  shared_prefix,     ///< a row that has pages from the prefix cache
  ragged_padded,     ///< a ragged verify with padded rows
  compact_row,       ///< a block draft over a row of its own
  overlapped,        ///< a pass that is launched while others may be under way
  planned,           ///< whose tables are built on a stream of their own
  // of steps without a batch, too
  retracted,     ///< a request gave everything back to wait
  readmitted,    ///< and came back
  deduplicated,  ///< the prefix cache had a page already
  tombstoned,    ///< it gave an SWA page back, and kept the full one
  recovered,     ///< a tombstone got an SWA page again
  reclaimed,     ///< it gave a full page back
};

inline constexpr int class_count = 31;

std::string_view name_of(Class which);

/// Counts over all scenarios of a run.
class Coverage {
 public:
  void start(const Config& config);
  void note(const Step& step, Outcome outcome, const World& world);

  /// An operation of the FlashAttention family that a pass asks for; `tried`: the builder has it.
  void note_ask(const Ask& ask, const Config& config, bool tried);
  Coverage& operator+=(const Coverage& other);

  /// Names of the step kinds and classes that no scenario met.
  std::vector<std::string_view> missed() const;

  /// Operations of the FlashAttention family at each of top-k 1, 2, 4 and 8 that no pass asked for: "draft_expand at 4".
  std::vector<std::string> missed_asks() const;

  std::int64_t scenarios = 0;
  std::int64_t steps = 0;
  std::int64_t no_ops = 0;
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  std::array<std::int64_t, mode_count> modes{};
  std::array<std::int64_t, step_kind_count> kinds{};
  std::array<std::array<std::int64_t, 9>, flash_op_count> asks{};  ///< by operation and top-k, 1 to 8
  std::int64_t asks_not_tried = 0;                                 ///< of builders that lack the family
  std::array<std::int64_t, class_count> classes{};                 ///< steps
  std::array<std::int64_t, class_count> cases{};                   ///< scenarios that met the class
  std::map<std::int64_t, std::int64_t> page_sizes;                 ///< scenarios
  std::int64_t pages_peak = 0;                                     ///< live pages of the full pool, at most

 private:
  void mark(Class which, bool met);
  void note_batch(const Step& step, const World& world);
  void note_tally(const WorldTally& tally);

  Timing timing_;  ///< of this scenario; a world that is judged on a device does not overlap itself
  std::int64_t last_bucket_ = 0;
  std::array<bool, class_count> met_{};  ///< in this scenario
  WorldTally last_tally_;
};

}  // namespace pagestorm::sim
