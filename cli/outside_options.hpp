#pragma once
// What outside builders may use up, as options of the commands that start them.

#include <string>
#include <vector>

#include "pagestorm/outside_builder.hpp"

namespace CLI {
class App;
}

namespace pagestorm::cli {

/// Limits as typed; empty where they were not.
struct LimitsText {
  std::string start_time, call_work, call_time, memory;
};

/// Limits that were asked for.
struct AskedLimits {
  OutsideLimits limits;
  std::string typed;  ///< " --call-time 20s", as it stands in a command; empty when nothing was typed
};

/// Adds them to a subcommand, as a group of their own.
void add_limit_options(CLI::App& command, LimitsText& text);

/// Understands them. Throws UsageError for what is out of range, and for limits where no builder is an outside one.
AskedLimits limits_of(const LimitsText& text, const std::vector<std::string>& builders);

}  // namespace pagestorm::cli
