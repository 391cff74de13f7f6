// Local attention: blocks tile the queries of a row, and the keys of a block are those of one chunk, whatever else is in the
// batch.

#include <algorithm>

#include "flash_keys.hpp"
#include "props/laws.hpp"
#include "sim/checks.hpp"
#include "sim/flash/checks.hpp"

namespace pagestorm::props {
namespace {

class LocalBlocksStayInTheirChunk final : public sim::Law {
 public:
  std::string_view name() const override { return "local_blocks_stay_in_their_chunk"; }
  std::string_view what() const override {
    return "blocks of local attention tile the queries, end where chunks end, and know nothing of other rows";
  }
  bool applies(const sim::Moment&) const override { return false; }
  bool applies_to_flash(const sim::FlashMoment& moment) const override {
    return moment.ask().op == FlashOp::local_blocks;
  }

  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override {
    for (const CausalSet& set : causal_sets(moment)) {
      if (set.expanded >= moment.expected().rows()) break;
      if (auto violation = judge_slots(moment, set, "a query sees the keys of its own chunk, up to itself"))
        return violation;
    }
    return moment.batch().rows > 1 ? judge_alone(moment) : std::nullopt;
  }

 private:
  // The first row of the batch again, without the others.
  static std::optional<sim::Violation> judge_alone(sim::FlashMoment& moment) {
    FlashBatch first = moment.batch();
    first.rows = 1;
    const sim::Image& alone = moment.rerun({.batch = &first});
    const sim::Section& keys = moment.layout().section(sim::Part::cache_seqlens);
    for (std::int64_t r = 0; r < moment.expected().rows() && moment.expected().row_of(r) == 0; ++r) {
      const std::int64_t word = keys.at(0, r);
      const std::int32_t want = alone.words()[word];
      if (moment.first().words()[word] != want)
        return at_word(moment, moment.first(), word, sim::show(want), sim::show(moment.first().words()[word]),
                       "other rows of the batch do not move the chunks of this one");
    }
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<sim::Law> local_blocks_stay_in_their_chunk() { return std::make_unique<LocalBlocksStayInTheirChunk>(); }

}  // namespace pagestorm::props
