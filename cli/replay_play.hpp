#pragma once
// Playing saved scenarios again: what happens in the process that plays.

#include <string>
#include <vector>

#include "child.hpp"
#include "pagestorm/fault.hpp"
#include "pagestorm/outside_builder.hpp"
#include "sim/scenario.hpp"

namespace pagestorm::cli {

/// One file, and what to play it on.
struct ReplayTask {
  std::string file;
  sim::Finding finding;
  std::vector<std::string> builders;  ///< empty = all that are present
  Fault fault = Fault::none;
};

/// What all files are played with.
struct ReplayHow {
  std::vector<std::string> laws;
  bool hash = false;
  OutsideLimits limits = {};
};

/// Plays tasks from number `first` on, in one process, and says for each a line of JSON: the lines to print and the exit code,
/// or the error of the environment. Builders stay set up as long as tasks ask for the same.
void play_tasks(const std::vector<ReplayTask>& tasks, std::size_t first, const ReplayHow& how, const Child::Say& say);

}  // namespace pagestorm::cli
