#pragma once
// A continuous-batching scheduler that drives the world with a real trace; every step is judged.

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "player.hpp"
#include "trace_accept.hpp"
#include "trace_plan.hpp"
#include "trace_tally.hpp"
#include "trace_timeline.hpp"

namespace pagestorm::sim {

/// One engine. Requests arrive in virtual time and come in while rows are free and pages suffice; each is prefilled and
/// left to the prefix cache before the next one. They decode together until each has its length. When pages run dry the
/// world retracts the youngest; they come back before anybody new does, and nobody comes in between a retraction and the
/// next request that finishes.
class TraceDrive {
 public:
  /// Starts `player` on a fresh engine. `requests` must be ordered by arrival; they and the player must outlive this.
  /// Throws std::invalid_argument when the engine is none, or a request is larger than a pool.
  TraceDrive(Player& player, std::span<const DriveRequest> requests, const DriveOptions& options);

  /// Lets in who may come in, then runs one speculative loop (or decode) of all live requests. After the last request
  /// everything is given back and judged. Returns false when that is done or a law was violated.
  bool advance();

  /// What the last step broke; empty while all laws hold.
  std::span<const Violation> violations() const { return violations_; }

  const DriveTally& tally() const { return tally_; }
  const Timeline& timeline() const { return timeline_; }

  /// Scenarios that may show the violation again, the smallest first: the failing step on requests of the lengths they
  /// have; the loop that it is in; everything from the start, unless that is longer than a scenario file may be. Families
  /// take the place of prefix blocks there.
  std::vector<Scenario> suspects() const;

 private:
  bool play(const Step& step, const StepDetail& detail = {});
  void follow_retractions();
  void note_step();
  void note_forward();

  bool admit_waiting();
  bool admit_arrived();
  bool has_room(std::int64_t prompt) const;
  bool admit(const DriveRequest& request);
  bool arrive(const DriveRequest& request);
  bool start_youngest();

  bool speculate();
  bool verify();
  bool finish_done();
  bool evict();
  bool settle();
  void mark();

  const World& world() const { return player_.world(); }

  Player& player_;
  std::span<const DriveRequest> requests_;
  DriveOptions options_;
  Config config_;
  AcceptDraw accept_;
  Timeline timeline_;
  std::size_t next_ = 0;             ///< the first request that has not come in
  std::vector<std::size_t> live_;    ///< in the order of the world's live requests
  std::deque<std::size_t> waiting_;  ///< in the order of the world's
  bool held_back_ = false;           ///< nobody comes in until a request has finished
  bool applied_ = false;             ///< whether the last step was
  bool settled_ = false;
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
