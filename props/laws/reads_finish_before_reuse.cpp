// The scheduler waits, before it writes a row or the map, for the last read of every forward pass under way.

#include "props/laws.hpp"
#include "props/laws/hazards.hpp"

namespace pagestorm::props {
namespace {

class ReadsFinishBeforeReuse final : public sim::Law {
 public:
  std::string_view name() const override { return "reads_finish_before_reuse"; }
  std::string_view what() const override {
    return "req_to_token and the map are written only when the reads of forward passes under way are done";
  }
  bool is_about_engine() const override { return true; }

  std::optional<sim::Violation> inspect(const sim::World& world) override {
    return first_hazard(world, sim::time::Breach::reuse);
  }
};

}  // namespace

std::unique_ptr<sim::Law> reads_finish_before_reuse() { return std::make_unique<ReadsFinishBeforeReuse>(); }

}  // namespace pagestorm::props
