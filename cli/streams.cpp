// pagestorm streams: queued work on real streams, under delays that show what the model of time calls a hazard.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "error.hpp"
#include "save.hpp"
#include "sim/report.hpp"
#include "sim/time/host_streams.hpp"
#include "stream_runs.hpp"

namespace pagestorm::cli {
namespace {

struct StreamsOptions {
  StreamRuns runs;
  std::string on = "device";
  std::string hazard;
  std::string only;
  std::string json;
};

std::unique_ptr<StreamRunner> runner_on(const std::string& where) {
  if (where == "host") return sim::time::host_streams();
  if (const std::string absent = device_streams_absent_because(); !absent.empty())
    throw EnvironmentError("--on device: nothing can be run: " + absent + "; --on host runs it in virtual time");
  return device_streams();
}

std::vector<sim::StreamHazard> chosen(const std::string& name) {
  std::vector<sim::StreamHazard> all;
  std::vector<std::string_view> names;
  for (const sim::StreamHazard& which : sim::stream_hazards()) {
    names.push_back(which.name);
    if (name.empty() || which.name == name) all.push_back(which);
  }
  if (all.empty())
    throw UsageError(fmt::format("--hazard: there is no hazard '{}'; use one of {}", name, fmt::join(names, ", ")));
  return all;
}

bool print(const HazardRuns& ran, const StreamRuns& runs, nlohmann::json& json) {
  const bool right = ran.shown == runs.runs && ran.shown_right == 0;
  fmt::print("{:<22} {:>4} of {:<4} {:>4} of {:<4} {:>4} of {:<4} {}{}\n", ran.name, ran.shown, runs.runs,
             ran.shown_right, runs.runs, ran.shown_drawn, drawn_for_a_hazard(runs), right ? "" : "WRONG  ",
             ran.seen.empty() ? "nothing was seen" : ran.seen);
  std::fflush(stdout);
  json["hazards"].push_back({{"name", ran.name},
                             {"runs", runs.runs},
                             {"shown", ran.shown},
                             {"shown_when_right", ran.shown_right},
                             {"drawn_placements", drawn_for_a_hazard(runs)},
                             {"shown_by_drawn", ran.shown_drawn},
                             {"seen", ran.seen}});
  return right;
}

bool print(const PlanRuns& ran, nlohmann::json& json) {
  const std::string odd = ran.odd == 0 ? "" : fmt::format("WRONG  delays of seed {:#x}: {}", ran.seed, ran.seen);
  fmt::print("{:<32} {:>6} of {:<6} {}\n", ran.name, sim::grouped(ran.odd), sim::grouped(ran.placements), odd);
  std::fflush(stdout);
  json["plans"].push_back({{"name", ran.name}, {"placements", ran.placements}, {"odd", ran.odd}, {"seen", ran.seen}});
  return ran.odd == 0;
}

/// Whether each hazard showed in all of its runs, and never in its corrected plan; and some under drawn delays, without
/// which it would mean little that these show nothing elsewhere.
bool run_hazards(StreamRunner& runner, const StreamsOptions& options, nlohmann::json& json) {
  const StreamRuns& runs = options.runs;
  const std::vector<sim::StreamHazard> hazards = chosen(options.hazard);
  if (!options.hazard.empty()) fmt::print("{}\n", explain(hazards.front()));
  fmt::print("{:<22} {:<12} {:<12} {:<12} what is read while the earlier operation is held up, {} µs\n", "hazard",
             "its delay", "corrected", "any delays", runs.hold_up_us);
  bool right = true;
  std::int64_t drawn = 0;
  for (const sim::StreamHazard& which : hazards) {
    const HazardRuns ran = run_hazard(runner, which, runs);
    right = print(ran, runs, json) && right;
    drawn += ran.shown_drawn;
  }
  if (!options.hazard.empty() || drawn > 0) return right;
  fmt::print("WRONG  drawn delays show no hazard at all\n");
  return false;
}

/// Whether no delay placed anywhere shows anything where nothing is wrong.
bool run_plans(StreamRunner& runner, const StreamsOptions& options, nlohmann::json& json) {
  fmt::print("{:<32} {:>16}  seed {}\n", "plan without a hazard", "odd placements", options.runs.seed);
  bool right = true;
  for (const sim::RightPlan& which : sim::right_plans())
    right = print(run_plan(runner, which, options.runs), json) && right;
  return print(run_drawn(runner, options.runs), json) && right;
}

int run_streams(StreamsOptions options) {
  if (!options.hazard.empty()) options.only = "hazards";
  nlohmann::json json{{"on", options.on}, {"seed", options.runs.seed}, {"hold_up_us", options.runs.hold_up_us}};
  static_cast<void>(chosen(options.hazard));  // before a device is asked for
  const auto runner = runner_on(options.on);
  bool right = true;
  if (options.only != "plans") right = run_hazards(*runner, options, json);
  if (options.only.empty()) fmt::print("\n");
  if (options.only != "hazards") right = run_plans(*runner, options, json) && right;
  fmt::print("\n{}\n", right ? "held: every delay shows its hazard, and nothing else shows anything"
                             : "violated: what the model says and what was seen are not the same");
  if (!options.json.empty()) write_file(options.json, json.dump(2) + "\n");
  return right ? held : violated;
}

}  // namespace

void add_streams(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("streams",
                         "Run queued work on real streams, under delays that show each hazard of the model\n"
                         "  e.g. pagestorm streams --on host\n"
                         "       pagestorm streams --hazard staging-overwritten");
  auto options = std::make_shared<StreamsOptions>();
  command->add_option("--on", options->on, "device: streams, events and graphs of CUDA; host: the same in virtual time")
      ->check(CLI::IsMember({"device", "host"}))
      ->capture_default_str();
  command->add_option("--hazard", options->hazard, "this hazard alone, with its report");
  command->add_option("--only", options->only, "hazards, or plans without one [both]")
      ->check(CLI::IsMember({"hazards", "plans"}));
  command->add_option("--runs", options->runs.runs, "runs of each hazard, and of its corrected plan")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  command->add_option("--hold-up", options->runs.hold_up_us, "microseconds that the earlier operation is held up")
      ->check(CLI::Range(1, int{stream_delay_us_max}))
      ->capture_default_str();
  command->add_option("--placements", options->runs.placements, "drawn placements of delays for each plan without one")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--seed", options->runs.seed, "of the drawn placements")->capture_default_str();
  command->add_option("--json", options->json, "write all figures to this file");
  command->callback([&run, options] { run = [options] { return run_streams(*options); }; });
}

}  // namespace pagestorm::cli
