#include "record.hpp"

#include <fmt/format.h>

#include "save.hpp"
#include "sim/leeway.hpp"
#include "sim/report.hpp"
#include "sim/shrink.hpp"
#include "sim/text.hpp"
#include "stand.hpp"

namespace pagestorm::cli {
namespace {

constexpr int repeats = 3;  // a failure that does not come back is no failure yet

}  // namespace

bool Recorder::is_worth_it(const sim::Violation& violation) {
  constexpr std::int64_t shrunk_at_most = 200;
  return ++seen_[violation.law + violation.builder] <= shrunk_at_most;
}

void Recorder::record(const sim::Scenario& scenario, const sim::Violation& violation, std::int64_t index,
                      const Replay& replay, const std::string& clause) {
  const std::uint64_t found = nanoseconds_now();
  Failure failure{.law = violation.law,
                  .clause = clause,
                  .builder = violation.builder,
                  .fault = campaign_.fault == Fault::none ? "" : std::string(fault_name(campaign_.fault)),
                  .case_index = index,
                  .steps_before = static_cast<std::int64_t>(scenario.steps.size()),
                  .found_after_s = static_cast<double>(found - started_) * 1e-9};
  const auto fails = [&](const sim::Scenario& candidate) {
    ++desk_.beats;
    return of_law(replay(candidate), failure.law) != nullptr;
  };
  sim::Scenario smallest = scenario;
  std::string leeway;
  smallest.steps.resize(static_cast<std::size_t>(violation.step) + 1);
  for (int i = 0; i < repeats; ++i) failure.flaky = !fails(smallest) || failure.flaky;
  if (!failure.flaky) {
    const sim::Shrunk shrunk = sim::shrink(smallest, fails);
    smallest = shrunk.scenario;
    failure.tries = shrunk.tries;
    leeway = print(sim::leeway_of(smallest, fails));
  }
  const sim::Violation* last = of_law(replay(smallest), failure.law);
  failure.explanation = sim::explain(smallest, last != nullptr ? *last : violation);
  if (!leeway.empty()) failure.explanation += fmt::format("  leeway    fails {}\n", leeway);
  failure.steps_after = static_cast<std::int64_t>(smallest.steps.size());
  failure.shrink_s = seconds_since(found);
  save(failure, smallest, leeway);
  on_failure_(failure);
}

// The same minimum from another builder is the same failure: it is reported with the first, not saved again.
void Recorder::save(Failure& failure, const sim::Scenario& smallest, const std::string& leeway) {
  failure.scenario = sim::print({.scenario = smallest});
  if (!minima_.insert(failure.law + failure.clause + failure.scenario).second) return;
  ++desk_.failures;
  keep(failure,
       {.law = failure.law,
        .builder = failure.builder,
        .fault = failure.fault,
        .note = fmt::format("seed {:#x}, case {}{}{}", campaign_.seed, failure.case_index,
                            leeway.empty() ? "" : "; fails ", leeway),
        .scenario = smallest},
       campaign_.out);
}

}  // namespace pagestorm::cli
