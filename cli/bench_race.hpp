#pragma once
// The same work in processes that share nothing, against the clock.

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace pagestorm::cli {

/// Work to time. `start` is called in the process that does it, with a number that no other has; what it returns does
/// some of the work each time, and returns how much.
struct Work {
  std::string name;  ///< of one unit
  std::function<std::function<std::int64_t()>(std::uint64_t process)> start;
};

/// How long and how often to measure.
struct Race {
  double seconds = 0.5;
  int repeats = 5;
  int jobs = 1;  ///< processes
};

/// The median over all repeats, and those furthest from it.
struct Rate {
  double median = 0;
  double least = 0;
  double most = 0;
};

/// What a race showed.
struct Pace {
  std::string name;
  int jobs = 1;
  Rate a_second;         ///< units of all processes together, by the clock on the wall
  Rate cpu_nanoseconds;  ///< of one unit
};

/// Throws EnvironmentError when a process ends without a result.
Pace run_race(const Work& work, const Race& race);

void to_json(nlohmann::json& json, const Pace& pace);

}  // namespace pagestorm::cli
