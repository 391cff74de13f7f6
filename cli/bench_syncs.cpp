#include "bench_syncs.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "error.hpp"
#include "pagestorm/builder.hpp"
#include "pagestorm/device_syncs.hpp"
#include "save.hpp"

namespace pagestorm::cli {
namespace {

struct SyncOptions {
  ObservedRuns runs;
  TimedShape shape{.rows = 64, .length = 4096, .page_size = 16, .context = 32'768, .swa = true};
  std::string fault;
  std::string json;
};

/// A path that is declared free of syncs makes none, allocates nothing and can be captured; the other waits, once.
bool is_as_declared(const PathCosts& path) {
  if (path.sync_free) return path.host_syncs == 0 && path.allocations == 0 && path.captures;
  return path.host_syncs == 1 && !path.captures;
}

void print(const PathCosts& path) {
  fmt::print("{:<36} {:<10} {:>8g} {:>7g} {:>11g} {:>12g}  {:<9} {:>8.2f} {:>8.2f} {:>8.2f}{}\n", path.path,
             path.sync_free ? "sync-free" : "waits", path.launches, path.copies, path.host_syncs, path.allocations,
             path.captures ? "allowed" : "refused", path.microseconds.median, path.microseconds.least,
             path.microseconds.most, is_as_declared(path) ? "" : "  WRONG");
  if (!path.calls.empty()) fmt::print("{:<36}   {}\n", "", fmt::join(path.calls, ", "));
}

nlohmann::json to_json(const PathCosts& path) {
  return {
      {"path", path.path},
      {"sync_free", path.sync_free},
      {"launches", path.launches},
      {"copies", path.copies},
      {"host_syncs", path.host_syncs},
      {"allocations", path.allocations},
      {"captures", path.captures},
      {"calls", path.calls},
      {"microseconds",
       {{"median", path.microseconds.median}, {"least", path.microseconds.least}, {"most", path.microseconds.most}}}};
}

int bench_syncs(SyncOptions options) {
  if (!options.fault.empty()) {
    if (options.fault != fault_name(Fault::lengths_read_on_host))
      throw UsageError(fmt::format("--fault: '{}' bends no path here; use {}", options.fault,
                                   fault_name(Fault::lengths_read_on_host)));
    options.runs.fault = Fault::lengths_read_on_host;
  }
  const std::vector<PathCosts> paths = observed_paths(options.shape, options.runs);
  fmt::print(
      "{}\napply on {} rows of {} tokens in pages of {}, context {}, SWA; by iteration, observed by CUPTI and by a "
      "capture\n\n{:<36} {:<10} {:>8} {:>7} {:>11} {:>12}  {:<9} {:>8} {:>8} {:>8}\n",
      cuda_description(), options.shape.rows, options.shape.length, options.shape.page_size, options.shape.context,
      "path", "declared", "launches", "copies", "host syncs", "allocations", "capture", "host µs", "least", "most");
  nlohmann::json json{{"device", cuda_description()}, {"iterations", options.runs.iterations}};
  bool right = true;
  for (const PathCosts& path : paths) {
    print(path);
    json["paths"].push_back(to_json(path));
    right = is_as_declared(path) && right;
  }
  fmt::print("\n{}\n", right ? "held: what is declared free of syncs makes none and allocates nothing"
                             : "violated: a path does not do as it is declared");
  if (!options.json.empty()) write_file(options.json, json.dump(2) + "\n");
  return right ? held : violated;
}

}  // namespace

void add_sync_bench(CLI::App& bench, Run& run) {
  CLI::App* command = bench.add_subcommand(
      "syncs", "Host syncs and allocations of a step on a device, observed, and what the step takes");
  auto options = std::make_shared<SyncOptions>();
  command->add_option("--iterations", options->runs.iterations, "that are observed, and that one time is taken over")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--repeats", options->runs.repeats, "measurements of time; their median counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--cupti", options->runs.library, "file of the CUPTI library [where the toolkit has it]");
  command->add_option("--fault", options->fault, "lengths_read_on_host: must be seen");
  command->add_option("--json", options->json, "write all figures to this file");
  command->callback([&run, options] { run = [options] { return bench_syncs(*options); }; });
}

}  // namespace pagestorm::cli
