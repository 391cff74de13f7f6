// The buffers of a captured graph are written again and again: one image lives through the whole scenario, and each
// step must leave in it what it leaves in a fresh one, and every other cell as it was.

#include <algorithm>
#include <vector>

#include "props/laws.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::Moment;
using sim::Range;

class ReplayEqualsFresh final : public sim::Law {
 public:
  std::string_view name() const override { return "replay_equals_fresh"; }
  std::string_view what() const override {
    return "a step over the buffers of earlier steps equals the same step over fresh ones";
  }

  void start(const sim::World&, const sim::ImageLayout& layout) override {
    for (const Range& range : seen_) std::fill(image_.words() + range.first, image_.words() + range.last, 0);
    seen_.clear();
    image_.prepare(layout);
  }

  std::optional<sim::Violation> judge(Moment& moment) override {
    const auto judged = moment.zone().judged();
    seen_.insert(seen_.end(), judged.begin(), judged.end());
    before_.clear();
    for (const Range& range : moment.zone().untouchable())
      before_.insert(before_.end(), image_.words() + range.first, image_.words() + range.last);
    moment.rerun_on(image_, moment.builder(), {.keep_contents = true});
    if (auto violation = sim::differs_in_live(moment, moment.zone(), moment.first(), image_,
                                              "a replay writes what a run on fresh buffers writes"))
      return violation;
    return stray_write(moment);
  }

 private:
  std::optional<sim::Violation> stray_write(Moment& moment) {
    const std::int32_t* old = before_.data();
    for (const Range& range : moment.zone().untouchable()) {
      const std::int32_t* words = image_.words() + range.first;
      const std::int64_t size = range.last - range.first;
      for (std::int64_t i = std::equal(words, words + size, old) ? size : 0; i < size; ++i)
        if (words[i] != old[i])
          return sim::at_word(moment, image_, range.first + i, sim::show(old[i]), sim::show(words[i]),
                              "a replay leaves cells after the live prefix as they were");
      old += size;
    }
    return std::nullopt;
  }

  sim::Image image_;
  std::vector<Range> seen_;
  std::vector<std::int32_t> before_;  ///< what the words that must not be written hold, range after range
};

}  // namespace

std::unique_ptr<sim::Law> replay_equals_fresh() { return std::make_unique<ReplayEqualsFresh>(); }

}  // namespace pagestorm::props
