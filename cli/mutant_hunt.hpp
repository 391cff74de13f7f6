#pragma once
// Hunts for one generated mutant of src/core, where it could be seen.

#include <vector>

#include "grade_hunt.hpp"

namespace pagestorm::cli {

/// Plays cases 0 to `cases` - 1, and four times as many edge calls (sim/edge_calls.hpp), without a mutant on every way through
/// src/core, and finds for each mutant the plays in which its expression would have had another value: at most
/// `plays_a_way` cases and ten times as many edge calls on each way. In all other plays it does what
/// the original does. Element m is for mutant m + 1. Throws EnvironmentError where a law is broken: then nothing can be
/// said of mutants.
std::vector<std::vector<MutantPlay>> survey_cases(const std::vector<std::string>& laws, sim::Generator generator,
                                                  std::int64_t cases);
inline constexpr int plays_a_way = 60;

/// Those of `names` that judge what a builder does. The others say the same of every mutant.
std::vector<std::string> laws_about_builders(const std::vector<std::string>& names);

/// Switches `task.mutant` on and goes through its plays until a law is broken. Before them, shapes that must be refused
/// are tried. The hunt's law is "refusals", "edge_calls" or "no_exception" where it was no law that told; its cases are plays. The
/// process is of no use for anything else afterwards.
void hunt_mutant(const HuntTask& task, const Board& board, Desk& desk, const std::function<void(const Hunt&)>& tell);

}  // namespace pagestorm::cli
