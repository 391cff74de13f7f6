// pagestorm streams: queued work on real streams, under delays that show what the model of time calls a hazard.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "error.hpp"
#include "finding_fault.hpp"
#include "save.hpp"
#include "sim/report.hpp"
#include "sim/text.hpp"
#include "sim/time/host_streams.hpp"
#include "stream_runs.hpp"

namespace pagestorm::cli {
namespace {

struct StreamsOptions {
  StreamRuns runs;
  std::string on = "device";
  std::string file;
  bool with_fault = false;
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

std::vector<StreamPair> chosen(const std::string& name) {
  std::vector<StreamPair> all;
  std::vector<std::string_view> names;
  for (const sim::StreamHazard& which : sim::stream_hazards()) {
    names.push_back(which.name);
    if (name.empty() || which.name == name) all.push_back(pair_of(which));
  }
  if (all.empty())
    throw UsageError(fmt::format("--hazard: there is no hazard '{}'; use one of {}", name, fmt::join(names, ", ")));
  return all;
}

void print_heads(const StreamRuns& runs) {
  fmt::print("{:<22} {:<12} {:<12} {:<12} what is read while the earlier operation is held up, {} µs\n", "hazard",
             "its delay", "corrected", "any delays", runs.hold_up_us);
}

bool print(const HazardRuns& ran, bool corrected, const StreamRuns& runs, nlohmann::json& json) {
  const bool right = ran.shown == runs.runs && ran.shown_right == 0;
  const auto of = [](std::int64_t some, std::int64_t all) { return fmt::format("{:>4} of {:<4}", some, all); };
  fmt::print("{:<22} {:<12} {:<12} {:<12} {}{}\n", ran.name, of(ran.shown, runs.runs),
             corrected ? of(ran.shown_right, runs.runs) : "not known", of(ran.shown_drawn, drawn_for_a_hazard(runs)),
             right ? "" : "WRONG  ", ran.seen.empty() ? "nothing was seen" : ran.seen);
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
  const std::vector<StreamPair> pairs = chosen(options.hazard);
  if (!options.hazard.empty()) fmt::print("{}\n", explain(pairs.front()));
  print_heads(runs);
  bool right = true;
  std::int64_t drawn = 0;
  for (const StreamPair& pair : pairs) {
    const HazardRuns ran = run_hazard(runner, pair, runs);
    right = print(ran, true, runs, json) && right;
    drawn += ran.shown_drawn;
  }
  if (!options.hazard.empty() || drawn > 0) return right;
  fmt::print("WRONG  drawn delays show no hazard at all\n");
  return false;
}

void print_plan_heads(const StreamRuns& runs) {
  fmt::print("{:<32} {:>16}  seed {}\n", "plan without a hazard", "odd placements", runs.seed);
}

/// Whether no delay placed anywhere shows anything where nothing is wrong.
bool run_plans(StreamRunner& runner, const StreamsOptions& options, nlohmann::json& json) {
  print_plan_heads(options.runs);
  bool right = true;
  for (const sim::RightPlan& which : sim::right_plans())
    right =
        print(run_plan(runner, std::string(which.name), sim::StreamScene(stream_scenario(which.timing)), options.runs),
              json) &&
        right;
  return print(run_drawn(runner, options.runs), json) && right;
}

/// A scenario with a hazard is run under its delay, and without its fault; one that has none, under drawn delays.
bool run_file(StreamRunner& runner, const StreamsOptions& options, nlohmann::json& json) {
  const sim::Finding finding = sim::parse(read_file(options.file), options.file);
  const Fault fault = options.with_fault ? fault_of(finding, options.file) : Fault::none;
  if (!finding.scenario.config.timing.overlap)
    throw UsageError(options.file + ": timing: nothing is queued; write 'timing: overlap'");
  const sim::StreamScene scene(finding.scenario, fault);
  if (scene.queue().first() != 0) throw UsageError(options.file + ": steps: too many to be run on streams; use fewer");
  if (!scene.hazard()) {
    print_plan_heads(options.runs);
    return print(run_plan(runner, options.file, scene, options.runs), json);
  }
  StreamPair pair{std::filesystem::path(options.file).stem().string(), finding.note, finding.scenario, fault, {}};
  if (fault != Fault::none && !sim::StreamScene(pair.wrong).hazard()) pair.right = pair.wrong;
  fmt::print("{}\n", explain(pair));
  print_heads(options.runs);
  return print(run_hazard(runner, pair, options.runs), pair.right.has_value(), options.runs, json);
}

bool run_all(StreamRunner& runner, const StreamsOptions& options, nlohmann::json& json) {
  bool right = true;
  if (options.only != "plans") right = run_hazards(runner, options, json);
  if (options.only.empty()) fmt::print("\n");
  if (options.only != "hazards") right = run_plans(runner, options, json) && right;
  return right;
}

int run_streams(StreamsOptions options) {
  if (!options.hazard.empty()) options.only = "hazards";
  if (options.with_fault && options.file.empty()) throw UsageError("--with-fault: name a scenario file, too");
  static_cast<void>(chosen(options.hazard));  // before a device is asked for
  nlohmann::json json{{"on", options.on}, {"seed", options.runs.seed}, {"hold_up_us", options.runs.hold_up_us}};
  const auto runner = runner_on(options.on);
  const bool right = options.file.empty() ? run_all(*runner, options, json) : run_file(*runner, options, json);
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
                         "       pagestorm streams --hazard staging-overwritten\n"
                         "       pagestorm streams mine.scenario --with-fault");
  auto options = std::make_shared<StreamsOptions>();
  command->add_option("--on", options->on, "device: streams, events and graphs of CUDA; host: the same in virtual time")
      ->check(CLI::IsMember({"device", "host"}))
      ->capture_default_str();
  auto* file = command->add_option("FILE", options->file, "the queued work of this scenario file alone");
  command->add_flag("--with-fault", options->with_fault, "switch on the fault that the file names");
  command->add_option("--hazard", options->hazard, "this hazard alone, with its report")->excludes(file);
  command->add_option("--only", options->only, "hazards, or plans without one [both]")
      ->excludes(file)
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
