// A forward pass uses tables, lengths, rows and pages that are complete before it reads them and that nobody replaces before it
// is done with them.

#include "props/laws.hpp"
#include "props/laws/hazards.hpp"

namespace pagestorm::props {
namespace {

class TablesAreOfOneGeneration final : public sim::Law {
 public:
  std::string_view name() const override { return "tables_are_of_one_generation"; }
  std::string_view what() const override {
    return "what a forward pass uses is there, whole, and stays until the pass is done with it";
  }
  bool is_about_engine() const override { return true; }

  std::optional<sim::Violation> inspect(const sim::World& world) override {
    return first_hazard(world, sim::time::Breach::generation);
  }
};

}  // namespace

std::unique_ptr<sim::Law> tables_are_of_one_generation() { return std::make_unique<TablesAreOfOneGeneration>(); }

}  // namespace pagestorm::props
