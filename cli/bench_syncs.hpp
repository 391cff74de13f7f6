#pragma once
// What a step asks of the device: host syncs and allocations, observed.

#include "commands.hpp"

namespace pagestorm::cli {

/// Adds `bench syncs`. It exits with 1 when a path that is declared free of syncs is seen to make one, or to allocate.
void add_sync_bench(CLI::App& bench, Run& run);

}  // namespace pagestorm::cli
