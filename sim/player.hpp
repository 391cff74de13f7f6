#pragma once
// Plays scenarios against a builder and judges each step.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "coverage.hpp"
#include "excuse.hpp"
#include "flash/stand.hpp"
#include "law.hpp"
#include "pass_stand.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// What one law did so far.
struct LawTally {
  std::int64_t cases = 0;  ///< scenarios in which it judged something
  std::int64_t steps = 0;  ///< forward passes judged, or steps where the law is about the engine
  std::int64_t rows = 0;   ///< batch rows judged, or live requests where the law is about the engine
  std::int64_t violated = 0;
  std::uint64_t nanoseconds = 0;  ///< 0 without a clock
};

/// Nanoseconds of a monotonic clock; the simulator has none of its own.
using Clock = std::uint64_t (*)();

/// What BuilderFailed breaks. These laws are in no catalogue: every call that is judged needs them.
inline constexpr std::string_view does_not_crash = "does_not_crash";
inline constexpr std::string_view ends_in_time = "ends_in_time";
inline constexpr std::string_view takes_what_it_promised = "takes_what_it_promised";

/// Whether a law is one of those three.
bool is_about_failing(std::string_view law);

/// A builder, laws, and the memory that they share. Reuse one for many scenarios: nothing is allocated twice, and no
/// scenario sees what an earlier one left.
class Player {
 public:
  /// `peer` may be null; all must outlive the player.
  Player(Builder& builder, Builder* peer, std::span<const std::unique_ptr<Law>> laws, Clock clock = nullptr);

  /// Bends the engine from the next scenario on, when the fault is one of the engine's.
  void bend(Fault fault) { fault_ = fault; }

  /// From now on one of the laws that run the builder again judges each pass, drawn by the scenario and the step, instead of
  /// all that apply. For builders whose runs cost far more than judging.
  void draw_reruns(bool on) { draws_reruns_ = on; }

  /// Starts a scenario. Throws std::runtime_error when memory cannot be reserved.
  void start(const Config& config);

  /// Applies one step; the violations of all laws that it breaks, in the order of the laws.
  std::span<const Violation> step(const Step& step, const StepDetail& detail = {});

  /// Lets everybody finish, and judges what is left.
  std::span<const Violation> settle();

  /// Plays a scenario from the start to its end or to the first step that breaks a law.
  std::span<const Violation> perform(const Scenario& scenario);

  /// The same, and settles it.
  std::span<const Violation> play(const Scenario& scenario);

  const World& world() const { return pass_.world; }
  std::span<const LawTally> tallies() const { return tallies_; }
  const Coverage& coverage() const { return coverage_; }

  const Promise& promise() const { return pass_.capabilities.promise; }

  /// What the builder declared to be excused from, and how often that mattered; cases are not counted here.
  const Excuses& declared() const { return declared_; }
  const ExcuseTally& excuses() const { return excuses_; }

  /// Nanoseconds in the builder for the two runs that all laws share.
  std::uint64_t shared_nanoseconds() const { return shared_nanoseconds_; }

 private:
  void inspect();
  bool is_given();
  void pass_over();
  void run_both();
  void put_write_slots();
  void judge();
  std::optional<std::size_t> drawn_rerun() const;
  void judge_family();
  void count(std::size_t law, std::int64_t rows);
  void note_time(std::size_t law, std::uint64_t& before);
  void blame(std::size_t law, Violation violation);
  void failed(const BuilderFailed& error);
  bool synced_in_capture(const SyncInCapture& error);

  std::span<const std::unique_ptr<Law>> laws_;
  Clock clock_;
  Fault fault_ = Fault::none;
  bool draws_reruns_ = false;
  Excuses declared_;
  std::optional<Excuse> misfit_;  ///< of this scenario
  ExcuseTally excuses_;
  PassStand pass_;
  FlashStand flash_;
  std::int64_t step_ = 0;
  std::vector<Violation> violations_;
  std::vector<LawTally> tallies_;
  std::vector<bool> judged_this_case_;
  Coverage coverage_;
  std::uint64_t shared_nanoseconds_ = 0;
};

}  // namespace pagestorm::sim
