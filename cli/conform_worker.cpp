#include "conform_worker.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clock.hpp"
#include "props/conform/attribute.hpp"
#include "props/conform/clause_judge.hpp"
#include "record.hpp"
#include "sim/fit.hpp"
#include "sim/refusals.hpp"
#include "sim/text.hpp"
#include "stand.hpp"

namespace pagestorm::cli {
namespace {

// Counts what each pass tries, and asks for the one clause that no other law does. The last law of a player.
class ClauseLaw final : public sim::Law {
 public:
  std::string_view name() const override { return "status_is_ored_in"; }
  std::string_view what() const override { return "bits that the status word held are kept"; }

  void start(const sim::World&, const sim::ImageLayout& layout) override { image_.prepare(layout); }

  std::optional<sim::Violation> inspect(const sim::World&) override {
    last_ = nullptr;
    return std::nullopt;
  }

  std::optional<sim::Violation> judge(sim::Moment& moment) override {
    last_ = &moment;
    if (counts_ != nullptr) props::note_tried(moment, *counts_);
    return props::status_not_ored_in(moment, image_);
  }

  void count_into(props::ClauseTally* counts) { counts_ = counts; }

  /// The pass of the last step; null where it had none that was judged.
  sim::Moment* last() const { return last_; }

 private:
  sim::Image image_;
  sim::Moment* last_ = nullptr;
  props::ClauseTally* counts_ = nullptr;
};

// A builder, and a player that goes on after a violation.
class ClausePlayer {
 public:
  ClausePlayer(Builder& builder, Builder* peer, const std::vector<std::string>& laws, Fault fault,
               props::ClauseTally* counts)
      : builder_(builder), laws_(make_laws(laws)) {
    auto last = std::make_unique<ClauseLaw>();
    last->count_into(counts);
    clause_law_ = last.get();
    laws_.push_back(std::move(last));
    player_ = std::make_unique<sim::Player>(builder, peer, laws_, nanoseconds_now);
    player_->bend(fault);
  }

  /// The clauses that a scenario breaks, each at the first step that does.
  std::vector<props::Breach> play(const sim::Scenario& scenario) {
    std::vector<props::Breach> found;
    try {
      player_->start(scenario.config);
      for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
        const auto violations = player_->step(scenario.steps[i]);
        if (violations.empty()) continue;
        for (props::Breach& breach : breaches_in(violations, !found.empty()))
          add(found, std::move(breach), static_cast<std::int64_t>(i));
      }
    } catch (const BuilderFailed& error) {
      add(found, failed(error), static_cast<std::int64_t>(scenario.steps.size()) - 1);
    }
    return found;
  }

  const sim::Player& player() const { return *player_; }
  std::span<const std::unique_ptr<sim::Law>> laws() const { return laws_; }

 private:
  // A law that walks whole requests may only see what an earlier step left behind.
  static bool looks_back(std::string_view law) {
    return law == "attention_reads_what_was_written" || law == "swa_slots_are_valid";
  }

  std::vector<props::Breach> breaches_in(std::span<const sim::Violation> violations, bool broken_before) {
    std::vector<props::Breach> breaches;
    if (clause_law_->last() == nullptr) {  // what happened came before any image
      for (const sim::Violation& violation : violations)
        breaches.push_back({props::clause_of_law(violation.law), violation});
      return breaches;
    }
    sim::Moment& moment = *clause_law_->last();
    breaches = props::breaches_of(moment);
    const bool broken = broken_before || !breaches.empty();
    for (const sim::Violation& violation : violations) {
      if (broken && looks_back(violation.law)) continue;
      const std::string_view clause = props::clause_of(moment, violation, breaches);
      if (!clause.empty()) breaches.push_back({clause, violation});
    }
    return breaches;
  }

  void add(std::vector<props::Breach>& found, props::Breach breach, std::int64_t step) const {
    if (std::ranges::any_of(found, [&](const props::Breach& known) { return known.clause == breach.clause; })) return;
    breach.violation.step = step;
    breach.violation.builder = builder_.name();
    found.push_back(std::move(breach));
  }

  static props::Breach failed(const BuilderFailed& error) {
    sim::Violation violation{
        .place = {.text = "the call"},
        .expected = "it comes back",
        .got = error.what(),
        .why = "no content is refused: the call stays within bounds and reports through the status word"};
    violation.law = error.how() == BuilderFailed::How::crashed ? "does_not_crash"
                    : error.how() == BuilderFailed::How::hung  ? "ends_in_time"
                                                               : "takes_what_it_promised";
    return {props::clause_of_law(violation.law), std::move(violation)};
  }

