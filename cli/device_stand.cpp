#include "device_stand.hpp"

#include <optional>
#include <utility>

namespace pagestorm::cli {

DeviceStand::DeviceStand(Stand& stand, Fault fault, const sim::PackOptions& options)
    : stand_(stand),
      judge_(device_judge(stand.builder->name(), fault)),
      pack_(*judge_, *stand.builder, stand.laws, options) {}

std::vector<sim::Violation> compared(DeviceStand& stand, const sim::Scenario& scenario) {
  std::vector<sim::Violation> violations;
  std::optional<sim::PackCase> one{{0, scenario}};
  stand.pack().play([&] { return std::exchange(one, std::nullopt); },
                    [&](const sim::PackCase&, const sim::Violation& violation) {
                      violations.push_back(violation);
                      return false;
                    });
  return violations;
}

}  // namespace pagestorm::cli
