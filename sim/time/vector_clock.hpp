#pragma once
// Vector clocks over the host and its streams: what has certainly happened by the time that something runs.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pagestorm::sim::time {

/// Who does the work of an iteration: the host, which enqueues, and streams, each of which runs in order.
enum class Actor : std::uint8_t {
  host,      ///< enqueues everything, waits for events, touches pinned memory
  schedule,  ///< the scheduler's stream: writes rows and map, stages inputs
  forward,   ///< the model's stream
  plan,      ///< builds the tables of a verify or draft extend ahead of the forward stream
  copy,      ///< brings lengths to the host
  load,      ///< fills pages and rows from elsewhere
};

inline constexpr int actor_count = 6;

/// "host", "schedule", ...
constexpr std::string_view name_of(Actor actor) {
  constexpr std::array<std::string_view, actor_count> names = {"host", "schedule", "forward", "plan", "copy", "load"};
  return names[static_cast<std::size_t>(actor)];
}

/// For each actor, how many of its operations are known to be done. Operations of an actor are counted from 1.
class VectorClock {
 public:
  std::uint32_t operator[](Actor actor) const { return ticks_[static_cast<std::size_t>(actor)]; }

  /// One operation more of this actor; its number.
  std::uint32_t tick(Actor actor) { return ++ticks_[static_cast<std::size_t>(actor)]; }

  /// Learns all that `other` knows.
  void join(const VectorClock& other) {
    for (std::size_t i = 0; i < ticks_.size(); ++i) ticks_[i] = std::max(ticks_[i], other.ticks_[i]);
  }

  /// Whether operation `tick` of `actor` is done for certain; 0 always is.
  bool knows(Actor actor, std::uint32_t tick) const { return (*this)[actor] >= tick; }

  bool operator==(const VectorClock&) const = default;

 private:
  std::array<std::uint32_t, 8> ticks_{};  // a power of two, so that join is two vector instructions
};

}  // namespace pagestorm::sim::time
