#pragma once
// What a trace showed, for people and for machines.

#include <string>

#include "trace_run.hpp"

namespace pagestorm::cli {

/// The trace, modes, memory, and what was judged; up to eight lines.
std::string print_trace(const TraceTask& task, const sim::DrivePlan& plan, const TraceResult& result);

/// The violation; its file and the replay command are the last two lines.
std::string print_trace_failure(const TraceTask& task, const TraceResult& result);

/// Every figure, for plotting.
std::string print_trace_json(const TraceTask& task, const sim::DrivePlan& plan, const TraceResult& result,
                             int exit_code);

}  // namespace pagestorm::cli
