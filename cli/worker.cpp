#include "worker.hpp"

#include <fmt/format.h>

#include <exception>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "clock.hpp"
#include "error.hpp"
#include "save.hpp"
#include "sim/report.hpp"
#include "sim/rng.hpp"
#include "sim/shrink.hpp"
#include "sim/text.hpp"
#include "stand.hpp"

namespace pagestorm::cli {
namespace {

constexpr int repeats = 3;  // a failure that does not come back is no failure yet

class Worker {
 public:
  Worker(const Campaign& campaign, Board& board, Desk& desk, const OnFailure& on_failure)
      : campaign_(campaign),
        board_(board),
        desk_(desk),
        on_failure_(on_failure),
        stands_(campaign.builders, campaign.laws, campaign.fault, nanoseconds_now),
        failed_(stands_.all().size(), false) {}

  Result run(Share share) {
    const auto cases = campaign_.cases;
    for (std::int64_t i = share.first; (cases == 0 || i < cases) && !board_.stopped(); i += share.jobs)
      if (!play_case(i)) break;
    return report();
  }

 private:
  bool play_case(std::int64_t index) {
    desk_.case_index = index;
    const sim::Scenario scenario = scenario_of(campaign_, index);
    bool any = false;
    for (std::size_t s = 0; s < stands_.all().size(); ++s) {
      if (failed_[s] || board_.stopped()) continue;
      any = true;
      desk_.builder = static_cast<std::int64_t>(s);
      ++desk_.beats;
      try {
        play_on(s, scenario, index);
      } catch (const BuilderError& error) {
        // A far layout needs more memory than some devices have: that case is excused, and counted.
        if (!std::string_view(error.what()).starts_with("not enough device memory")) throw;
        ++result_.excused_far;
      }
    }
    return any;
  }

  void play_on(std::size_t s, const sim::Scenario& scenario, std::int64_t index) {
    sim::Player& player = *stands_.all()[s].player;
    const std::int64_t steps_before = player.coverage().steps;
    const auto violations = player.play(scenario);
    ++result_.cases;
    ++desk_.cases;
    desk_.steps += player.coverage().steps - steps_before;
    if (violations.empty()) return;
    failed_[s] = !campaign_.keep_going;
    // A builder that fails everywhere would be shrunk all night: after so many, failures are only counted.
    constexpr std::int64_t shrunk_at_most = 200;
    if (++seen_[violations.front().law + violations.front().builder] > shrunk_at_most) return;
    record(s, scenario, violations.front(), index);
  }

  void record(std::size_t s, const sim::Scenario& scenario, const sim::Violation& violation, std::int64_t index) {
    const std::uint64_t found = nanoseconds_now();
    Failure failure{.law = violation.law,
                    .builder = violation.builder,
                    .fault = campaign_.fault == Fault::none ? "" : std::string(fault_name(campaign_.fault)),
                    .case_index = index,
                    .steps_before = static_cast<std::int64_t>(scenario.steps.size()),
                    .found_after_s = static_cast<double>(found - started_) * 1e-9};
    // Judged by a player of its own, so that counts are those of the campaign.
    Stand& stand = stands_.all()[s];
    const bool has_peer = campaign_.fault != Fault::none || stand.builder->name() != peer_->name();
    const auto laws = make_laws(campaign_.laws);
    sim::Player judge(*stand.builder, has_peer ? peer_.get() : nullptr, laws);
    const auto fails = [&](const sim::Scenario& candidate) {
      ++desk_.beats;
      return of_law(judge.play(candidate), failure.law) != nullptr;
    };
    sim::Scenario smallest = scenario;
    smallest.steps.resize(static_cast<std::size_t>(violation.step) + 1);
    for (int i = 0; i < repeats; ++i) failure.flaky = !fails(smallest) || failure.flaky;
    if (!failure.flaky) {
      const sim::Shrunk shrunk = sim::shrink(smallest, fails);
      smallest = shrunk.scenario;
      failure.tries = shrunk.tries;
    }
    const sim::Violation* last = of_law(judge.play(smallest), failure.law);
    failure.explanation = sim::explain(smallest, last != nullptr ? *last : violation);
    failure.steps_after = static_cast<std::int64_t>(smallest.steps.size());
    failure.shrink_s = seconds_since(found);
    failure.scenario = sim::print({.scenario = smallest});
    // The same minimum from another builder is the same failure: it is reported with the first, not saved again.
    if (minima_.insert(failure.law + failure.scenario).second) {
      ++desk_.failures;
      keep(failure,
           {.law = failure.law,
            .builder = failure.builder,
            .fault = failure.fault,
            .note = fmt::format("seed {:#x}, case {}", campaign_.seed, index),
            .scenario = smallest},
           campaign_.out);
    }
    on_failure_(failure);
  }

  Result report() {
    for (Stand& stand : stands_.all()) {
      result_.builders.emplace_back(stand.builder->name());
      result_.shared_seconds += static_cast<double>(stand.player->shared_nanoseconds()) * 1e-9;
      for (std::size_t i = 0; i < stand.laws.size(); ++i) {
        const sim::LawTally& tally = stand.player->tallies()[i];
        result_.rows.push_back({std::string(stand.laws[i]->name()), std::string(stand.builder->name()), tally.cases,
                                tally.steps, tally.rows, tally.violated,
                                static_cast<double>(tally.nanoseconds) * 1e-9});
      }
    }
    if (!stands_.all().empty()) result_.coverage = stands_.all().front().player->coverage();
    result_.absent = stands_.absent();
    return result_;
  }

  const Campaign& campaign_;
  Board& board_;
  Desk& desk_;
  const OnFailure& on_failure_;
  Stands stands_;
  std::unique_ptr<Builder> peer_ = host_builders().front().make(Fault::none);
  std::vector<bool> failed_;
  std::map<std::string, std::int64_t> seen_;  ///< failures by law and builder
  std::set<std::string> minima_;              ///< distinct ones
  Result result_;
  std::uint64_t started_ = nanoseconds_now();
};

}  // namespace

sim::Scenario scenario_of(const Campaign& campaign, std::int64_t case_index) {
  return sim::draw(sim::sub_seed(campaign.seed, static_cast<std::uint64_t>(case_index)), campaign.space);
}

Result work(const Campaign& campaign, Share share, Board& board, Desk& desk, const OnFailure& on_failure) {
  try {
    return Worker(campaign, board, desk, on_failure).run(share);
  } catch (const std::exception& error) {
    Result result;
    result.error = error.what();
    return result;
  }
}

}  // namespace pagestorm::cli
