#include "run_up.hpp"

#include <algorithm>

#include "clock.hpp"
#include "run_hash.hpp"
#include "sim/fit.hpp"
#include "stand.hpp"
#include "worker.hpp"

namespace pagestorm::cli {
namespace {

constexpr std::size_t plays_most = 4096;
constexpr std::uint64_t search_ns = 4'000'000'000;  // after that no other play begins

}  // namespace

std::vector<std::int64_t> plays_before(std::int64_t index, std::int64_t first, std::int64_t jobs, bool again) {
  std::vector<std::int64_t> plays(again ? 2 : 0, index);
  for (std::int64_t i = index - jobs; i >= first; i -= jobs)
    for (int times = i % cases_a_repeat == 0 ? 3 : 1; times > 0; --times) {
      if (plays.size() == plays_most) return plays;
      plays.push_back(i);
    }
  return plays;
}

std::vector<sim::Scenario> RunUp::shortest(const sim::Scenario& scenario, std::string_view law) const {
  const std::uint64_t deadline = nanoseconds_now() + search_ns;
  const auto fail = [&](std::size_t plays) { return fails(with_last(plays, scenario), law, deadline); };
  std::size_t too_few = 0;
  std::size_t enough = 0;
  for (std::size_t plays = 1; too_few < plays_.size() && enough == 0; plays *= 4) {
    const std::size_t tried = std::min(plays, plays_.size());
    if (nanoseconds_now() >= deadline) return {};
    (fail(tried) ? enough : too_few) = tried;
  }
  while (too_few + 1 < enough && nanoseconds_now() < deadline) {
    const std::size_t middle = (too_few + enough) / 2;
    (fail(middle) ? enough : too_few) = middle;
  }
  return enough == 0 ? std::vector<sim::Scenario>{} : with_last(enough, scenario);
}

std::vector<sim::Scenario> RunUp::with_last(std::size_t plays, const sim::Scenario& scenario) const {
  std::vector<sim::Scenario> scenarios;
  for (std::size_t back = plays; back > 0; --back)
    scenarios.push_back(sim::fit(scenario_of(campaign_, plays_[back - 1]), promise_).scenario);
  scenarios.push_back(scenario);
  return scenarios;
}

bool RunUp::fails(const std::vector<sim::Scenario>& scenarios, std::string_view law, std::uint64_t deadline) const {
  Stands fresh({spec_}, law_names({}), campaign_.fault, nullptr, ReadBy::host, campaign_.outside.limits);
  sim::Player& player = *fresh.all().front().player;
  for (const sim::Scenario& one : scenarios) {
    if (nanoseconds_now() >= deadline) return false;
    if (of_law(player.play(one), law) != nullptr) return true;
  }
  return false;
}

}  // namespace pagestorm::cli
