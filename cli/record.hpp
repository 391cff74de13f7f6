#pragma once
// What a worker does with a case that breaks a law: play it again, shrink it, save it, report it.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>

#include "board.hpp"
#include "clock.hpp"
#include "options.hpp"
#include "sim/law.hpp"
#include "worker.hpp"

namespace pagestorm::cli {

/// A case that broke a law.
struct Broken {
  const sim::Scenario& scenario;
  const sim::Violation& violation;
  std::int64_t index = 0;  ///< of the case
  std::string spec;        ///< what its builder was asked for by
};

/// Plays a candidate from its start to its first broken laws, not counting for the campaign.
using Replay = std::function<std::span<const sim::Violation>(const sim::Scenario&)>;

class Recorder {
 public:
  Recorder(const Campaign& campaign, Desk& desk, const OnFailure& on_failure)
      : campaign_(campaign), desk_(desk), on_failure_(on_failure) {}

  /// Whether there was no more than a number of failures of this law on this builder yet, this one counted. A builder that
  /// fails everywhere would be shrunk all night: after so many, failures are only counted.
  bool is_worth_it(const sim::Violation& violation);

  /// Reports a failure, flaky where `replay` does not find it again each time, and otherwise as small as `replay` lets it be.
  /// What ended a process or its patience is saved as it is first, and then in the place of it what it shrinks to.
  void record(const Broken& broken, const Replay& replay);

 private:
  sim::Finding finding_of(const Failure& failure, const Broken& broken, const sim::Scenario& scenario) const;
  void save(Failure& failure, const sim::Finding& finding);

  const Campaign& campaign_;
  Desk& desk_;
  const OnFailure& on_failure_;
  std::map<std::string, std::int64_t> seen_;  ///< failures by law and builder
  std::set<std::string> minima_;              ///< distinct ones
  std::uint64_t started_ = nanoseconds_now();
};

}  // namespace pagestorm::cli
