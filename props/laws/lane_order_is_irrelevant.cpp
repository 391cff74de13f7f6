// Lanes share nothing that any of them writes, so any order of any number of them gives the same image.

#include "props/laws.hpp"
#include "sim/checks.hpp"
#include "sim/flash/checks.hpp"

namespace pagestorm::props {
namespace {

class LaneOrderIsIrrelevant final : public sim::Law {
 public:
  std::string_view name() const override { return "lane_order_is_irrelevant"; }
  std::string_view what() const override { return "the image is the same for any number of lanes in any order"; }
  bool reruns() const override { return true; }

  bool applies(const sim::Moment& moment) const override { return moment.builder().capabilities().orders; }

  std::optional<sim::Violation> judge(sim::Moment& moment) override {
    for (const std::uint64_t order : orders) {
      const sim::Image& other = moment.rerun({.order = order});
      if (auto violation = sim::differs(moment, moment.zone(), moment.first(), other, true,
                                        "another order of the same lanes gives the same cell"))
        return violation;
    }
    return std::nullopt;
  }

  bool applies_to_flash(const sim::FlashMoment&) const override { return true; }
  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override {
    for (const std::uint64_t order : orders)
      if (auto violation = sim::differs(moment, moment.first(), moment.rerun({.order = order}), true,
                                        "another order of the same lanes gives the same cell"))
        return violation;
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t orders[] = {0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u};
};

}  // namespace

std::unique_ptr<sim::Law> lane_order_is_irrelevant() { return std::make_unique<LaneOrderIsIrrelevant>(); }

}  // namespace pagestorm::props
