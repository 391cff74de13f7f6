#pragma once
// A short scenario in which an overlapped engine can go wrong in every way that a delay can show, by name.

#include <optional>
#include <span>
#include <string_view>

#include "inputs.hpp"
#include "overlap.hpp"
#include "scenario.hpp"
#include "world.hpp"

namespace pagestorm::sim {

/// One way to go wrong, and the same plan without it.
struct StreamHazard {
  std::string_view name;
  std::string_view what;
  Timing wrong = {};
  Fault fault = Fault::none;         ///< bends `wrong`; none where the timing itself is what is wrong
  std::optional<Timing> right = {};  ///< absent: `wrong` without the fault
  bool swa = true;
};

/// One plan that is free of hazards.
struct RightPlan {
  std::string_view name;
  Timing timing = {};
};

/// Each has a hazard in stream_scenario(), one of a read and a write.
std::span<const StreamHazard> stream_hazards();

/// None has one in any scenario.
std::span<const RightPlan> right_plans();

/// Verifies and draft extends of one request, an eviction, its end, and another request in its row.
Scenario stream_scenario(const Timing& timing, bool swa = true);

/// A scenario that was played, and what was queued. Not to be moved: the world looks at its inputs.
class StreamScene {
 public:
  explicit StreamScene(const Scenario& scenario, Fault fault = Fault::none);

  const time::Queue& queue() const { return world_.overlap()->plan().queue(); }

  /// The first hazard that a read can show.
  const std::optional<time::Hazard>& hazard() const { return hazard_; }

 private:
  Inputs inputs_;
  World world_;
  std::optional<time::Hazard> hazard_;
};

}  // namespace pagestorm::sim
