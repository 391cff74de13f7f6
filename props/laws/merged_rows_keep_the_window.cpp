// A merged row is what the window leaves of the prefix, then the draft tokens seen: prefix and path are one line of tokens,
// and the row is its end.

#include "flash_keys.hpp"
#include "props/laws.hpp"

namespace pagestorm::props {
namespace {

class MergedRowsKeepTheWindow final : public sim::Law {
 public:
  std::string_view name() const override { return "merged_rows_keep_the_window"; }
  std::string_view what() const override {
    return "a merged row names the last tokens of prefix and path, as many as the window holds";
  }
  bool applies(const sim::Moment&) const override { return false; }
  bool applies_to_flash(const sim::FlashMoment& moment) const override {
    return moment.ask().op == FlashOp::merged_verify || moment.ask().op == FlashOp::prompt_window;
  }
  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override {
    const char* why = moment.ask().op == FlashOp::merged_verify
                          ? "a merged row is the window's end of the prefix and the path"
                          : "the window keeps the prompt and the last tokens";
    for (const CausalSet& set : causal_sets(moment))
      if (auto violation = judge_slots(moment, set, why)) return violation;
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<sim::Law> merged_rows_keep_the_window() { return std::make_unique<MergedRowsKeepTheWindow>(); }

}  // namespace pagestorm::props
