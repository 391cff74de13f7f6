#pragma once
// A trace driven by several engines, each in a process of its own.

#include <cstddef>
#include <string>
#include <vector>

#include "outside_options.hpp"
#include "pagestorm/fault.hpp"
#include "result.hpp"
#include "sim/trace.hpp"
#include "sim/trace_drive.hpp"
#include "sim/trace_plan.hpp"

namespace pagestorm::cli {

/// What `pagestorm trace` is asked to do.
struct TraceTask {
  std::string file;
  sim::TraceFormat format = sim::TraceFormat::mooncake;
  sim::DriveOptions options;
  std::string builder = "host";
  std::vector<std::string> laws;
  Fault fault = Fault::none;
  std::size_t jobs = 1;
  std::string out = "failures";
  std::string accept_from;  ///< file, or empty
  std::string timeline;     ///< file, or empty
  std::string json;         ///< file, or empty
  AskedLimits outside;      ///< of an outside builder
};

/// What the engines did together.
struct TraceResult {
  Result verdict;  ///< laws, failures (Failure::case_index is the engine), coverage
  sim::DriveTally tally;
  std::vector<std::int64_t> engine_pages_peaks;
  std::int64_t failing_step = 0;  ///< of the engine that met the violation, from 1
};

/// The file of an engine's timeline: what was asked for, or with several engines name-1.csv, name-2.csv and so on.
std::string timeline_file(const TraceTask& task, std::size_t engine);

/// Drives the plan to its end or to the first violation, showing progress on stderr. Throws EnvironmentError.
TraceResult run_trace(const TraceTask& task, const sim::DrivePlan& plan);

}  // namespace pagestorm::cli
