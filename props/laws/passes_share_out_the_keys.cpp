// Where attention makes two passes and merges them, each key is in one of them: whole pages of the prefix in the first, the
// rest in the second. Of a model with an encoder, cross attention has the encoder's tokens and self attention the others.

#include <fmt/format.h>

#include "flash_keys.hpp"
#include "props/laws.hpp"
#include "sim/flash/checks.hpp"
#include "sim/world.hpp"

namespace pagestorm::props {
namespace {

class PassesShareOutTheKeys final : public sim::Law {
 public:
  std::string_view name() const override { return "passes_share_out_the_keys"; }
  std::string_view what() const override {
    return "the passes over prefix and branches, or over encoder and decoder, have each key of a query once between "
           "them";
  }
  bool applies(const sim::Moment&) const override { return false; }
  bool applies_to_flash(const sim::FlashMoment& moment) const override {
    return moment.ask().op == FlashOp::draft_expand || has_encoder(moment.ask().op);
  }

  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override {
    const bool drafts = moment.ask().op == FlashOp::draft_expand;
    const char* why = drafts ? "a branch's keys are its pages, whose first begins with the tail of the prefix"
                             : "a row is the tokens of the encoder, then those of the decoder";
    for (const CausalSet& set : causal_sets(moment)) {
      if (auto violation = drafts ? judge_prefix(moment, set) : std::nullopt) return violation;
      if (auto violation = judge_slots(moment, set, why)) return violation;
    }
    return std::nullopt;
  }

 private:
  static std::optional<sim::Violation> judge_prefix(const sim::FlashMoment& moment, const CausalSet& set) {
    const sim::ForwardRow& row = moment.forward().rows[static_cast<std::size_t>(set.row)];
    const std::int64_t all = row.committed + moment.forward().draft_step + 1;
    const std::int64_t prefix = moment.word(sim::Part::prefix_seqlens, 0, set.row);
    const std::int64_t want = all - static_cast<std::int64_t>(set.positions.size());
    if (prefix == want && prefix % moment.world().config().page_size == 0) return std::nullopt;
    const std::int64_t word = moment.layout().section(sim::Part::prefix_seqlens).at(0, set.row);
    return at_word(moment, moment.first(), word, fmt::format("{}", want), fmt::format("{}", prefix),
                   fmt::format("of {} keys the branch's own pages hold {}", all, set.positions.size()));
  }
};

}  // namespace

std::unique_ptr<sim::Law> passes_share_out_the_keys() { return std::make_unique<PassesShareOutTheKeys>(); }

}  // namespace pagestorm::props
