#pragma once
// What a shrink may cost in processes of a builder, and in time.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "law.hpp"
#include "player.hpp"

namespace pagestorm::sim {

/// Whether whoever breaks this law ends a process, or has to be ended: another one must be started.
inline bool costs_a_process(std::string_view law) { return law == does_not_crash || law == ends_in_time; }

/// Counts candidates that ended a process, each of which costs another one, and those that hung, each of which costs a
/// wait. Where the failure itself is of that kind, time counts, too, from the first such candidate on: a process can be slow
/// to start. When there was enough, a shrink should take what it has.
class Patience {
 public:
  /// For a failure of `law`. Without a clock time does not count.
  explicit Patience(std::string_view law, Clock clock = nullptr)
      : clock_(costs_a_process(law) ? clock : nullptr), seconds_(law == ends_in_time ? 4 : 7) {}

  bool is_over() const { return !why_over().empty(); }

  /// What there was enough of, as "12 candidates that hung"; empty while there was not.
  std::string why_over() const {
    if (hangs_ >= hangs_most) return std::to_string(hangs_) + " candidates that hung";
    if (crashes_ >= crashes_most) return std::to_string(crashes_) + " candidates that crashed";
    const bool late = clock_ && hangs_ + crashes_ > 0 && clock_() - start_ >= seconds_ * 1'000'000'000;
    return late ? std::to_string(seconds_) + " s" : "";
  }

  /// What a candidate came to.
  void note(std::span<const Violation> met) {
    if (met.empty() || !costs_a_process(met.front().law)) return;
    if (clock_ && hangs_ + crashes_ == 0) start_ = clock_();
    ++(met.front().law == ends_in_time ? hangs_ : crashes_);
  }

 private:
  static constexpr int hangs_most = 15;
  static constexpr int crashes_most = 80;

  Clock clock_;
  std::uint64_t seconds_;  ///< fewer after a hang, which took its time already
  std::uint64_t start_ = 0;
  int hangs_ = 0;
  int crashes_ = 0;
};

}  // namespace pagestorm::sim
