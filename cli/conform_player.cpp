#include "conform_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "clock.hpp"
#include "props/conform/attribute.hpp"
#include "sim/patience.hpp"
#include "stand.hpp"

namespace pagestorm::cli {
namespace {

// A law that walks whole requests may only see what an earlier step left behind.
bool looks_back(std::string_view law) {
  return law == "attention_reads_what_was_written" || law == "swa_slots_are_valid";
}

}  // namespace

props::Breach failed(const BuilderFailed& error) {
  sim::Violation violation{
      .place = {.text = "the call"},
      .expected = "it comes back",
      .got = error.what(),
      .why = "no content is refused: the call stays within bounds and reports through the status word"};
  violation.law = error.how() == BuilderFailed::How::crashed ? sim::does_not_crash
                  : error.how() == BuilderFailed::How::hung  ? sim::ends_in_time
                                                             : sim::takes_what_it_promised;
  return {props::clause_of_law(violation.law), std::move(violation)};
}

std::string explained(const sim::Violation& violation) {
  return fmt::format("  where     {}\n  expected  {}\n  got       {}\n\n  why       {}\n", violation.place.text,
                     violation.expected, violation.got, violation.why);
}

// Counts what each pass tries, and breaks nothing. The last law of a player.
class ClausePlayer::Witness final : public sim::Law {
 public:
  std::string_view name() const override { return "witness"; }
  std::string_view what() const override { return "each pass is seen"; }

  std::optional<sim::Violation> inspect(const sim::World&) override {
    last_ = nullptr;
    return std::nullopt;
  }

  std::optional<sim::Violation> judge(sim::Moment& moment) override {
    last_ = &moment;
    if (counts_ != nullptr) props::note_tried(moment, *counts_);
    return std::nullopt;
  }

  void count_into(props::ClauseTally* counts) { counts_ = counts; }

  /// The pass of the last step; null where it had none that was judged.
  sim::Moment* last() const { return last_; }

 private:
  sim::Moment* last_ = nullptr;
  props::ClauseTally* counts_ = nullptr;
};

ClausePlayer::ClausePlayer(Builder& builder, Builder* peer, const std::vector<std::string>& laws, Fault fault,
                           props::ClauseTally* counts)
    : builder_(builder), laws_(make_laws(laws)) {
  auto witness = std::make_unique<Witness>();
  witness->count_into(counts);
  witness_ = witness.get();
  laws_.push_back(std::move(witness));
  player_ = std::make_unique<sim::Player>(builder, peer, laws_, nanoseconds_now);
  player_->bend(fault);
}

std::vector<props::Breach> ClausePlayer::play(const sim::Scenario& scenario) {
  std::vector<props::Breach> found;
  try {
    player_->start(scenario.config);
    for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
      const auto violations = player_->step(scenario.steps[i]);
      if (violations.empty()) continue;
      for (props::Breach& breach : breaches_in(violations, !found.empty()))
        add(found, std::move(breach), static_cast<std::int64_t>(i));
      // The next call would cost another process, or another wait.
      if (sim::costs_a_process(violations.front().law)) break;
    }
  } catch (const BuilderFailed& error) {
    add(found, failed(error), static_cast<std::int64_t>(scenario.steps.size()) - 1);
  }
  return found;
}

std::vector<props::Breach> ClausePlayer::breaches_in(std::span<const sim::Violation> violations, bool broken_before) {
  std::vector<props::Breach> breaches;
  if (witness_->last() == nullptr) {  // what happened came before any image
    for (const sim::Violation& violation : violations)
      breaches.push_back({props::clause_of_law(violation.law), violation});
    return breaches;
  }
  sim::Moment& moment = *witness_->last();
  breaches = props::breaches_of(moment);
  const bool broken = broken_before || !breaches.empty();
  for (const sim::Violation& violation : violations) {
    if (broken && looks_back(violation.law)) continue;
    const std::string_view clause = props::clause_of(moment, violation, breaches);
    if (!clause.empty()) breaches.push_back({clause, violation});
  }
  return breaches;
}

void ClausePlayer::add(std::vector<props::Breach>& found, props::Breach breach, std::int64_t step) const {
  if (std::ranges::any_of(found, [&](const props::Breach& known) { return known.clause == breach.clause; })) return;
  breach.violation.step = step;
  breach.violation.builder = builder_.name();
  found.push_back(std::move(breach));
}

}  // namespace pagestorm::cli
