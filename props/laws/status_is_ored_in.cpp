// The status word says what happened since the caller last looked: a call adds bits to it, and takes none away.

#include <fmt/format.h>

#include "props/laws.hpp"
#include "sim/checks.hpp"
#include "sim/flash/checks.hpp"

namespace pagestorm::props {
namespace {

// Bits that calls raise and bits that none does; of both kinds some are held and some are not.
constexpr std::uint32_t held = 0x5a5a5a5a;

// What the word is after a call that raises, from nothing, what it raised in the first image.
template <class Moment>
std::optional<sim::Violation> judge_held(const Moment& moment, const sim::Image& image) {
  const std::int64_t word = moment.layout().section(sim::Part::status).first;
  const std::uint32_t wanted = held | static_cast<std::uint32_t>(moment.first().words()[word]);
  const auto got = static_cast<std::uint32_t>(image.words()[word]);
  if (got == wanted) return std::nullopt;
  return sim::at_word(moment, image, word, fmt::format("{:#x}", wanted), fmt::format("{:#x}", got),
                      fmt::format("bits are ORed into the status word, which held {:#x}", held));
}

class StatusIsOredIn final : public sim::Law {
 public:
  std::string_view name() const override { return "status_is_ored_in"; }
  std::string_view what() const override { return "what the status word held is kept, and bits are added to it"; }
  bool reruns() const override { return true; }

  void start(const sim::World&, const sim::ImageLayout& layout) override { image_.prepare(layout); }

  bool applies(const sim::Moment& moment) const override { return moment.promise().status; }
  std::optional<sim::Violation> judge(sim::Moment& moment) override {
    moment.rerun_on(image_, moment.builder(), {.status = held});
    return judge_held(moment, image_);
  }

  bool applies_to_flash(const sim::FlashMoment&) const override { return true; }
  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override {
    return judge_held(moment, moment.rerun({.status = held}));
  }

 private:
  sim::Image image_;  ///< of its own: what a wrong builder leaves behind in it is no other law's matter
};

}  // namespace

std::unique_ptr<sim::Law> status_is_ored_in() { return std::make_unique<StatusIsOredIn>(); }

}  // namespace pagestorm::props
