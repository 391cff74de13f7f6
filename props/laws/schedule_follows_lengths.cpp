// Scheduler metadata is of the lengths that attention is called with, never of earlier ones: each key of a row is in one of
// its splits, none of which is empty, and what a larger batch left is gone.

#include <fmt/format.h>

#include "props/laws.hpp"
#include "sim/checks.hpp"
#include "sim/flash/checks.hpp"
#include "sim/world.hpp"

namespace pagestorm::props {
namespace {

using sim::FlashMoment;
using sim::Part;

class ScheduleFollowsLengths final : public sim::Law {
 public:
  std::string_view name() const override { return "schedule_follows_lengths"; }
  std::string_view what() const override {
    return "a row has the splits that its keys fill, and nothing is scheduled after the last row";
  }
  bool applies(const sim::Moment&) const override { return false; }
  bool applies_to_flash(const FlashMoment& moment) const override { return moment.ask().op == FlashOp::schedule; }

  std::optional<sim::Violation> judge_flash(FlashMoment& moment) override {
    const auto& rows = moment.forward().rows;
    const std::int64_t split = moment.batch().chunk;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows[r].odd != sim::Odd::none) continue;
      const auto element = static_cast<std::int64_t>(r) + 1;
      const std::int64_t splits = moment.word(Part::schedule, 0, element);
      if (splits == (rows[r].length + split - 1) / split) continue;
      return at(moment, element, fmt::format("as many splits of {} as {} keys fill", split, rows[r].length));
    }
    if (moment.word(Part::schedule, 0, 0) != 0) return at(moment, 0, "0: no split is done yet");
    const std::int64_t size = moment.layout().section(Part::schedule).cols;
    for (auto i = static_cast<std::int64_t>(rows.size()) + 1; i < size; ++i)
      if (moment.word(Part::schedule, 0, i) != 0) return at(moment, i, "0: there is no such row");
    return std::nullopt;
  }

 private:
  static sim::Violation at(const FlashMoment& moment, std::int64_t element, std::string expected) {
    const std::int64_t word = moment.layout().section(Part::schedule).at(0, element);
    return sim::at_word(moment, moment.first(), word, std::move(expected),
                        sim::show(moment.word(Part::schedule, 0, element)),
                        "a schedule is made of the lengths of the same call");
  }
};

}  // namespace

std::unique_ptr<sim::Law> schedule_follows_lengths() { return std::make_unique<ScheduleFollowsLengths>(); }

}  // namespace pagestorm::props
