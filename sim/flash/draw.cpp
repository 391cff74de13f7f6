#include "draw.hpp"

#include <algorithm>

namespace pagestorm::sim {

void draw_family(Rng& rng, const Space& space, Config& config) {
  constexpr std::int64_t usual[] = {1, 2, 4, 8};
  config.flash = true;
  const std::int64_t top_k =
      rng.one_in(4) ? rng.between(space.top_k_low, space.top_k_high) : rng.pick(std::span<const std::int64_t>(usual));
  config.top_k = std::clamp(top_k, space.top_k_low, space.top_k_high);
  config.whole_mask = rng.one_in(2);
  if (rng.one_in(2)) return;
  const std::int64_t pages = rng.one_in(2) ? rng.between(1, 3) : std::int64_t{1} << rng.between(0, 6);
  config.chunk = std::min<std::int64_t>(std::int64_t{1} << 20, pages * config.page_size);
}

}  // namespace pagestorm::sim
