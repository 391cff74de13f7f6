#include "replay_play.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "device_stand.hpp"
#include "judge_options.hpp"
#include "options.hpp"
#include "props/laws.hpp"
#include "run_hash.hpp"
#include "sim/fit.hpp"
#include "sim/report.hpp"
#include "stand.hpp"

namespace pagestorm::cli {
namespace {

// A file about two judges is played before both, on the image laws of those asked for.
nlohmann::json compare_judges(const ReplayTask& task) {
  CampaignText asked{.builders = task.builders, .judge = "both"};
  Campaign campaign{.builders = task.builders, .laws = law_names({})};
  read_judge(asked, campaign);
  Stands stands(campaign.builders, campaign.laws, task.fault, nullptr);
  nlohmann::json verdict{{"code", held}};
  std::string lines;
  for (Stand& stand : stands.all()) {
    DeviceStand device(stand, task.fault, {.seats = 1, .compare = true});
    const std::vector<sim::Violation> violations = compared(device, task.finding.scenario);
    if (violations.empty()) {
      lines += fmt::format("held on {}\n", stand.builder->name());
      continue;
    }
    lines += fmt::format("{} is VIOLATED by {}\n\n{}", violations.front().law, stand.builder->name(),
                         sim::explain(task.finding.scenario, violations.front()));
    verdict["code"] = violated;
  }
  verdict["lines"] = lines;
  return verdict;
}

// Builders, and what they were set up for.
class Ready {
 public:
  explicit Ready(const ReplayHow& how) : how_(how) {}

  Stands& stands_for(const ReplayTask& task) {
    // A file about two readers is played before both.
    const ReadBy reader = task.finding.law == props::readers_agree_name ? ReadBy::both : ReadBy::host;
    if (stands_ && builders_ == task.builders && fault_ == task.fault && reader_ == reader) return *stands_;
    hashing_.clear();
    stands_.reset();
    stands_.emplace(task.builders, how_.laws, task.fault, nullptr, reader, how_.limits);
    builders_ = task.builders;
    fault_ = task.fault;
    reader_ = reader;
    hashing_.resize(stands_->all().size());
    return *stands_;
  }

  std::uint64_t hash_of(std::size_t stand, const sim::Scenario& scenario) {
    std::unique_ptr<HashingPlayer>& player = hashing_[stand];
    if (!player)
      player = std::make_unique<HashingPlayer>(*stands_->all()[stand].builder, peer_.get(), how_.laws, fault_,
                                               stands_->reading());
    return player->hash_of(scenario);
  }

 private:
  const ReplayHow& how_;
  std::vector<std::string> builders_;
  Fault fault_ = Fault::none;
  ReadBy reader_ = ReadBy::host;
  std::optional<Stands> stands_;
  std::unique_ptr<Builder> peer_ = host_builders().front().make(Fault::none);
  std::vector<std::unique_ptr<HashingPlayer>> hashing_;  ///< by stand; made when they are asked for
};

std::string show(const ReplayTask& task, const Stand& stand, const sim::Scenario& played,
                 std::span<const sim::Violation> violations) {
  if (violations.empty()) return fmt::format("held on {}\n", stand.builder->name());
  // The law of the file first: other laws may be violated by the same step.
  const sim::Violation* own = of_law(violations, task.finding.law);
  const sim::Violation& shown = own != nullptr ? *own : violations.front();
  std::string lines = fmt::format("{} is VIOLATED by {}{}\n\n{}", shown.law, stand.builder->name(),
                                  task.fault == Fault::none ? "" : fmt::format(" + {}", fault_name(task.fault)),
                                  sim::explain(played, shown));
  for (const sim::Violation& other : violations)
    if (&other != &shown) lines += fmt::format("  also      {}\n", other.law);
  return lines;
}

std::int64_t steps_judged(const sim::Player& player) {
  std::int64_t judged = 0;
  for (const sim::LawTally& tally : player.tallies()) judged += tally.steps;
  return judged;
}

nlohmann::json play(const ReplayTask& task, const ReplayHow& how, Ready& ready) {
  if (task.finding.law == sim::judges_agree) return compare_judges(task);
  Stands& stands = ready.stands_for(task);
  Exit code = held;
  std::string lines;
  std::int64_t judged = 0;
  for (std::size_t s = 0; s < stands.all().size(); ++s) {
    Stand& stand = stands.all()[s];
    const sim::Fitted fitted = sim::fit(task.finding.scenario, stand.builder->capabilities().promise);
    if (fitted.by.any()) lines += fmt::format("fitted to what {} takes\n", stand.builder->name());
    if (how.hash)
      lines += fmt::format("run hash {:#018x} on {}\n", ready.hash_of(s, fitted.scenario), stand.builder->name());
    const std::int64_t judged_before = steps_judged(*stand.player);
    const auto violations = stand.player->play(fitted.scenario);
    judged += steps_judged(*stand.player) - judged_before;
    lines += show(task, stand, fitted.scenario, violations);
    if (!violations.empty()) code = violated;
  }
  if (judged == 0 && code == held) {
    lines += "undecided: no step of this scenario could be judged\n";
    code = undecided;
  }
  return {{"code", code}, {"lines", lines}};
}

}  // namespace

void play_tasks(const std::vector<ReplayTask>& tasks, std::size_t first, const ReplayHow& how, const Child::Say& say) {
  Ready ready(how);
  for (std::size_t i = first; i < tasks.size(); ++i) {
    nlohmann::json verdict;
    try {
      verdict = play(tasks[i], how, ready);
    } catch (const std::exception& error) {
      verdict = {{"code", environment}, {"error", error.what()}};
    }
    say(verdict.dump());
  }
}

}  // namespace pagestorm::cli
