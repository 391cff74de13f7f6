#pragma once
// pagestorm bench cases, steps and rows: how much the host plays and judges a second.

#include "commands.hpp"

namespace pagestorm::cli {

/// Adds them to the subcommand `bench`.
void add_host_benches(CLI::App& bench, Run& run);

}  // namespace pagestorm::cli
