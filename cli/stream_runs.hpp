#pragma once
// Runs of queued work under delays, counted: what shows a hazard, and what must show nothing.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "pagestorm/device_streams.hpp"
#include "sim/stream_cases.hpp"

namespace pagestorm::cli {

struct StreamRuns {
  std::int64_t runs = 20;          ///< of each hazard, delayed and stretched by turns
  std::int32_t hold_up_us = 5000;  ///< how long the earlier operation of a hazard is held up
  std::int64_t placements = 1000;  ///< of delays, drawn for each plan that is right
  std::uint64_t seed = 1;
};

/// A plan with a hazard, and the same without it.
struct StreamPair {
  std::string name;
  std::string what;
  sim::Scenario wrong;
  Fault fault = Fault::none;           ///< of `wrong`
  std::optional<sim::Scenario> right;  ///< absent where nobody knows it
};

StreamPair pair_of(const sim::StreamHazard& hazard);

/// What a hazard showed.
struct HazardRuns {
  std::string name;
  std::string seen;              ///< who read what, in the first run that showed it
  std::int64_t shown = 0;        ///< runs in which the hazard's own read saw what it was not meant to
  std::int64_t shown_drawn = 0;  ///< placements drawn as for plans that are right, a tenth as many, in which it did
  std::int64_t shown_right = 0;  ///< runs of the right plan, under the same delays, in which any read did
};

/// What a plan without a hazard showed.
struct PlanRuns {
  std::string name;
  std::int64_t placements = 0;
  std::int64_t odd = 0;    ///< placements under which a read saw what it was not meant to
  std::string seen;        ///< the first of them
  std::uint64_t seed = 0;  ///< of its delays
};

/// Placements that each hazard is run under.
constexpr std::int64_t drawn_for_a_hazard(const StreamRuns& runs) {
  return std::max<std::int64_t>(runs.placements / 10, 1);
}

/// Throws std::invalid_argument where the wrong plan has no hazard that a read can show.
HazardRuns run_hazard(StreamRunner& runner, const StreamPair& pair, const StreamRuns& runs);

PlanRuns run_plan(StreamRunner& runner, std::string name, const sim::StreamScene& scene, const StreamRuns& runs);

/// Scenarios as `check` draws them, all of which overlap and are right, each under ten of the placements.
PlanRuns run_drawn(StreamRunner& runner, const StreamRuns& runs);

/// The report of the hazard, as a law would print it.
std::string explain(const StreamPair& pair);

}  // namespace pagestorm::cli
