// A path that is declared free of syncs makes none, and reads nothing on the host that is not there.

#include "props/laws.hpp"
#include "props/laws/hazards.hpp"

namespace pagestorm::props {
namespace {

class SyncFreePathsIgnoreTheMirror final : public sim::Law {
 public:
  std::string_view name() const override { return "sync_free_paths_ignore_the_mirror"; }
  std::string_view what() const override {
    return "what needs no lengths on the host neither waits for the device nor reads them";
  }
  bool is_about_engine() const override { return true; }

  std::optional<sim::Violation> inspect(const sim::World& world) override {
    return first_hazard(world, sim::time::Breach::sync);
  }
};

}  // namespace

std::unique_ptr<sim::Law> sync_free_paths_ignore_the_mirror() {
  return std::make_unique<SyncFreePathsIgnoreTheMirror>();
}

}  // namespace pagestorm::props
