#include "record.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "save.hpp"
#include "sim/leeway.hpp"
#include "sim/patience.hpp"
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

void Recorder::record(const Broken& broken, const Replay& replay) {
  const sim::Violation& violation = broken.violation;
  const std::uint64_t found = nanoseconds_now();
  Failure failure{.law = violation.law,
                  .builder = violation.builder,
                  .fault = campaign_.fault == Fault::none ? "" : std::string(fault_name(campaign_.fault)),
                  .case_index = broken.index,
                  .steps_before = static_cast<std::int64_t>(broken.scenario.steps.size()),
                  .found_after_s = static_cast<double>(found - started_) * 1e-9};
  sim::Patience patience;
  const auto fails = [&](const sim::Scenario& candidate) {
    ++desk_.beats;
    if (patience.is_over()) return false;
    const auto met = replay(candidate);
    patience.note(met);
    return of_law(met, failure.law) != nullptr;
  };
  sim::Scenario smallest = broken.scenario;
  std::string leeway;
  smallest.steps.resize(static_cast<std::size_t>(violation.step) + 1);
  Failure first = failure;
  if (sim::is_about_failing(failure.law)) keep(first, finding_of(first, broken, smallest), campaign_.out);
  for (int i = 0; i < repeats; ++i) failure.flaky = !fails(smallest) || failure.flaky;
  if (!failure.flaky) {
    const sim::Shrunk shrunk = sim::shrink(smallest, fails);
    smallest = shrunk.scenario;
    failure.tries = shrunk.tries;
    if (!sim::is_about_failing(failure.law)) leeway = print(sim::leeway_of(smallest, fails));
  }
  const sim::Violation* last = of_law(replay(smallest), failure.law);
  failure.explanation = sim::explain(smallest, last != nullptr ? *last : violation);
  if (!leeway.empty()) failure.explanation += fmt::format("  leeway    fails {}\n", leeway);
  if (failure.flaky && failure.law == sim::does_not_crash)
    failure.explanation += "  alone     the same scenario in a fresh process holds: what it did before plays a part\n";
  failure.steps_after = static_cast<std::int64_t>(smallest.steps.size());
  failure.shrink_s = seconds_since(found);
  sim::Finding finding = finding_of(failure, broken, smallest);
  if (!leeway.empty()) finding.note += "; fails " + leeway;
  save(failure, finding);
  if (!first.file.empty() && first.file != failure.file && failure.save_error.empty()) std::remove(first.file.c_str());
  on_failure_(failure);
}

sim::Finding Recorder::finding_of(const Failure& failure, const Broken& broken, const sim::Scenario& scenario) const {
  return {.law = failure.law,
          .builder = broken.spec,
          .fault = failure.fault,
          .note = fmt::format("seed {:#x}, case {}", campaign_.seed, failure.case_index),
          .scenario = scenario};
}

// The same minimum from another builder is the same failure: it is reported with the first, not saved again.
void Recorder::save(Failure& failure, const sim::Finding& finding) {
  failure.scenario = sim::print({.scenario = finding.scenario});
  if (!minima_.insert(failure.law + failure.scenario).second) return;
  ++desk_.failures;
  keep(failure, finding, campaign_.out);
}

}  // namespace pagestorm::cli
