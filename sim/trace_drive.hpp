#pragma once
// A continuous-batching scheduler that drives the world with a real trace; every forward pass is judged.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "player.hpp"
#include "trace_accept.hpp"
#include "trace_plan.hpp"

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
  std::int64_t prefilled = 0;                        ///< tokens
  std::int64_t accepted = 0;                         ///< tokens, over `verified` rows of verify passes
  std::int64_t verified = 0;
  std::int64_t rows_peak = 0;   ///< live requests of an engine, at most
  std::int64_t pages_peak = 0;  ///< live pages of an engine, at most
  double virtual_s = 0;         ///< of the engine that took longest
  std::vector<std::int64_t> live_share = std::vector<std::int64_t>(share_parts + 1);  ///< forwards by parts of the
                                                                                      ///< static table that are live
  /// Share of the cells of a static table that are live, at the median forward pass.
  double median_live_share() const;

  /// Tokens accepted a row and verify; 0 without any.
  double mean_accepted() const;

  DriveTally& operator+=(const DriveTally& other);
};

/// One engine: requests arrive in virtual time, are admitted while rows are free and pages suffice, are prefilled one
/// after another, and then decode together until each has its length.
class TraceDrive {
 public:
  /// Starts `player` on a fresh engine. `requests` must be ordered by arrival; they and the player must outlive this.
  TraceDrive(Player& player, std::span<const DriveRequest> requests, const DriveOptions& options);

  /// Admits who has arrived, then runs one speculative loop (or decode) of all live requests. Returns false when every
  /// request has finished or a law was violated.
  bool advance();

  /// What the last step broke; empty while all laws hold.
  std::span<const Violation> violations() const { return violations_; }

  const DriveTally& tally() const { return tally_; }

  /// Scenarios that may show the violation again, the smallest first: the failing step on requests of the lengths they
  /// have; the loop that it is in; everything from the start, unless that is longer than a scenario file may be.
  std::vector<Scenario> suspects() const;

 private:
  bool play(const Step& step);
  void note_forward();
  bool admit_arrived();
  bool admit(const DriveRequest& request);
  bool prefill(const DriveRequest& request);
  bool speculate();
  bool finish_done();
  bool evict();
  void mark();
  std::int64_t pages_of(const DriveRequest& request) const;

  Player& player_;
  std::span<const DriveRequest> requests_;
  DriveOptions options_;
  Config config_;
  AcceptDraw accept_;
  std::size_t next_ = 0;           ///< the first request that was not admitted
  std::vector<std::size_t> live_;  ///< in the order of the world's live requests
  std::int64_t reserved_ = 0;      ///< pages that the live requests may come to need
  double now_ = 0;
  std::int64_t loops_ = 0;
  std::span<const Violation> violations_;
  DriveTally tally_;

  std::vector<std::int64_t> before_step_;  ///< lengths before the last step
  std::vector<std::int64_t> at_mark_;      ///< lengths when the current loop began
  std::vector<Step> since_mark_;
  std::vector<Step> since_start_;  ///< as long as it fits a file
};

}  // namespace pagestorm::sim
