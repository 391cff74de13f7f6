#include "bench_host.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench_engine.hpp"
#include "bench_judge.hpp"
#include "bench_race.hpp"
#include "bench_time.hpp"
#include "error.hpp"
#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "save.hpp"
#include "sim/bench_cases.hpp"
#include "sim/player.hpp"
#include "sim/report.hpp"

namespace pagestorm::cli {
namespace {

/// Plays on the host builder, and judges by the write bounds and by the reference.
class Bench {
 public:
  void play(const sim::Scenario& scenario) { require_held(player_.perform(scenario)); }
  void step(const sim::Step& step) { require_held(player_.step(step)); }

 private:
  void require_held(std::span<const sim::Violation> violations) {
    if (!violations.empty())
      throw std::logic_error(violations[0].law + " is violated: what is timed must be right; see pagestorm check");
    if (player_.coverage().no_ops > 0) throw std::logic_error("a step had nothing to do: what is timed must be work");
  }

  std::unique_ptr<Builder> builder_ = host_builders().front().make(Fault::none);
  std::array<std::unique_ptr<sim::Law>, 2> laws_ = {props::writes_only_live_cells(), props::agrees_with_reference()};
  sim::Player player_{*builder_, nullptr, laws_};
};

constexpr std::uint64_t seeds_apart = std::uint64_t{1} << 32;  // between the first seeds of two processes

std::vector<Work> cases() {
  const auto start = [](std::uint64_t process) {
    return [bench = std::make_shared<Bench>(), seed = process * seeds_apart]() mutable {
      constexpr std::int64_t lap = 64;
      for (std::int64_t i = 0; i < lap; ++i) bench->play(sim::bench_case(seed++));
      return lap;
    };
  };
  return {{"whole case", start}};
}

/// Steps over the same requests; a step counts for `units`.
Work steps_over(std::string name, const sim::BenchRows& shape, std::int64_t steps, std::int64_t units) {
  return {std::move(name), [shape, steps, units](std::uint64_t process) {
            auto bench = std::make_shared<Bench>();
            bench->play(sim::bench_rows(shape, process));
            return [bench, steps, units] {
              for (std::int64_t i = 0; i < steps; ++i) bench->step(sim::bench_step(i));
              return steps * units;
            };
          }};
}

std::vector<Work> steps() {
  std::vector<Work> all;
  for (const bool swa : {false, true}) {
    const auto start = [swa](std::uint64_t process) {
      return [bench = std::make_shared<Bench>(), swa, seed = process * seeds_apart]() mutable {
        constexpr std::int64_t lap = 1000;
        bench->play(sim::bench_rows({.swa = swa}, seed++));
        for (std::int64_t i = 0; i < lap; ++i) bench->step(sim::bench_step(i));
        return lap;
      };
    };
    all.push_back({swa ? "step of 8 rows, SWA" : "step of 8 rows", start});
  }
  return all;
}

std::vector<Work> rows() {
  constexpr std::int64_t few_pages = 64;
  constexpr std::int64_t loops = 5 * 40;
  std::vector<Work> all;
  for (const bool swa : {false, true})
    for (const std::int64_t width : {few_pages, std::int64_t{1} << 16})
      all.push_back(steps_over(fmt::format("row of 64 pages in {} columns{}", sim::grouped(width), swa ? ", SWA" : ""),
                               {.pages = few_pages, .uniform = false, .width = width, .swa = swa}, loops, 8));
  for (const bool swa : {false, true})
    for (int power = 4; power <= 20; power += 2) {
      const std::int64_t pages = std::int64_t{1} << power;
      all.push_back(steps_over(fmt::format("page of a row of {}{}", sim::grouped(pages), swa ? ", SWA" : ""),
                               {.rows = 1, .page_size = 1, .pages = pages, .uniform = false, .swa = swa},
                               std::max<std::int64_t>(5, (1 << 16) / pages), pages));
    }
  return all;
}

struct HostOptions {
  Race race;
  std::string only;
  std::string json;
};

/// What one subcommand measures: works of the host, and those of a device, if it has any.
struct Works {
  std::vector<Work> (*host)();
  std::vector<Work> (*device)();
};

nlohmann::json measure(const Work& work, const Race& race, const char* where) {
  const auto whole = [](double value) { return sim::grouped(std::llround(value)); };
  const Pace pace = run_race(work, race);
  fmt::print("{:<6} {:<36} {:>9}  {:>14} {:>14} {:>14}  {:>8.1f} ns\n", where, pace.name, pace.jobs,
             whole(pace.a_second.median), whole(pace.a_second.least), whole(pace.a_second.most),
             pace.cpu_nanoseconds.median);
  std::fflush(stdout);
  nlohmann::json json = pace;
  json["where"] = where;
  return json;
}

/// Those whose line holds `text`. `where` begins the line.
std::vector<Work> chosen(std::vector<Work> works, const std::string& where, const std::string& text) {
  std::erase_if(works, [&](const Work& work) { return (where + " " + work.name).find(text) == std::string::npos; });
  return works;
}

/// One process: the device is what is measured.
void measure_device(const std::vector<Work>& works, const Race& race, nlohmann::json& json) {
  if (const std::string absent = device_benches_absent_because(); !absent.empty()) {
    fmt::print("{:<6} {}\n", "device", absent);
    json["device_absent_because"] = absent;
    return;
  }
  for (const Work& work : works) json["paces"].push_back(measure(work, {race.seconds, race.repeats, 1}, "device"));
}

int bench(const std::string& name, const Works& works, const HostOptions& options) {
  const Race& race = options.race;
  const std::vector<Work> on_host = chosen(works.host(), "host", options.only);
  const std::vector<Work> on_device =
      chosen(works.device == nullptr ? std::vector<Work>{} : works.device(), "device", options.only);
  if (on_host.empty() && on_device.empty())
    throw UsageError(fmt::format("--only: no line of this bench holds '{}'; run it without to see them", options.only));
  fmt::print("{:<6} {:<36} {:>9}  {:>14} {:>14} {:>14}  {:>11}\n", "", "", "processes", "a second", "least", "most",
             "CPU each");
  nlohmann::json json{
      {"bench", name}, {"seconds", race.seconds}, {"repeats", race.repeats}, {"paces", nlohmann::json::array()}};
  for (const Work& work : on_host)
    for (const int jobs : race.jobs == 1 ? std::vector{1} : std::vector{1, race.jobs})
      json["paces"].push_back(measure(work, {race.seconds, race.repeats, jobs}, "host"));
  if (!on_device.empty()) measure_device(on_device, race, json);
  if (!options.json.empty()) write_file(options.json, json.dump(2) + "\n");
  return held;
}

}  // namespace

void add_host_benches(CLI::App& bench_command, Run& run) {
  const auto add = [&](const char* name, const char* what, const Works& works) {
    CLI::App* command = bench_command.add_subcommand(name, what);
    auto options = std::make_shared<HostOptions>();
    options->race.jobs = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 256u));
    command->add_option("--seconds", options->race.seconds, "time of one measurement")
        ->check(CLI::Range(0.001, 3600.0))
        ->capture_default_str();
    command->add_option("--repeats", options->race.repeats, "repeats of each measurement; their median counts")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--jobs", options->race.jobs, "processes that do the same side by side, after one alone")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command->add_option("--only", options->only,
                        "measure only the lines that hold this text, such as 'device' or 'SWA'");
    command->add_option("--json", options->json, "write all figures to this file");
    command->callback([&run, options, name, works] { run = [=] { return bench(name, works, *options); }; });
  };
  add("cases", "Whole cases a second: 1 to 16 rows, lengths 0 to 4,096, page sizes 1 to 256, SWA", {cases, nullptr});
  add("steps", "Judged steps a second: 8 rows of at most 64 pages of 16 tokens, on the host and on a device",
      {steps, device_steps});
  add("engine", "Steps of an engine with 8 live requests a second: simulated alone, and judged by all laws",
      {engine_steps, nullptr});
  add("rows", "Judged rows a second, and the time of a page in rows of 16 to 1,048,576 pages; rows of 64 on a device",
      {rows, device_rows});
  add("time", "Judged steps a second, as they are and with their work queued and checked for what nothing orders",
      {overlapped_steps, nullptr});
}

}  // namespace pagestorm::cli
