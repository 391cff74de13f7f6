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

/// One row of a batch.
struct ForwardRow {
  std::int64_t request = -1;     ///< index of a live request; -1 for padding
  std::int64_t owner = 0;        ///< request row of that request
  std::int64_t pool_row = 0;     ///< as the device is told
  std::int64_t length = 1;       ///< as the device is told
  std::int64_t new_tokens = 0;   ///< of an extend
  std::int64_t first_write = 0;  ///< position of the first token that the forward writes
  std::int64_t writes = 0;       ///< tokens that it writes
  Odd odd = Odd::none;           ///< what the device is told is not what the world holds
};

struct Forward {
  Mode mode = Mode::idle;
  std::int64_t draft_step = 0;
  std::int64_t tokens_per_row = 1;
  bool has_cached_prefix = true;
  bool padded = false;  ///< rows were added to reach a captured batch size
  std::int64_t real_rows = 0;
  std::vector<ForwardRow> rows;

  std::int64_t write_slots() const {
    std::int64_t total = 0;
    for (const ForwardRow& row : rows) total += row.writes;
    return total;
  }
};

}  // namespace pagestorm::sim
