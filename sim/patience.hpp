#pragma once
// How often a shrink may lose a builder's process.

#include <span>

#include "law.hpp"
#include "player.hpp"

namespace pagestorm::sim {

/// Counts candidates that ended a process, each of which costs another one, and those that hung, each of which costs a
/// long wait. When there were enough, a shrink should take what it has.
class Patience {
 public:
  bool is_over() const { return hangs_left_ == 0 || crashes_left_ == 0; }

  /// What a candidate came to.
  void note(std::span<const Violation> met) {
    if (met.empty() || !is_about_failing(met.front().law)) return;
    --(met.front().law == ends_in_time ? hangs_left_ : crashes_left_);
  }

 private:
  int hangs_left_ = 15;
  int crashes_left_ = 150;
};

}  // namespace pagestorm::sim
