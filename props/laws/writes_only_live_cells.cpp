// A call writes its live cells, whatever they held before, and nothing else. No oracle of contents is needed: the call
// runs on two poisons. Equal in both = written; own poison kept = untouched; anything else = it depends on old contents.

#include <algorithm>

#include "props/laws.hpp"
#include "sim/checks.hpp"
#include "sim/flash/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::Moment;
using sim::Range;

class WritesOnlyLiveCells final : public sim::Law {
 public:
  std::string_view name() const override { return "writes_only_live_cells"; }
  std::string_view what() const override { return "all live cells are written, and no cell besides them"; }

  std::optional<sim::Violation> judge(Moment& moment) override { return judge_any(moment); }
  bool applies_to_flash(const sim::FlashMoment&) const override { return true; }
  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override { return judge_any(moment); }

 private:
  template <class AnyMoment>
  static std::optional<sim::Violation> judge_any(AnyMoment& moment) {
    if (auto violation = stray_write(moment)) return violation;
    if (auto violation = missing_write(moment)) return violation;
    return moment.builder().capabilities().audits ? audited_write(moment) : std::nullopt;
  }

  template <class AnyMoment>
  static std::optional<sim::Violation> stray_write(AnyMoment& moment) {
    const std::int32_t* a = moment.first().words();
    const std::int32_t* b = moment.second().words();
    for (const Range& range : moment.zone().untouchable()) {
      if (sim::all_are(Moment::first_poison, a, range) && sim::all_are(Moment::second_poison, b, range)) continue;
      for (std::int64_t w = range.first; w < range.last; ++w) {
        if (a[w] == Moment::first_poison && b[w] == Moment::second_poison) continue;
        const bool in_first = a[w] != Moment::first_poison;
        return sim::at_word(moment, in_first ? moment.first() : moment.second(), w, "untouched",
                            sim::show(in_first ? a[w] : b[w]), "only the live prefix of a row is written");
      }
    }
    return std::nullopt;
  }

  template <class AnyMoment>
  static std::optional<sim::Violation> missing_write(AnyMoment& moment) {
    const std::int32_t* a = moment.first().words();
    const std::int32_t* b = moment.second().words();
    for (const Range& range : moment.zone().live()) {
      if (std::equal(a + range.first, a + range.last, b + range.first)) continue;
      for (std::int64_t w = range.first; w < range.last; ++w) {
        if (a[w] == b[w]) continue;
        const bool untouched = a[w] == Moment::first_poison && b[w] == Moment::second_poison;
        return sim::at_word(
            moment, moment.first(), w, "written", untouched ? "poison (not written)" : sim::show(a[w]),
            untouched ? "every live cell is written" : "what is written does not depend on what the cell held before");
      }
    }
    return std::nullopt;
  }

  static bool is_in(std::span<const Range> ranges, std::int64_t word) {
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), word,
                                        [](std::int64_t w, const Range& range) { return w < range.first; });
    return after != ranges.begin() && word < std::prev(after)->last;
  }

  // Sees what no comparison can: a cell rewritten with the value that it had.
  template <class AnyMoment>
  static std::optional<sim::Violation> audited_write(AnyMoment& moment) {
    const sim::Image& image = moment.rerun({});
    for (const Access& access : moment.builder().accesses()) {
      if (!access.write) continue;
      const std::int64_t word = (access.address - image.region().base) / 4;
      if (is_in(moment.zone().live(), word) || is_in(moment.zone().left_out(), word)) continue;
      return sim::at_word(moment, image, word, "no access", "a write",
                          "only live cells are written, not even with the value they have");
    }
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<sim::Law> writes_only_live_cells() { return std::make_unique<WritesOnlyLiveCells>(); }

}  // namespace pagestorm::props
