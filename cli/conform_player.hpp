#pragma once
// Plays scenarios to their end, and says which clauses of the contract they break.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "props/conform/clause_judge.hpp"
#include "sim/player.hpp"

namespace pagestorm::cli {

/// The clause that a builder breaks which did not come back from a call.
props::Breach failed(const BuilderFailed& error);

/// A violation that no scenario leads to, in lines for people.
std::string explained(const sim::Violation& violation);

/// A builder, and a player that goes on after a violation.
class ClausePlayer {
 public:
  /// `counts` gets what each pass tries, and may be null; `builder`, `peer` and `counts` must outlive this.
  ClausePlayer(Builder& builder, Builder* peer, const std::vector<std::string>& laws, Fault fault,
               props::ClauseTally* counts);

  /// The clauses that a scenario breaks, each at the first step that does.
  std::vector<props::Breach> play(const sim::Scenario& scenario);

  const sim::Player& player() const { return *player_; }

  /// Those that judge.
  std::span<const std::unique_ptr<sim::Law>> laws() const { return std::span(laws_).first(laws_.size() - 1); }

 private:
  class Witness;

  std::vector<props::Breach> breaches_in(std::span<const sim::Violation> violations, bool broken_before);
  void add(std::vector<props::Breach>& found, props::Breach breach, std::int64_t step) const;

  Builder& builder_;
  std::vector<std::unique_ptr<sim::Law>> laws_;
  Witness* witness_ = nullptr;
  std::unique_ptr<sim::Player> player_;
};

}  // namespace pagestorm::cli
