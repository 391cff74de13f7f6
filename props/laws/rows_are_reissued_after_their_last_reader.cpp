// A request row, or a page, goes to a new request only when the last forward pass that uses it is done with it.

#include "props/laws.hpp"
#include "props/laws/hazards.hpp"

namespace pagestorm::props {
namespace {

class RowsAreReissuedAfterTheirLastReader final : public sim::Law {
 public:
  std::string_view name() const override { return "rows_are_reissued_after_their_last_reader"; }
  std::string_view what() const override {
    return "a row or page serves a new request only when no forward pass uses it for the last one";
  }
  bool is_about_engine() const override { return true; }

  std::optional<sim::Violation> inspect(const sim::World& world) override {
    return first_hazard(world, sim::time::Breach::reissue);
  }
};

}  // namespace

std::unique_ptr<sim::Law> rows_are_reissued_after_their_last_reader() {
  return std::make_unique<RowsAreReissuedAfterTheirLastReader>();
}

}  // namespace pagestorm::props