  Builder& builder_;
  std::vector<std::unique_ptr<sim::Law>> laws_;
  ClauseLaw* clause_law_ = nullptr;
  std::unique_ptr<sim::Player> player_;
};

class ConformWorker {
 public:
  ConformWorker(const Campaign& campaign, Board& board, Desk& desk, const OnFailure& on_failure)
      : campaign_(campaign),
        board_(board),
        desk_(desk),
        stands_(campaign.builders, campaign.laws, campaign.fault, nullptr),
        builder_(*stands_.all().front().builder),
        refining_([this, &on_failure](const Failure& failure) {
          Failure refined = failure;
          const sim::Scenario smallest = sim::parse(failure.scenario, "a failure").scenario;
          refined.clause = props::refined(failure.clause, smallest,
                                          [&](const sim::Scenario& one) { return breaks(failure.clause, one); });
          on_failure(refined);
        }),
        recorder_(campaign, desk, refining_),
        player_(builder_, peer(), campaign.laws, campaign.fault, &tally_),
        again_(builder_, peer(), campaign.laws, campaign.fault, nullptr) {}

  Result run(Share share) {
    const std::int64_t cases = campaign_.cases;
    if (share.first == 0) try_shapes();
    for (std::int64_t i = share.first; (cases == 0 || i < cases) && !board_.stopped(); i += share.jobs) {
      try {
        play(i);
      } catch (const BuilderError& error) {
        // A far layout needs more memory than some devices have: that case is excused, and counted.
        if (!std::string_view(error.what()).starts_with("not enough device memory")) throw;
        ++result_.excused_far;
      }
    }
    result_.builders.emplace_back(builder_.name());
    result_.coverage = player_.player().coverage();
    result_.clauses.assign(tally_.begin(), tally_.end());
    add_rows(result_, builder_.name(), player_.laws(), player_.player().tallies());
    add_excuses(result_, builder_.name(), player_.player(), fitted_);
    return result_;
  }

 private:
  Builder* peer() { return campaign_.fault == Fault::none && builder_.name() == peer_->name() ? nullptr : peer_.get(); }

  // Nothing is read or written by such a call, but its views are not memory: only for builders of this program's own.
  void try_shapes() {
    const auto own = host_builders();
    if (std::ranges::none_of(own, [&](const BuilderEntry& entry) { return entry.name == builder_.name(); })) return;
    ++tally_[props::clause_index("C2.6")];
    const std::string wrong = sim::wrong_refusal(builder_);
    if (wrong.empty()) return;
    refused_ = {.law = "refuses_wrong_shapes",
                .clause = "C2.6",
                .builder = std::string(builder_.name()),
                .explanation = "  where     " + wrong + "\n",
                .scenario = sim::print(sim::Finding{})};
    refining_(refused_);
  }

  void play(std::int64_t index) {
    desk_.case_index = index;
    desk_.builder = 0;
    ++desk_.beats;
    const sim::Fitted own = sim::fit(scenario_of(campaign_, index), builder_.capabilities().promise);
    sim::ExcuseTally::note(fitted_.cases, own.by);
    const std::int64_t before = player_.player().coverage().steps;
    const std::vector<props::Breach> breaches = player_.play(own.scenario);
    ++result_.cases;
    ++desk_.cases;
    desk_.steps += player_.player().coverage().steps - before;
    for (const props::Breach& breach : breaches) record(own.scenario, breach, index);
  }

  bool breaks(std::string_view clause, const sim::Scenario& scenario) {
    return std::ranges::any_of(again_.play(scenario), [&](const props::Breach& one) { return one.clause == clause; });
  }

  // A second one of the same clause may have another cause: then it shrinks to a clause of its own.
  void record(const sim::Scenario& scenario, const props::Breach& breach, std::int64_t index) {
    constexpr int shrunk_at_most = 2;
    const std::string clause(breach.clause);
    if (++seen_[clause] > shrunk_at_most || board_.stopped()) return;
    recorder_.record(
        {scenario, breach.violation, index, stands_.all().front().spec, clause},
        [&, law = breach.violation.law](const sim::Scenario& candidate) -> std::span<const sim::Violation> {
          met_.reset();
          for (props::Breach& one : again_.play(candidate))
            if (one.clause == clause) {
              met_ = std::move(one.violation);
              met_->law = law;
            }
          return met_ ? std::span<const sim::Violation>(&*met_, 1) : std::span<const sim::Violation>();
        });
  }

  const Campaign& campaign_;
  Board& board_;
  Desk& desk_;
  Stands stands_;
  Builder& builder_;
  std::unique_ptr<Builder> peer_ = host_builders().front().make(Fault::none);
  OnFailure refining_;
  Recorder recorder_;
  props::ClauseTally tally_{};
  ClausePlayer player_;
  ClausePlayer again_;  ///< whose passes are not counted
  sim::ExcuseTally fitted_;
  std::map<std::string, int> seen_;
  std::optional<sim::Violation> met_;
  Failure refused_;
  Result result_;
};

}  // namespace

Result work_by_clauses(const Campaign& campaign, Share share, Board& board, Desk& desk, const OnFailure& on_failure) {
  return ConformWorker(campaign, board, desk, on_failure).run(share);
}

}  // namespace pagestorm::cli
