#pragma once
// pagestorm bench cases, steps, engine, rows and time: how much is played and judged a second, on the host and where
// images live on a device.

#include "commands.hpp"

namespace pagestorm::cli {

/// Adds them to the subcommand `bench`.
void add_host_benches(CLI::App& bench, Run& run);

}  // namespace pagestorm::cli
