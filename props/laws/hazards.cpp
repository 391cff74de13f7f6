#include "hazards.hpp"

#include <utility>

#include "sim/overlap.hpp"

namespace pagestorm::props {

std::optional<sim::Violation> first_hazard(const sim::World& world, sim::time::Breach breach) {
  if (world.overlap() == nullptr) return std::nullopt;
  const sim::time::Queue& queue = world.overlap()->plan().queue();
  for (const sim::time::Hazard& hazard : queue.hazards()) {
    if (breach_of(queue, hazard) != breach) continue;
    sim::time::HazardText text = describe(queue, hazard);
    return sim::Violation{.place = {.text = std::move(text.place)},
                          .expected = std::move(text.expected),
                          .got = std::move(text.got),
                          .why = std::move(text.why),
                          .time_line = std::move(text.time_line)};
  }
  return std::nullopt;
}

}  // namespace pagestorm::props
