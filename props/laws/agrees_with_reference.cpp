// Every live cell holds what the contract says.

#include "props/laws.hpp"
#include "sim/checks.hpp"
#include "sim/flash/checks.hpp"

namespace pagestorm::props {
namespace {

class AgreesWithReference final : public sim::Law {
 public:
  std::string_view name() const override { return "agrees_with_reference"; }
  std::string_view what() const override { return "every live cell equals the reference, computed cell by cell"; }
  std::optional<sim::Violation> judge(sim::Moment& moment) override {
    return sim::differs_from_reference(moment, moment.first());
  }
  bool applies_to_flash(const sim::FlashMoment&) const override { return true; }
  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override {
    return sim::differs_from_reference(moment, moment.first());
  }
};

}  // namespace

std::unique_ptr<sim::Law> agrees_with_reference() { return std::make_unique<AgreesWithReference>(); }

}  // namespace pagestorm::props
