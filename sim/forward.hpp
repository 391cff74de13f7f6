#pragma once
// One forward pass, as the engine's scheduler would describe it: who takes part, how long they are, what they write.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pagestorm/mode.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// Tokens that a verify accepts in the row at `position` of its batch, of N draft tokens: one fewer than the step's
/// amount, the amount, or one more, by turns.
inline std::int64_t accepted_tokens(const Step& step, std::int64_t position, std::int64_t draft_tokens) {
  return std::clamp<std::int64_t>(step.amount + (position + step.who) % 3 - 1, 0, draft_tokens);
}

/// Tokens of a ragged verify in the row at `position` of its batch: 1 to N.
inline std::int64_t ragged_tokens(const Step& step, std::int64_t position, std::int64_t draft_tokens) {
  return 1 + (step.amount + 2 * position + step.who) % draft_tokens;
}

/// One row of a batch.
struct ForwardRow {
  std::int64_t request = -1;      ///< index of a live request; -1 for padding
  std::int64_t owner = 0;         ///< request row that write slots come from; 0 = the sink
  std::int64_t pool_row = 0;      ///< as the device is told
  std::int64_t length = 1;        ///< as the device is told
  std::int64_t new_tokens = 0;    ///< of an extend or a ragged verify
  std::int64_t start = 0;         ///< position that column 0 of the row stands for, a multiple of the page size
  std::int64_t first_write = 0;   ///< position of the first token that the forward writes
  std::int64_t writes = 0;        ///< tokens that it writes
  std::int64_t accepted = 0;      ///< of a verify: how many of them are then accepted
  std::int64_t write_stride = 1;  ///< positions from one of them to the next
  std::int64_t committed = 1;     ///< tokens before this forward, in truth; a padded row has one
  std::int64_t prompt = 0;        ///< tokens that a window of the FlashAttention family keeps
  std::uint64_t tree = 0;         ///< what the tree of a verify is drawn from
  Odd odd = Odd::none;            ///< what the device is told is not what the world holds

  /// The position of its write `j`.
  std::int64_t position(std::int64_t j) const { return first_write + j * write_stride; }
};

struct Forward {
  Mode mode = Mode::idle;
  std::int64_t draft_step = 0;
  std::int64_t tokens_per_row = 1;
  bool has_cached_prefix = true;
  bool writes_target = false;  ///< the target model runs: its pools are written and read
  bool writes_draft = false;   ///< the draft model runs over the same slots
  bool padded = false;         ///< rows were added to reach a captured batch size
  bool captured = false;       ///< the batch has a captured size
  bool cascade = false;        ///< the tables of the pass are those of the prefix alone; expanded rows read the rest
  std::int64_t branches = 0;   ///< of a draft step that has some
  bool tree = false;           ///< what is verified is a tree
  bool extrapolates = false;   ///< write slots are counted on from the first (a fault)
  std::int64_t real_rows = 0;
  std::int64_t written = 0;  ///< tokens of the real rows
  std::vector<ForwardRow> rows;

  /// Whether the device is told how many new tokens each row has.
  bool counts_tokens() const { return mode == Mode::extend || mode == Mode::ragged_verify; }

  std::int64_t write_slots() const {
    std::int64_t total = 0;
    for (const ForwardRow& row : rows) total += row.writes;
    return total;
  }
};

}  // namespace pagestorm::sim
