// A path that is declared free of syncs makes none and reads no lengths on the host; where the host has lengths, they are
// those that the device published last.

#include "props/laws.hpp"
#include "props/laws/hazards.hpp"

namespace pagestorm::props {
namespace {

class SyncFreePathsIgnoreTheMirror final : public sim::Law {
 public:
  std::string_view name() const override { return "sync_free_paths_ignore_the_mirror"; }
  std::string_view what() const override {
    return "a path without lengths on the host neither waits nor reads; with them, they are the device's";
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
