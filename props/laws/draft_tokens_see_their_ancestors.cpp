// In a tree verify a draft token attends to itself and to the draft tokens that it follows, one after the other, and to no
// other: as many as it is deep.

#include "flash_keys.hpp"
#include "props/laws.hpp"

namespace pagestorm::props {
namespace {

class DraftTokensSeeTheirAncestors final : public sim::Law {
 public:
  std::string_view name() const override { return "draft_tokens_see_their_ancestors"; }
  std::string_view what() const override {
    return "the expanded row of a draft token names itself and its ancestors, and counts as many keys as it is deep";
  }
  bool applies(const sim::Moment&) const override { return false; }
  bool applies_to_flash(const sim::FlashMoment& moment) const override {
    return moment.ask().op == FlashOp::verify_expand;
  }
  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override {
    for (const CausalSet& set : causal_sets(moment))
      if (auto violation = judge_slots(moment, set, "a draft token sees itself and its ancestors")) return violation;
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<sim::Law> draft_tokens_see_their_ancestors() {
  return std::make_unique<DraftTokensSeeTheirAncestors>();
}

}  // namespace pagestorm::props
