#pragma once
// What a step of each path asks of the device, seen by an observer of its API calls, and what it takes.

#include <string>
#include <vector>

#include "pagestorm/device_timing.hpp"
#include "pagestorm/fault.hpp"

namespace pagestorm {

/// How to observe.
struct ObservedRuns {
  int iterations = 100;       ///< that are observed, and that one measurement of time takes
  int repeats = 5;            ///< measurements of time
  std::string library = {};   ///< CUPTI; empty = where it usually lies
  Fault fault = Fault::none;  ///< lengths_read_on_host bends the first path; others mean nothing here
};

/// One path, an iteration of it on the average.
struct PathCosts {
  std::string path;
  bool sync_free = false;  ///< declared to make no host sync and no allocation
  double launches = 0;     ///< of kernels and graphs
  double copies = 0;       ///< asynchronous ones, from or to the host or on the device
  double host_syncs = 0;  ///< waits for a stream, an event or the device, synchronous copies, copies of pageable memory
  double allocations = 0;               ///< of memory on the device or pinned on the host, and their ends
  bool captures = false;                ///< a stream capture of it is allowed: the second observer
  Spread microseconds;                  ///< host time of an iteration; not observed meanwhile
  std::vector<std::string> calls = {};  ///< the syncs and allocations seen, by name; each once
};

/// Runs `apply` on one shape: as it is launched each step with bounds from the context, as a replayed graph, and as it was
/// done before, with the longest length brought to the host. Throws BuilderError where there is no device, where the
/// observer cannot be had, and where it does not see calls that are made to be seen.
std::vector<PathCosts> observed_paths(const TimedShape& shape, const ObservedRuns& runs);

}  // namespace pagestorm
