#include "record.hpp"

#include <fmt/format.h>

#include "at_once.hpp"
#include "save.hpp"
#include "sim/leeway.hpp"
#include "sim/report.hpp"
#include "sim/shrink.hpp"
#include "sim/text.hpp"

namespace pagestorm::cli {
namespace {

constexpr int repeats = 3;    // a failure that does not come back is no failure yet
constexpr double slow_s = 5;  // whoever shrinks it for longer should be told of it

}  // namespace

bool Recorder::is_worth_it(const sim::Violation& violation) {
  constexpr std::int64_t shrunk_at_most = 200;
  return ++seen_[violation.law + violation.builder] <= shrunk_at_most;
}

void Recorder::record(const Broken& broken, const Replay& replay) {
  const sim::Violation& violation = broken.violation;
  const std::uint64_t found = nanoseconds_now();
  Failure failure{.law = violation.law,
                  .clause = broken.clause,
                  .builder = violation.builder,
                  .fault = campaign_.fault == Fault::none ? "" : std::string(fault_name(campaign_.fault)),
                  .case_index = broken.index,
                  .steps_before = static_cast<std::int64_t>(broken.scenario.steps.size()),
                  .found_after_s = static_cast<double>(found - started_) * 1e-9};
  sim::Scenario smallest = broken.scenario;
  smallest.steps.resize(static_cast<std::size_t>(violation.step) + 1);
  AtOnce at_once(campaign_.out, campaign_.outside.typed, on_failure_.at_once);
  const sim::Finding as_met = finding_of(failure, broken, smallest);
  const auto tell = [&] {
    at_once.keep(failure, as_met, fmt::format("case {}", sim::grouped(broken.index)), violation.why);
  };
  if (sim::is_about_failing(failure.law)) tell();
  const Replay beating = [&](const sim::Scenario& candidate) {
    ++desk_.beats;
    if (!at_once.told() && seconds_since(found) >= slow_s) tell();
    return replay(candidate);
  };
  Candidates candidates(failure.law, beating);
  failure.flaky = !candidates.comes_back(smallest, repeats);
  const std::string leeway = failure.flaky ? "" : make_smaller(failure, smallest, candidates);
  failure.explanation = sim::explain(smallest, candidates.violation_of(smallest, violation)) + candidates.cut_short();
  if (!leeway.empty()) failure.explanation += fmt::format("  leeway    fails {}\n", leeway);
  failure.steps_after = static_cast<std::int64_t>(smallest.steps.size());
  failure.shrink_s = seconds_since(found);
  sim::Finding finding = finding_of(failure, broken, smallest);
  if (!leeway.empty()) finding.note += "; fails " + leeway;
  save(failure, finding);
  if (failure.flaky && sim::costs_a_process(failure.law)) look_back(failure, broken, smallest);
  at_once.give_way_to(failure);
  on_failure_.done(failure);
}

// A scenario that fails once, and not when it is played alone: what its builder's process did before plays a part.
void Recorder::look_back(Failure& failure, const Broken& broken, const sim::Scenario& scenario) const {
  failure.explanation += "  alone     the same scenario in a fresh process holds";
  const auto run =
      broken.run_up == nullptr ? std::vector<sim::Scenario>{} : broken.run_up->shortest(scenario, failure.law);
  if (run.empty()) {
    failure.explanation += failure.law == sim::does_not_crash
                               ? ": what it did before plays a part\n"
                               : ": what it did before may play a part, or a machine with too much to do\n";
    return;
  }
  failure.flaky = false;
  failure.explanation += fmt::format("; after the {} plays before it, it fails again\n", run.size() - 1);
  keep_run(failure, finding_of(failure, broken, scenario), run, campaign_.outside.typed);
}

// How much later or earlier things may come, where that is known, is returned.
std::string Recorder::make_smaller(Failure& failure, sim::Scenario& scenario, Candidates& candidates) const {
  const sim::StillFails fails = [&](const sim::Scenario& candidate) { return candidates.fails(candidate); };
  const sim::Shrunk shrunk = sim::shrink(scenario, fails);
  scenario = shrunk.scenario;
  failure.tries = shrunk.tries;
  return sim::is_about_failing(failure.law) ? "" : print(sim::leeway_of(scenario, fails));
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
  if (!minima_.insert(failure.law + failure.clause + failure.scenario).second) return;
  ++desk_.failures;
  keep(failure, finding, campaign_.out, campaign_.outside.typed);
}

}  // namespace pagestorm::cli
