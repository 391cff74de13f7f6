#pragma once
// Where queued work is delayed: to show what a hazard does, or anywhere.

#include <cstdint>
#include <vector>

#include "pagestorm/device_streams.hpp"
#include "queue.hpp"

namespace pagestorm::sim::time {

/// How the earlier operation of a hazard is held up, so that the later one overtakes it.
enum class HoldUp : std::uint8_t {
  delayed,    ///< it starts late
  stretched,  ///< its second half does
};

/// The delay that a hazard suggests. The hazard is one of two operations.
StreamDelay hold_up(const Hazard& hazard, HoldUp how, std::int32_t microseconds);

/// Whether a read can show the hazard: of two writes nobody sees which came first.
bool can_be_seen(const Hazard& hazard);

/// A placement drawn from a seed: about one operation in eight starts late or is stretched, by 20 to 400 microseconds.
std::vector<StreamDelay> draw_delays(const StreamWork& work, std::uint64_t seed);

}  // namespace pagestorm::sim::time
