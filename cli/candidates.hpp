#pragma once
// A failure's scenario again and again, smaller each time, for as long as its builder's processes may be lost over it.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "sim/law.hpp"
#include "sim/patience.hpp"
#include "sim/scenario.hpp"

namespace pagestorm::cli {

/// Plays a candidate from its start to its first broken laws, not counting for the campaign.
using Replay = std::function<std::span<const sim::Violation>(const sim::Scenario&)>;

class Candidates {
 public:
  /// Of a failure of `law`, which was met just now. `replay` must outlive this.
  Candidates(std::string law, const Replay& replay);

  /// Whether one breaks the law. Nothing does any more once there is no patience left.
  bool fails(const sim::Scenario& scenario);

  /// Whether one breaks the law each of `times` times; where that costs processes, fewer will do, but one.
  bool comes_back(const sim::Scenario& scenario, int times);

  /// What there is to say of the smallest one, if nothing else failed after it: its violation, played again where that costs
  /// no process. `before` where it does not fail.
  sim::Violation violation_of(const sim::Scenario& smallest, const sim::Violation& before) const;

  /// A line of an explanation where patience ended before candidates did; empty otherwise.
  std::string cut_short() const;

 private:
  std::string law_;
  const Replay& replay_;
  sim::Patience patience_;
  std::optional<sim::Violation> last_;  ///< of the last candidate that failed, where a process was lost
};

}  // namespace pagestorm::cli
