// Copies from and to pinned memory run when the device gets there: the host waits before it touches that memory again.

#include "props/laws.hpp"
#include "props/laws/hazards.hpp"

namespace pagestorm::props {
namespace {

class HostSeesOnlyCompletedCopies final : public sim::Law {
 public:
  std::string_view name() const override { return "host_sees_only_completed_copies"; }
  std::string_view what() const override {
    return "the host touches pinned memory only when the copy from or to it is done";
  }
  bool is_about_engine() const override { return true; }

  std::optional<sim::Violation> inspect(const sim::World& world) override {
    return first_hazard(world, sim::time::Breach::host_copy);
  }
};

}  // namespace

std::unique_ptr<sim::Law> host_sees_only_completed_copies() { return std::make_unique<HostSeesOnlyCompletedCopies>(); }

}  // namespace pagestorm::props
