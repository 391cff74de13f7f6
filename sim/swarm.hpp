#pragma once
// Scenarios from a seed: a random subset of step kinds with random weights, and sizes that sit on boundaries.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "scenario.hpp"

namespace pagestorm::sim {

/// How scenarios are drawn.
enum class Generator : std::uint8_t {
  boundaries,  ///< swarm, with sizes that sit on boundaries
  swarm,       ///< a random subset of step kinds with random weights, steps that belong together; sizes spread evenly
  uniform,     ///< every kind of step as often as the next; sizes spread evenly
};

/// What a scenario may be drawn from.
struct Space {
  std::vector<std::int64_t> page_sizes;  ///< exactly these; empty = page_size_low to page_size_high
  std::int64_t page_size_low = 1;
  std::int64_t page_size_high = 4096;
  std::int64_t length_low = 0;      ///< tokens of a request
  std::int64_t length_high = 4096;  ///< also the largest context
  std::int64_t rows_high = 16;      ///< requests
  std::int64_t steps_high = 20;
  std::int64_t cells_high = 8192;  ///< table cells that a step may fill, but for one scenario in 16
  std::array<bool, mode_count> modes = {true, true, true, true, true, true, true};
  std::optional<bool> swa;     ///< absent = both
  bool flash = false;          ///< of the family flash: without overlap
  std::int64_t top_k_low = 1;  ///< branches of a draft of that family
  std::int64_t top_k_high = 8;
  std::int64_t draft_tokens_low = 0;  ///< N; 0 = drawn as ever
  std::int64_t draft_tokens_high = 0;
  std::optional<Timing> timing;  ///< of every scenario; absent = drawn
  bool far = true;               ///< layouts with offsets past 2^31 elements
  bool odd = true;               ///< rows and slots that no engine means to send
  Generator generator = Generator::boundaries;

  bool operator==(const Space&) const = default;
};

/// The scenario of a seed. Every draw happens here; playing it draws nothing.
Scenario draw(std::uint64_t seed, const Space& space);

}  // namespace pagestorm::sim
