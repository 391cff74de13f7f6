// The buffers of a captured graph are written again and again: one image lives through the whole scenario, and each
// step must leave in it what it leaves in a fresh one, and every other cell as it was.

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "props/laws.hpp"
#include "sim/checks.hpp"
#include "sim/flash/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::FlashMoment;
using sim::Image;
using sim::Moment;
using sim::Range;
using sim::Zone;

constexpr const char* writes_the_same = "a replay writes what a run on fresh buffers writes";
constexpr const char* leaves_the_rest = "a replay leaves cells after the live prefix as they were";

// What the words that must not be written hold, range after range.
std::vector<std::int32_t> untouchable(const Zone& zone, const Image& image) {
  std::vector<std::int32_t> words;
  for (const Range& range : zone.untouchable())
    words.insert(words.end(), image.words() + range.first, image.words() + range.last);
  return words;
}

// The first of them that holds something else now.
std::optional<std::pair<std::int64_t, std::int32_t>> stray(const Zone& zone, const Image& image,
                                                           const std::vector<std::int32_t>& before) {
  const std::int32_t* old = before.data();
  for (const Range& range : zone.untouchable()) {
    const std::int32_t* words = image.words() + range.first;
    const std::int64_t size = range.last - range.first;
    for (std::int64_t i = std::equal(words, words + size, old) ? size : 0; i < size; ++i)
      if (words[i] != old[i]) return std::pair{range.first + i, old[i]};
    old += size;
  }
  return std::nullopt;
}

// What a captured graph has for one operation of the FlashAttention family: buffers for the largest batch.
struct FlashBuffers {
  sim::ImageLayout layout;
  Image image;

  explicit FlashBuffers(const FlashMoment& moment) {
    const sim::Config& config = moment.world().config();
    const sim::AskShape most = sim::capacity_of(moment.ask(), config, moment.forward());
    layout.lay_out_flash(config, most.rows, most.room, most.width, most.schedule);
    image.prepare(layout);
  }
};

class ReplayEqualsFresh final : public sim::Law {
 public:
  std::string_view name() const override { return "replay_equals_fresh"; }
  std::string_view what() const override {
    return "a step over the buffers of earlier steps equals the same step over fresh ones";
  }
  bool reruns() const override { return true; }

  void start(const sim::World&, const sim::ImageLayout& layout) override {
    for (const Range& range : seen_) std::fill(image_.words() + range.first, image_.words() + range.last, 0);
    seen_.clear();
    image_.prepare(layout);
    flash_.clear();
  }

  std::optional<sim::Violation> judge(Moment& moment) override {
    const auto judged = moment.zone().judged();
    seen_.insert(seen_.end(), judged.begin(), judged.end());
    const std::vector<std::int32_t> before = untouchable(moment.zone(), image_);
    moment.rerun_on(image_, moment.builder(), {.keep_contents = true});
    if (auto violation = sim::differs_in_live(moment, moment.zone(), moment.first(), image_, writes_the_same))
      return violation;
    const auto found = stray(moment.zone(), image_, before);
    if (!found) return std::nullopt;
    return sim::at_word(moment, image_, found->first, sim::show(found->second), sim::show(image_.words()[found->first]),
                        leaves_the_rest);
  }

  bool applies_to_flash(const FlashMoment&) const override { return true; }

  // A graph for each operation, kind of layers and draft step.
  std::optional<sim::Violation> judge_flash(FlashMoment& moment) override {
    const std::int64_t step = moment.ask().op == FlashOp::draft_expand ? moment.forward().draft_step : 0;
    auto& [layout, image] = flash_.try_emplace({moment.ask().op, moment.ask().swa, step}, moment).first->second;
    zone_.compute(layout, moment.expected());
    const std::vector<std::int32_t> before = untouchable(zone_, image);
    moment.rerun_on(image, layout, zone_);
    if (auto violation = sim::differs_from_first(moment, layout, image, writes_the_same)) return violation;
    const auto found = stray(zone_, image, before);
    if (!found) return std::nullopt;
    sim::Violation violation{.place = layout.locate(found->first),
                             .expected = sim::show(found->second),
                             .got = sim::show(image.words()[found->first]),
                             .why = leaves_the_rest};
    violation.place.text += " of " + std::string(sim::name_of(moment.ask().op));
    return violation;
  }

 private:
  Image image_;
  std::vector<Range> seen_;
  std::map<std::tuple<FlashOp, bool, std::int64_t>, FlashBuffers> flash_;
  Zone zone_;
};

}  // namespace

std::unique_ptr<sim::Law> replay_equals_fresh() { return std::make_unique<ReplayEqualsFresh>(); }

}  // namespace pagestorm::props
