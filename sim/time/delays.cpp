#include "delays.hpp"

#include "../rng.hpp"

namespace pagestorm::sim::time {

StreamDelay hold_up(const Hazard& hazard, HoldUp how, std::int32_t microseconds) {
  const auto operation = static_cast<std::int32_t>(hazard.earlier);
  return how == HoldUp::delayed ? StreamDelay{operation, microseconds, 0} : StreamDelay{operation, 0, microseconds};
}

bool can_be_seen(const Hazard& hazard) {
  return hazard.wrong == Wrong::unordered && hazard.before.writes != hazard.after.writes;
}

std::vector<StreamDelay> draw_delays(const StreamWork& work, std::uint64_t seed) {
  constexpr std::uint64_t one_in = 16;  // for each of the two ways
  constexpr std::int64_t least_us = 20;
  constexpr std::int64_t most_us = 400;
  Rng rng(seed);
  const auto draw = [&] {
    const auto us = static_cast<std::int32_t>(rng.between(least_us, most_us));
    return rng.one_in(one_in) ? us : 0;
  };
  std::vector<StreamDelay> delays;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(work.operations.size()); ++i) {
    const std::int32_t before = draw();
    const std::int32_t between = draw();
    if (before != 0 || between != 0) delays.push_back({i, before, between});
  }
  return delays;
}

}  // namespace pagestorm::sim::time
