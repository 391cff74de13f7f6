#pragma once
// A number for all that a run of a scenario came to: two runs of the same scenario must give the same.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/player.hpp"
#include "stand.hpp"

namespace pagestorm::cli {

inline constexpr std::int64_t cases_a_repeat = 50;  ///< one case in so many is played twice more, and compared
inline constexpr std::string_view repeats_itself = "repeats_itself";

/// Plays scenarios on a builder with laws of its own, and hashes the world after every step, both images of every pass
/// where they are judged, and what was violated. FNV-1a over 64-bit words: the same on every compiler and machine, with
/// any right builder, and with any number of workers.
class HashingPlayer {
 public:
  /// `peer` may be null; builder, peer and reading must outlive the player.
  HashingPlayer(Builder& builder, Builder* peer, const std::vector<std::string>& laws, Fault fault,
                const Reading& reading);

  void draw_reruns(bool on) { player_.draw_reruns(on); }

  std::uint64_t hash_of(const sim::Scenario& scenario);

  /// Plays twice. A call that fails ends it, as in any play; where the hashes differ, it is a violation of `repeats_itself`.
  /// `hash` is that of the first run.
  std::optional<sim::Violation> difference(const sim::Scenario& scenario, std::uint64_t& hash);

 private:
  class Hash;
  Builder& builder_;
  Hash* hash_ = nullptr;
  std::vector<std::unique_ptr<sim::Law>> laws_;
  sim::Player player_;
  std::optional<sim::Violation> failed_;  ///< the call that ended the last run
};

}  // namespace pagestorm::cli
