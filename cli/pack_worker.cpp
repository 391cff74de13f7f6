#include "pack_worker.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clock.hpp"
#include "device_stand.hpp"
#include "record.hpp"

namespace pagestorm::cli {
namespace {

constexpr std::int64_t cases_a_turn = 4096;

class PackWorker {
 public:
  PackWorker(const Campaign& campaign, Board& board, Desk& desk, const OnFailure& on_failure)
      : campaign_(campaign),
        board_(board),
        desk_(desk),
        stands_(campaign.builders, campaign.laws, campaign.fault, nanoseconds_now),
        recorder_(campaign, desk, on_failure),
        failed_(stands_.all().size(), false) {
    const sim::PackOptions options{.compare = campaign.judge == JudgedBy::both};
    for (Stand& stand : stands_.all())
      devices_.push_back(std::make_unique<DeviceStand>(stand, campaign.fault, options));
  }

  Result run(Share share) {
    const std::int64_t stride = cases_a_turn * share.jobs;
    for (std::int64_t first = share.first; !is_over(first); first += stride) {
      for (std::size_t s = 0; s < devices_.size(); ++s)
        if (!failed_[s]) play_turn(s, first, share.jobs);
    }
    return report();
  }

 private:
  bool is_over(std::int64_t index) const {
    const bool all_failed = std::find(failed_.begin(), failed_.end(), false) == failed_.end();
    return board_.stopped() || all_failed || (campaign_.cases > 0 && index >= campaign_.cases);
  }

  /// Cases first, first + jobs, ... on one builder.
  void play_turn(std::size_t s, std::int64_t first, std::int64_t jobs) {
    sim::Pack& pack = devices_[s]->pack();
    const std::uint64_t start = nanoseconds_now();
    const std::int64_t steps_before = pack.coverage().steps;
    std::int64_t played = 0;
    desk_.builder = static_cast<std::int64_t>(s);
    pack.play(
        [&]() -> std::optional<sim::PackCase> {
          const std::int64_t index = first + played * jobs;
          if (is_over(index) || played == cases_a_turn) return std::nullopt;
          ++played;
          desk_.case_index = index;
          ++desk_.beats;
          ++desk_.cases;
          ++result_.cases;
          return sim::PackCase{index, scenario_of(campaign_, index)};
        },
        [&](const sim::PackCase& one, const sim::Violation& violation) {
          failed_[s] = !campaign_.keep_going;
          if (recorder_.is_worth_it(violation)) record(s, one, violation);
          return campaign_.keep_going;
        });
    desk_.steps += pack.coverage().steps - steps_before;
    result_.shared_seconds += seconds_since(start);
  }

  /// The ordinary player shrinks what breaks a law; where judges do not agree, a pack of one does.
  void record(std::size_t s, const sim::PackCase& one, const sim::Violation& violation) {
    Stand& stand = stands_.all()[s];
    if (violation.law == sim::judges_agree) {
      DeviceStand alone(stand, campaign_.fault, {.seats = 1, .compare = true});
      std::vector<sim::Violation> found;
      return recorder_.record({one.scenario, violation, one.index, stand.spec}, [&](const sim::Scenario& scenario) {
        found = compared(alone, scenario);
        return std::span<const sim::Violation>(found);
      });
    }
    recorder_.record({one.scenario, violation, one.index, stand.spec},
                     [&](const sim::Scenario& scenario) { return stand.player->play(scenario); });
  }

  Result report() {
    for (const auto& device : devices_) {
      result_.builders.emplace_back(device->builder().name());
      result_.excused_far += device->pack().excused_far();
      add_rows(result_, device->builder().name(), device->laws(), device->pack().tallies());
    }
    if (!devices_.empty()) result_.coverage = devices_.front()->pack().coverage();
    result_.absent = stands_.absent();
    return result_;
  }

  const Campaign& campaign_;
  Board& board_;
  Desk& desk_;
  Stands stands_;
  std::vector<std::unique_ptr<DeviceStand>> devices_;
  Recorder recorder_;
  std::vector<bool> failed_;
  Result result_;
};

}  // namespace

Result work_in_packs(const Campaign& campaign, Share share, Board& board, Desk& desk, const OnFailure& on_failure) {
  return PackWorker(campaign, board, desk, on_failure).run(share);
}

}  // namespace pagestorm::cli
