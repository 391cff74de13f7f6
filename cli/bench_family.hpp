#pragma once
// The operations of the FlashAttention family on a device, beside what they must move.

#include <nlohmann/json_fwd.hpp>

#include "pagestorm/device_timing.hpp"

namespace pagestorm::cli {

/// The launch, the bytes at the speed of a copy, and the look-ups at the speed of random reads, in microseconds.
double floor_of(const TimedFlashCall& call, const DeviceRates& rates);

/// Times every operation on its shapes, prints a table, and returns the figures.
nlohmann::json bench_family(const DeviceRates& rates, int repeats);

}  // namespace pagestorm::cli
