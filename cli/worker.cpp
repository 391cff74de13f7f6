#include "worker.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "clock.hpp"
#include "conform_worker.hpp"
#include "pack_worker.hpp"
#include "record.hpp"
#include "reruns.hpp"
#include "run_hash.hpp"
#include "sim/fit.hpp"
#include "sim/rng.hpp"
#include "stand.hpp"

namespace pagestorm::cli {
namespace {

class Worker {
 public:
  Worker(const Campaign& campaign, Board& board, Desk& desk, const OnFailure& on_failure)
      : campaign_(campaign),
        board_(board),
        desk_(desk),
        stands_(campaign.builders, campaign.laws, campaign.fault, nanoseconds_now, campaign.reader,
                campaign.outside.limits),
        failed_(stands_.all().size(), false),
        fitted_(stands_.all().size()),
        hashing_(stands_.all().size()),
        recorder_(campaign, desk, on_failure) {
    for (Stand& stand : stands_.all()) stand.player->draw_reruns(draws_reruns(campaign.reruns, stand.spec));
  }

  Result run(Share share) {
    share_ = share;
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
        const sim::Fitted own = sim::fit(scenario, stands_.all()[s].builder->capabilities().promise);
        sim::ExcuseTally::note(fitted_[s].cases, own.by);
        play_on(s, own.scenario, index);
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
    if (violations.empty()) return repeat(s, scenario, index);
    failed_[s] = !campaign_.keep_going;
    if (recorder_.is_worth_it(violations.front())) record(s, scenario, violations.front(), index);
  }

  // Now and then a case that holds is played twice more: what a run comes to depends on the scenario alone.
  void repeat(std::size_t s, const sim::Scenario& scenario, std::int64_t index) {
    if (index % cases_a_repeat != 0) return;
    HashingPlayer& player = hashing_player(s);
    std::uint64_t hash = 0;
    const auto difference = player.difference(scenario, hash);
    result_.run_hash += sim::sub_seed(hash, static_cast<std::uint64_t>(index));
    ++result_.repeated;
    if (!difference) return;
    failed_[s] = !campaign_.keep_going;
    std::optional<sim::Violation> last;
    if (!recorder_.is_worth_it(*difference)) return;
    if (sim::is_about_failing(difference->law)) return record(s, scenario, *difference, index, true);
    recorder_.record({scenario, *difference, index, stands_.all()[s].spec}, [&](const sim::Scenario& one) {
      last = player.difference(one, hash);
      return last ? std::span<const sim::Violation>(&*last, 1) : std::span<const sim::Violation>();
    });
  }

  HashingPlayer& hashing_player(std::size_t s) {
    if (!hashing_[s]) {
      Builder& builder = *stands_.all()[s].builder;
      const bool has_peer = campaign_.fault != Fault::none || builder.name() != peer_->name();
      hashing_[s] = std::make_unique<HashingPlayer>(builder, has_peer ? peer_.get() : nullptr, campaign_.laws,
                                                    campaign_.fault, stands_.reading());
      hashing_[s]->draw_reruns(draws_reruns(campaign_.reruns, stands_.all()[s].spec));
    }
    return *hashing_[s];
  }

  // Judged by a player of its own, so that counts are those of the campaign.
  void record(std::size_t s, const sim::Scenario& scenario, const sim::Violation& violation, std::int64_t index,
              bool again = false) {
    Builder& builder = *stands_.all()[s].builder;
    const bool has_peer = campaign_.fault != Fault::none || builder.name() != peer_->name();
    const auto laws = make_laws(campaign_.laws, stands_.reading());
    sim::Player judge(builder, has_peer ? peer_.get() : nullptr, laws);
    judge.bend(campaign_.fault);
    const std::string& spec = stands_.all()[s].spec;
    const RunUp run_up(campaign_, spec, builder.capabilities().promise,
                       plays_before(index, share_.first, share_.jobs, again));
    builder.hurry(true);
    // By all laws it may break another one, and sooner.
    std::optional<sim::Violation> sooner;
    if (draws_reruns(campaign_.reruns, spec) && !sim::is_about_failing(violation.law))
      if (const auto met = judge.play(scenario); !met.empty()) sooner = met.front();
    recorder_.record({.scenario = scenario,
                      .violation = sooner ? *sooner : violation,
                      .index = index,
                      .spec = spec,
                      .run_up = &run_up},
                     [&](const sim::Scenario& one) { return judge.play(one); });
    builder.hurry(false);
  }

  Result report() {
    for (std::size_t s = 0; s < stands_.all().size(); ++s) {
      Stand& stand = stands_.all()[s];
      result_.builders.emplace_back(stand.builder->name());
      add_excuses(result_, stand.builder->name(), *stand.player, fitted_[s]);
      result_.shared_seconds += static_cast<double>(stand.player->shared_nanoseconds()) * 1e-9;
      add_rows(result_, stand.builder->name(), stand.laws, stand.player->tallies());
    }
    if (!stands_.all().empty()) result_.coverage = stands_.all().front().player->coverage();
    result_.coverage.asks_not_tried = 0;
    for (Stand& stand : stands_.all()) result_.coverage.asks_not_tried += stand.player->coverage().asks_not_tried;
    result_.absent = stands_.absent();
    return result_;
  }

  const Campaign& campaign_;
  Board& board_;
  Desk& desk_;
  Stands stands_;
  std::unique_ptr<Builder> peer_ = host_builders().front().make(Fault::none);
  Share share_;
  std::vector<bool> failed_;
  std::vector<sim::ExcuseTally> fitted_;                 ///< scenarios that were changed for a builder
  std::vector<std::unique_ptr<HashingPlayer>> hashing_;  ///< made when they are asked for
  Recorder recorder_;
  Result result_;
};

}  // namespace

sim::Scenario scenario_of(const Campaign& campaign, std::int64_t case_index) {
  return sim::draw(sim::sub_seed(campaign.seed, static_cast<std::uint64_t>(case_index)), campaign.space);
}

Result work(const Campaign& campaign, Share share, Board& board, Desk& desk, const OnFailure& on_failure) {
  try {
    if (campaign.by_clauses) return work_by_clauses(campaign, share, board, desk, on_failure);
    if (campaign.judge != JudgedBy::host) return work_in_packs(campaign, share, board, desk, on_failure);
    return Worker(campaign, board, desk, on_failure).run(share);
  } catch (const std::exception& error) {
    Result result;
    result.error = error.what();
    return result;
  }
}

}  // namespace pagestorm::cli
