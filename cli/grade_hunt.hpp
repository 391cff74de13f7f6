#pragma once
// Hunts for a fault: scenario after scenario, until a law is broken; what broke it is shrunk.

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "board.hpp"
#include "pagestorm/fault.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::cli {

/// A case of seed 1, or an edge call, on one of mutant_builders().
struct MutantPlay {
  std::int64_t index = 0;
  std::size_t way = 0;
  bool edge = false;
};

/// One fault to hunt for, on seeds 1, 2, 3 and so on.
struct HuntTask {
  Fault fault = Fault::none;
  std::string builder = "host";
  std::vector<std::string> laws;  ///< never empty
  sim::Generator generator = sim::Generator::boundaries;
  std::int64_t seeds = 1;
  std::int64_t cases = 20'000;  ///< at most, on each seed
  bool shrinks = true;          ///< make what was found small
  int mutant = 0;               ///< instead of a fault: a generated mutant, and the plays that it is looked for in
  std::vector<MutantPlay> plays;
};

/// How the hunt on one seed went.
struct Hunt {
  std::int64_t seed = 0;
  bool found = false;
  bool cut = false;        ///< told to stop before all cases were played
  std::int64_t cases = 0;  ///< played, the one that broke a law included
  double seconds = 0;
  std::string law;  ///< the first in the order of the catalogue
  std::int64_t steps_before = 0;
  std::int64_t steps = 0;  ///< of the shrunk scenario
  std::int64_t tries = 0;
  double shrink_s = 0;
  std::string scenario;  ///< shrunk, as text
};

void to_json(nlohmann::json& json, const Hunt& hunt);
void from_json(const nlohmann::json& json, Hunt& hunt);

/// Hunts on one seed after the other, and tells of each; until the board says stop. The desk's beats grow with each
/// scenario that is played. Throws EnvironmentError when the builder is absent.
void hunt(const HuntTask& task, const Board& board, Desk& desk, const std::function<void(const Hunt&)>& tell);

}  // namespace pagestorm::cli
