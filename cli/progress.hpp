#pragma once
// One line on stderr that says how a campaign goes.

#include <unistd.h>

#include <cstdint>
#include <string>

#include "board.hpp"
#include "options.hpp"

namespace pagestorm::cli {

/// Refreshes in place on a terminal; elsewhere a plain line every ten seconds.
class Progress {
 public:
  explicit Progress(const Campaign& campaign) : campaign_(campaign), terminal_(isatty(STDERR_FILENO) == 1) {}

  void show(Board& board, double elapsed_s, std::int64_t failures);

  /// Prints lines of their own, above the one that is refreshed.
  void say(const std::string& lines);

  /// Removes the line from a terminal.
  void end() const;

 private:
  const Campaign& campaign_;
  bool terminal_;
  double next_s_ = terminal_ ? 0.2 : 10;
  bool shown_ = false;
};

}  // namespace pagestorm::cli
