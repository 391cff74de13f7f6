#pragma once
// From a scenario to a verdict that a person can act on: played, shrunk, saved and explained.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pagestorm/builder.hpp"
#include "sim/law.hpp"
#include "sim/player.hpp"
#include "sim/scenario.hpp"

namespace pagestorm::props {

using Laws = std::vector<std::unique_ptr<sim::Law>>;

/// The law of that name, alone. Throws std::invalid_argument for a name that the catalogue does not have.
Laws law_alone(std::string_view name);

/// A builder and the laws that judge it. Make one and try many scenarios: memory is kept between them.
class Trial {
 public:
  /// `sound` builds the peer, which every builder but the first has; null = none.
  Trial(const BuilderEntry& entry, Fault fault, Laws laws, const BuilderEntry* sound = nullptr);

  /// The first violation of the scenario's first step that breaks a law.
  std::optional<sim::Violation> play(const sim::Scenario& scenario);

  /// The smallest scenario found that breaks `law` before any other. `scenario` must.
  sim::Scenario shrink(const sim::Scenario& scenario, std::string_view law);

  /// What a file should say about a scenario that broke `law` here.
  sim::Finding finding(std::string_view law, const sim::Scenario& scenario) const;

  const sim::Player& player() const { return *player_; }

 private:
  std::string builder_name_;
  Fault fault_;
  std::unique_ptr<Builder> builder_, peer_;
  Laws laws_;
  std::unique_ptr<sim::Player> player_;
};

/// What there is to say about a scenario that broke a law.
struct Told {
  sim::Finding finding;  ///< made small
  bool flaky = false;    ///< the small one, played again, holds
  std::string file;      ///< where it was saved; empty = nowhere
  std::string text;      ///< for people, without a command that replays it
};

/// Nothing when the scenario holds. Otherwise it is made small, and saved into `folder` unless that is empty. A folder that
/// cannot be written to is part of what is told.
std::optional<Told> tell(Trial& trial, const sim::Scenario& scenario, const std::string& folder);

/// Nothing when the scenario holds. Otherwise what happened, after shrinking and saving into `folder`, with the command
/// that replays it. A folder that cannot be written to is part of what happened.
std::optional<std::string> verdict(Trial& trial, const sim::Scenario& scenario, const std::string& folder);

/// "failures" in $PAGESTORM_OUT, or where the program runs.
std::string failures_folder();

}  // namespace pagestorm::props
