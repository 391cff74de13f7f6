#pragma once
// Streams without a device: queued work in virtual time, the host's and each stream's.

#include <memory>

#include "pagestorm/device_streams.hpp"

namespace pagestorm::sim::time {

/// Runs queued work as a device would: the host needs some microseconds for each item, streams work behind it, and delays
/// hold them up. The same delays always give the same. Knows the description alone: no queue, no clocks.
std::unique_ptr<StreamRunner> host_streams();

}  // namespace pagestorm::sim::time
