// One contract, many paths: build against apply, and this builder against the plain host one.

#include <vector>

#include "props/laws.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::Moment;

class PathsAgree final : public sim::Law {
 public:
  std::string_view name() const override { return "paths_agree"; }
  std::string_view what() const override {
    return "build gives the tables of apply, and every builder the image of the host's";
  }
  bool reruns() const override { return true; }

  std::optional<sim::Violation> judge(Moment& moment) override {
    if (moment.promise().builds)
      if (auto violation = build_differs(moment)) return violation;
    if (moment.peer() == nullptr) return std::nullopt;
    const sim::Image& other = moment.rerun(*moment.peer(), {});
    return sim::differs(moment, zone_of_both(moment), other, moment.first(), true,
                        "every builder gives the image of the host builder");
  }

 private:
  // Where the builder promised other values than the host builder's, its cells are left out.
  const sim::Zone& zone_of_both(Moment& moment) {
    const auto differs = [](Becomes becomes) { return becomes == Becomes::zero || becomes == Becomes::minus_one; };
    Promise promise = moment.promise();
    if (!differs(promise.absent) && !differs(promise.tombstone)) return moment.zone();
    if (differs(promise.absent)) promise.absent = Becomes::anything;
    if (differs(promise.tombstone)) promise.tombstone = Becomes::anything;
    tables_.compute(moment.batch(), moment.expected().width(), moment.extent().write_slots, promise);
    zone_.compute(moment.layout(), moment.extent(), tables_);
    return zone_;
  }

  std::optional<sim::Violation> build_differs(Moment& moment) {
    const sim::Section& lengths = moment.layout().section(sim::Part::cache_seqlens);
    keys_.clear();
    for (std::int64_t r = 0; r < moment.extent().rows; ++r) keys_.push_back(moment.first().words()[lengths.at(0, r)]);
    const Batch build = moment.inputs().build_batch(keys_);
    tables_.compute(build, moment.expected().width(), 0, moment.promise());
    zone_.compute(moment.layout(), moment.extent(), tables_);
    const sim::Image& built = moment.rerun({.batch = &build, .zone = &zone_});
    if (auto violation = sim::differs_in_live(moment, zone_, moment.first(), built,
                                              "build gives the tables that apply gives for the same lengths"))
      return violation;
    return stray_write(moment, built);
  }

  std::optional<sim::Violation> stray_write(Moment& moment, const sim::Image& built) {
    for (const sim::Range& range : zone_.untouchable()) {
      if (sim::all_are(Moment::first_poison, built.words(), range)) continue;
      for (std::int64_t w = range.first; w < range.last; ++w)
        if (built.words()[w] != Moment::first_poison)
          return sim::at_word(moment, built, w, "untouched", sim::show(built.words()[w]),
                              "build writes the live prefix of the tables only");
    }
    return std::nullopt;
  }

  std::vector<std::int32_t> keys_;
  sim::Reference tables_;
  sim::Zone zone_;
};

}  // namespace

std::unique_ptr<sim::Law> paths_agree() { return std::make_unique<PathsAgree>(); }

}  // namespace pagestorm::props
