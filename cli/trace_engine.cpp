#include "trace_engine.hpp"

#include <fmt/format.h>

#include <exception>
#include <nlohmann/json.hpp>

#include "at_once.hpp"
#include "candidates.hpp"
#include "clock.hpp"
#include "error.hpp"
#include "save.hpp"
#include "sim/report.hpp"
#include "sim/shrink.hpp"
#include "sim/text.hpp"
#include "stand.hpp"
#include "trace_json.hpp"

namespace pagestorm::cli {
namespace {

constexpr double progress_s = 0.2;
constexpr std::int64_t shrink_budget = 2000;

std::string line_of(const nlohmann::json& json) {
  // Messages of the system may hold bytes that are no UTF-8.
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class Engine {
 public:
  Engine(const TraceTask& task, std::size_t index, const std::vector<sim::DriveRequest>& requests,
         const Child::Say& say)
      : task_(task),
        index_(index),
        say_(say),
        stands_({task.builder}, task.laws, task.fault, nanoseconds_now, ReadBy::host, task.outside.limits),
        stand_(stands_.all().front()),
        options_(with_seed(task.options, index)),
        drive_(*stand_.player, requests, options_) {}

  void run(Result& result) {
    while (drive_.advance())
      if (seconds_since(told_) >= progress_s) tell();
    tell();
    if (!task_.timeline.empty()) write_file(timeline_file(task_, index_), drive_.timeline().csv());
    if (!drive_.violations().empty()) result.failures.push_back(reduce(drive_.violations().front()));
    result.builders = {std::string(stand_.builder->name())};
    result.coverage = stand_.player->coverage();
    result.cases = 1;
    result.shared_seconds = static_cast<double>(stand_.player->shared_nanoseconds()) * 1e-9;
    add_rows(result, stand_.builder->name(), stand_.laws, stand_.player->tallies());
    add_excuses(result, stand_.builder->name(), *stand_.player, {});
  }

  const sim::DriveTally& tally() const { return drive_.tally(); }

 private:
  // Engines that hand out pages in the same order would all meet the same cases.
  static sim::DriveOptions with_seed(sim::DriveOptions options, std::size_t index) {
    options.seed = sim::sub_seed(options.seed, index);
    return options;
  }

  void tell() {
    told_ = nanoseconds_now();
    const sim::DriveTally& tally = drive_.tally();
    say_(line_of({{"progress", EngineProgress{tally.requests, tally.forwards, tally.rows}}}));
  }

  Failure reduce(const sim::Violation& violation) {
    say_(line_of({{"violated", violation.law}}));
    const std::uint64_t found = nanoseconds_now();
    Failure failure{.law = violation.law,
                    .builder = std::string(stand_.builder->name()),
                    .fault = task_.fault == Fault::none ? "" : std::string(fault_name(task_.fault)),
                    .case_index = static_cast<std::int64_t>(index_)};
    const auto peer = host_builders().front().make(Fault::none);
    const bool is_peer = fault_at(FaultSite::builder, task_.fault) == Fault::none && task_.builder == peer->name();
    // A call that fails can be any law's.
    const auto laws = make_laws(sim::is_about_failing(violation.law) ? task_.laws : std::vector{violation.law});
    sim::Player judge(*stand_.builder, is_peer ? nullptr : peer.get(), laws);
    judge.bend(task_.fault);
    stand_.builder->hurry(true);
    const std::vector<sim::Scenario> suspects = drive_.suspects();
    AtOnce at_once(task_.out, task_.outside.typed, at_once_);
    // The last one is nearest to what happened.
    if (sim::is_about_failing(violation.law) && !suspects.empty())
      at_once.keep(failure, finding_of(failure, suspects.back()), place(), violation.why);
    const Replay replay = [&](const sim::Scenario& candidate) { return judge.play(candidate); };
    Candidates candidates(violation.law, replay);
    sim::Scenario smallest;
    failure.flaky = true;
    for (const sim::Scenario& suspect : suspects) {
      smallest = suspect;
      failure.steps_before = static_cast<std::int64_t>(suspect.steps.size());
      failure.flaky = !candidates.fails(suspect);
      if (!failure.flaky) break;
    }
    sim::Violation shown = violation;
    if (!failure.flaky) {
      const auto fails = [&](const sim::Scenario& candidate) { return candidates.fails(candidate); };
      const sim::Shrunk shrunk = sim::shrink(smallest, fails, shrink_budget);
      smallest = shrunk.scenario;
      failure.tries = shrunk.tries;
      shown = candidates.violation_of(smallest, violation);
    } else {
      shown.step = failure.steps_before - 1;
    }
    failure.steps_after = static_cast<std::int64_t>(smallest.steps.size());
    failure.explanation = sim::explain(smallest, shown) + candidates.cut_short();
    failure.shrink_s = seconds_since(found);
    keep(failure, finding_of(failure, smallest), task_.out, task_.outside.typed);
    at_once.give_way_to(failure);
    return failure;
  }

  std::string place() const {
    return fmt::format("engine {} of {}, step {}", index_ + 1, task_.jobs, drive_.tally().steps);
  }

  sim::Finding finding_of(const Failure& failure, const sim::Scenario& scenario) const {
    return {.law = failure.law,
            .builder = task_.builder,
            .fault = failure.fault,
            .note = fmt::format("{}{}, page size {}, seed {}, {}", failure.flaky ? "not seen again: " : "",
                                sim::name_of(task_.format), task_.options.page_size, task_.options.seed, place()),
            .scenario = scenario};
  }

  const TraceTask& task_;
  std::size_t index_;
  const Child::Say& say_;
  Tell at_once_ = [this](const std::string& lines) { say_(line_of({{"at_once", lines}})); };
  Stands stands_;
  Stand& stand_;
  sim::DriveOptions options_;
  sim::TraceDrive drive_;
  std::uint64_t told_ = nanoseconds_now();
};

}  // namespace

void drive_engine(const TraceTask& task, const sim::DrivePlan& plan, std::size_t engine, const Child::Say& say) {
  Result result;
  sim::DriveTally tally;
  try {
    const std::vector<sim::DriveRequest> requests = sim::share_of(plan, engine, task.jobs);
    Engine one(task, engine, requests, say);
    one.run(result);
    tally = one.tally();
  } catch (const std::exception& error) {
    result.error = error.what();
  }
  say(line_of({{"result", result}, {"tally", tally}}));
}

}  // namespace pagestorm::cli
