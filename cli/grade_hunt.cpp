#include "grade_hunt.hpp"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "clock.hpp"
#include "sim/rng.hpp"
#include "sim/shrink.hpp"
#include "sim/text.hpp"
#include "stand.hpp"

namespace pagestorm::cli {

#define PAGESTORM_HUNT_FIELDS seed, found, cut, cases, seconds, law, steps_before, steps, tries, shrink_s, scenario

void to_json(nlohmann::json& nlohmann_json_j, const Hunt& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, PAGESTORM_HUNT_FIELDS))
}
void from_json(const nlohmann::json& nlohmann_json_j, Hunt& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, PAGESTORM_HUNT_FIELDS))
}

namespace {

class Hunter {
 public:
  Hunter(const HuntTask& task, const Board& board, Desk& desk)
      : task_(task),
        board_(board),
        desk_(desk),
        stands_({task.builder}, task.laws, task.fault, nullptr),
        player_(*stands_.all().front().player) {
    space_.generator = task.generator;
    space_.flash = needs_flash(task.fault);
  }

  Hunt on_seed(std::int64_t seed) {
    Hunt hunt{.seed = seed};
    const std::uint64_t started = nanoseconds_now();
    while (!hunt.found && hunt.cases < task_.cases && !board_.stopped()) {
      const auto index = static_cast<std::uint64_t>(hunt.cases++);
      const auto scenario = sim::draw(sim::sub_seed(static_cast<std::uint64_t>(seed), index), space_);
      const auto violations = play(scenario);
      if (violations.empty()) continue;
      const auto first = sim::Violation(violations.front());  // shrinking plays on
      hunt.found = true;
      hunt.seconds = seconds_since(started);
      hunt.law = first.law;
      if (task_.shrinks && !shrink(hunt, scenario, first)) return {.seed = seed, .cut = true};
    }
    if (hunt.found) return hunt;
    hunt.cut = hunt.cases < task_.cases;
    hunt.seconds = seconds_since(started);
    return hunt;
  }

 private:
  std::span<const sim::Violation> play(const sim::Scenario& scenario) {
    ++desk_.beats;
    try {
      return player_.play(scenario);
    } catch (const BuilderError& error) {
      // A far layout needs more memory than some devices have: that case finds nothing.
      if (!std::string_view(error.what()).starts_with("not enough device memory")) throw;
      return {};
    }
  }

  // False when it was told to stop: what is left is not the smallest then, and not like that of other seeds.
  bool shrink(Hunt& hunt, sim::Scenario scenario, const sim::Violation& violation) {
    const std::uint64_t started = nanoseconds_now();
    hunt.steps_before = static_cast<std::int64_t>(scenario.steps.size());
    scenario.steps.resize(static_cast<std::size_t>(violation.step) + 1);
    const sim::Shrunk shrunk = sim::shrink(scenario, [&](const sim::Scenario& candidate) {
      return !board_.stopped() && of_law(play(candidate), hunt.law) != nullptr;
    });
    hunt.steps = static_cast<std::int64_t>(shrunk.scenario.steps.size());
    hunt.tries = shrunk.tries;
    hunt.scenario = sim::print(sim::Finding{.scenario = shrunk.scenario});
    hunt.shrink_s = seconds_since(started);
    return !board_.stopped();
  }

  const HuntTask& task_;
  const Board& board_;
  Desk& desk_;
  Stands stands_;
  sim::Player& player_;
  sim::Space space_;
};

}  // namespace

void hunt(const HuntTask& task, const Board& board, Desk& desk, const std::function<void(const Hunt&)>& tell) {
  Hunter hunter(task, board, desk);
  for (std::int64_t seed = 1; seed <= task.seeds && !board.stopped(); ++seed) tell(hunter.on_seed(seed));
}

}  // namespace pagestorm::cli
