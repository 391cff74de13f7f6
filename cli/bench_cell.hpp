#pragma once
// One line of the bench: a shape, its time, and what it is held against.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "pagestorm/device_timing.hpp"

namespace pagestorm::cli {

struct Cell {
  TimedShape shape;
  TimedCall time;
  double floor = 0;                ///< µs, see floor_of
  std::optional<double> upstream;  ///< µs
};

/// The launch, and then each part alone at the speed that this device showed for it. The parts share one memory, so they
/// add up; where they overlap after all, a call can be below its floor.
double floor_of(const TimedShape& shape, const TimedCall& time, const DeviceRates& rates);

nlohmann::json to_json(const DeviceRates& rates, const std::vector<Cell>& cells);

}  // namespace pagestorm::cli
