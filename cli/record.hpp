#pragma once
// What a worker does with a case that breaks a law: play it again, shrink it, save it, report it.

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "board.hpp"
#include "candidates.hpp"
#include "clock.hpp"
#include "options.hpp"
#include "run_up.hpp"
#include "sim/law.hpp"
#include "worker.hpp"

namespace pagestorm::cli {

/// A case that broke a law.
struct Broken {
  const sim::Scenario& scenario;
  const sim::Violation& violation;
  std::int64_t index = 0;         ///< of the case
  std::string spec;               ///< what its builder was asked for by
  std::string clause = {};        ///< of the contract, where that is known
  const RunUp* run_up = nullptr;  ///< what its builder's process did before, where that can be played again
};

class Recorder {
 public:
  /// All must outlive this.
  Recorder(const Campaign& campaign, Desk& desk, const OnFailure& on_failure)
      : campaign_(campaign), desk_(desk), on_failure_(on_failure) {}

  /// Whether there was no more than a number of failures of this law on this builder yet, this one counted. A builder that
  /// fails everywhere would be shrunk all night: after so many, failures are only counted.
  bool is_worth_it(const sim::Violation& violation);

  /// Reports a failure, flaky where `replay` does not find it again each time, and otherwise as small as `replay` lets it be.
  /// A call that failed is saved as it is and told first, and so is what shrinks slowly; then, in the place of it, what it
  /// shrinks to.
  void record(const Broken& broken, const Replay& replay);

 private:
  void look_back(Failure& failure, const Broken& broken, const sim::Scenario& scenario) const;
  std::string make_smaller(Failure& failure, sim::Scenario& scenario, Candidates& candidates) const;
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
