#include "conform_worker.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conform_edges.hpp"
#include "conform_page.hpp"
#include "conform_player.hpp"
#include "props/conform/attribute.hpp"
#include "record.hpp"
#include "sim/fit.hpp"
#include "sim/refusals.hpp"
#include "sim/text.hpp"
#include "stand.hpp"

namespace pagestorm::cli {
namespace {

class ConformWorker {
 public:
  ConformWorker(const Campaign& campaign, Board& board, Desk& desk, const OnFailure& on_failure)
      : campaign_(campaign),
        board_(board),
        desk_(desk),
        stands_(campaign.builders, campaign.laws, campaign.fault, nullptr, ReadBy::host, campaign.outside.limits),
        builder_(*stands_.all().front().builder),
        on_failure_(on_failure),
        refining_{on_failure.at_once,
                  [this, &on_failure](const Failure& failure) {
                    Failure refined = failure;
                    const sim::Scenario smallest = sim::parse(failure.scenario, "a failure").scenario;
                    refined.clause = props::refined(failure.clause, smallest, [&](const sim::Scenario& one) {
                      return breaks(failure.clause, one);
                    });
                    on_failure.done(refined);
                  }},
        recorder_(campaign, desk, refining_),
        player_(builder_, peer(), campaign.laws, campaign.fault, &tally_),
        again_(builder_, peer(), campaign.laws, campaign.fault, nullptr),
        edges_(builder_, campaign, desk, on_failure) {}

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
    result_.edge_calls = edges_.calls();
    result_.clauses.assign(tally_.begin(), tally_.end());
    add_rows(result_, builder_.name(), player_.laws(), player_.player().tallies());
    add_excuses(result_, builder_.name(), player_.player(), fitted_);
    return result_;
  }

 private:
  Builder* peer() { return campaign_.fault == Fault::none && builder_.name() == peer_->name() ? nullptr : peer_.get(); }

  // Before any case, so that each run comes to it.
  void try_shapes() {
    const sim::Refusals all = sim::offer_wrong_shapes(builder_);
    tally_[props::clause_index("C2.6")] += all.offered;
    if (!all.wrong) return;
    Result played;
    Failure failure{.law = std::string(refuses_wrong_shapes),
                    .clause = "C2.6",
                    .builder = std::string(builder_.name()),
                    .fault = campaign_.fault == Fault::none ? "" : std::string(fault_name(campaign_.fault)),
                    .flaky = !sim::offer_wrong_shapes(builder_).wrong,
                    .explanation = explained(*all.wrong),
                    .replay = conform_command(campaign_, played)};
    ++desk_.failures;
    on_failure_.done(failure);
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
    edges_.play(index, tally_);
  }

  bool breaks(std::string_view clause, const sim::Scenario& scenario) {
    return std::ranges::any_of(again_.play(scenario), [&](const props::Breach& one) { return one.clause == clause; });
  }

  // A second one of the same clause may have another cause: then it shrinks to a clause of its own. The first counts even
  // when the time is over.
  void record(const sim::Scenario& scenario, const props::Breach& breach, std::int64_t index) {
    constexpr int shrunk_at_most = 2;
    const std::string clause(breach.clause);
    const int seen = ++seen_[clause];
    if (seen > (board_.stopped() ? 1 : shrunk_at_most)) return;
    builder_.hurry(true);
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
    builder_.hurry(false);
  }

  const Campaign& campaign_;
  Board& board_;
  Desk& desk_;
  Stands stands_;
  Builder& builder_;
  std::unique_ptr<Builder> peer_ = host_builders().front().make(Fault::none);
  const OnFailure& on_failure_;
  OnFailure refining_;
  Recorder recorder_;
  props::ClauseTally tally_{};
  ClausePlayer player_;
  ClausePlayer again_;  ///< whose passes are not counted
  EdgeCalls edges_;
  sim::ExcuseTally fitted_;
  std::map<std::string, int> seen_;
  std::optional<sim::Violation> met_;
  Result result_;
};

}  // namespace

Result work_by_clauses(const Campaign& campaign, Share share, Board& board, Desk& desk, const OnFailure& on_failure) {
  return ConformWorker(campaign, board, desk, on_failure).run(share);
}

}  // namespace pagestorm::cli
