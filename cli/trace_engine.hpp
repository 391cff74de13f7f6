#pragma once
// One engine of a trace, as it runs in its own process.

#include <cstddef>

#include "child.hpp"
#include "trace_run.hpp"

namespace pagestorm::cli {

/// Drives the engine's share of the plan. Says lines of JSON: {"progress": ...} every now and then, {"violated": law}
/// as soon as a law is, {"at_once": lines} for people, and at the end {"result": ..., "tally": ...}. Never throws: what the environment refuses is in
/// the result.
void drive_engine(const TraceTask& task, const sim::DrivePlan& plan, std::size_t engine, const Child::Say& say);

}  // namespace pagestorm::cli
