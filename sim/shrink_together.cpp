#include "shrink_together.hpp"

#include <algorithm>

namespace pagestorm::sim {
namespace {

/// Fields that count tokens or pages and mean something here, and the steps' amounts.
template <class Change>
Scenario changed(const Scenario& scenario, const Change& change) {
  Scenario candidate = scenario;
  Config& config = candidate.config;
  std::vector<std::int64_t*> fields = {&config.context, &config.pages};
  if (config.swa) fields.insert(fields.end(), {&config.swa_pages, &config.window});
  if (config.cache) fields.push_back(&config.branch);
  for (std::int64_t* field : fields) *field = std::max<std::int64_t>(1, change(*field));
  for (Step& step : candidate.steps) step.amount = std::max<std::int64_t>(0, change(step.amount));
  return candidate;
}

/// Less by `tokens` where a number is larger than that; pools stay large enough for anything.
Scenario taken_off(const Scenario& scenario, std::int64_t tokens) {
  Scenario candidate =
      changed(scenario, [tokens](std::int64_t value) { return value > tokens ? value - tokens : value; });
  candidate.config.pages = scenario.config.pages;
  candidate.config.swa_pages = scenario.config.swa_pages;
  return candidate;
}

void remove(Scenario& scenario, std::size_t step) {
  scenario.steps.erase(scenario.steps.begin() + static_cast<std::ptrdiff_t>(step));
}

}  // namespace

std::vector<Scenario> smaller_together(const Scenario& scenario) {
  std::vector<Scenario> candidates;
  const auto add = [&](Scenario candidate) {
    if (candidate != scenario) candidates.push_back(std::move(candidate));
  };
  for (std::int64_t left = 1; left < scenario.config.context; left *= 4)
    add(taken_off(scenario, scenario.config.context - left));
  for (const std::int64_t divisor : {64, 8, 2})
    add(changed(scenario, [divisor](std::int64_t value) { return value / divisor; }));
  return candidates;
}

std::vector<Scenario> fewer_with_help(const Scenario& scenario) {
  std::vector<Scenario> candidates;
  const auto add = [&](const auto& change) {
    candidates.push_back(scenario);
    change(candidates.back());
  };
  for (std::size_t gone = 0; gone < scenario.steps.size(); ++gone)
    for (std::size_t other = 0; other < scenario.steps.size(); ++other) {
      if (other == gone) continue;
      const Step& helper = scenario.steps[other];
      if (other < gone) add([&](Scenario& s) { remove(s, gone), remove(s, other); });
      if (helper.amount == 0) add([&](Scenario& s) { s.steps[other].amount = 1, remove(s, gone); });
      if (helper.kind != StepKind::admit)
        add([&](Scenario& s) { s.steps[other] = Step{.kind = StepKind::admit, .amount = 1}, remove(s, gone); });
    }
  return candidates;
}

}  // namespace pagestorm::sim
