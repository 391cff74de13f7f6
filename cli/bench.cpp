// pagestorm bench device: what the device operations take, beside what the device needs and what upstream takes.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench_baseline.hpp"
#include "bench_cell.hpp"
#include "bench_family.hpp"
#include "bench_host.hpp"
#include "bench_syncs.hpp"
#include "commands.hpp"
#include "pagestorm/builder.hpp"

namespace pagestorm::cli {
namespace {

struct BenchOptions {
  std::string json;
  int repeats = 5;
};

void print_rates(const DeviceRates& rates) {
  fmt::print(
      "{}\n\nempty kernel    {:.2f} µs graph, {:.2f} µs eager\ncopy            {:.2f} TB/s, read and written\n"
      "strided sectors {:.1f} G/s of 32 bytes\nrandom reads    {:.1f} G/s of 8 bytes\n",
      cuda_description(), rates.empty.graph.median, rates.empty.eager.median, rates.copy_bytes / 1e12,
      rates.sectors / 1e9, rates.gathers / 1e9);
}

void print_cell(const Cell& cell) {
  const Timed& call = cell.time.call;
  fmt::print("{:>5} {:>7} {:>4} {:>7} {:>4}  {:>7.2f} {:>7.2f} {:>7.2f}  {:>6.2f}  {:>7.2f} {:>6.2f}", cell.shape.rows,
             cell.shape.length, cell.shape.page_size, cell.shape.context, cell.shape.swa ? "yes" : "no",
             call.graph.median, call.graph.least, call.graph.most, call.eager.median, cell.floor,
             call.graph.median / cell.floor);
  if (cell.upstream) fmt::print("  {:>8.2f} {:>6.2f}", *cell.upstream, *cell.upstream / call.graph.median);
  fmt::print("\n");
}

/// The geometric mean of upstream's times over ours, and the worst of them.
void print_summary(const std::vector<Cell>& cells) {
  double logs = 0;
  double worst = 1e9;
  int count = 0;
  for (const Cell& cell : cells) {
    if (!cell.upstream) continue;
    const double faster = *cell.upstream / cell.time.call.graph.median;
    logs += std::log(faster);
    worst = std::min(worst, faster);
    ++count;
  }
  fmt::print("against upstream over {} cells: {:.2f} times faster in the geometric mean, {:.2f} in the worst cell\n",
             count, std::exp(logs / count), worst);
}

std::vector<Cell> measure(Entry entry, const DeviceRates& rates, int repeats) {
  fmt::print("\n{}, µs\n{:>5} {:>7} {:>4} {:>7} {:>4}  {:>7} {:>7} {:>7}  {:>6}  {:>7} {:>6}  {:>8} {:>6}\n",
             entry == Entry::apply ? "apply" : "build", "rows", "length", "page", "context", "SWA", "graph", "least",
             "most", "eager", "floor", "over", "upstream", "faster");
  std::vector<Cell> cells;
  for (const BaselineShape& row : baseline)
    for (const bool swa : {false, true}) {
      const TimedShape shape = shape_of(row, entry, swa);
      Cell cell{shape, device_time(shape, repeats), 0, upstream(row, entry, swa)};
      cell.floor = floor_of(cell.shape, cell.time, rates);
      print_cell(cell);
      cells.push_back(cell);
    }
  print_summary(cells);
  return cells;
}

int bench_device(const BenchOptions& options) {
  if (const std::string absent = device_timing_absent_because(); !absent.empty()) throw BuilderError(absent);
  const DeviceRates rates = device_rates(options.repeats);
  print_rates(rates);
  std::vector<Cell> cells = measure(Entry::apply, rates, options.repeats);
  const std::vector<Cell> built = measure(Entry::build, rates, options.repeats);
  cells.insert(cells.end(), built.begin(), built.end());
  const nlohmann::json family = bench_family(rates, options.repeats);
  if (options.json.empty()) return held;
  std::ofstream file(options.json);
  nlohmann::json json = to_json(rates, cells);
  json["family"] = family;
  file << json.dump(2) << "\n";
  if (!file.flush()) throw std::runtime_error(options.json + ": cannot be written");
  return held;
}

}  // namespace

void add_bench(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("bench", "Times the device operations, and what the host plays and judges");
  command->require_subcommand(1);
  add_host_benches(*command, run);
  add_sync_bench(*command, run);
  CLI::App* device = command->add_subcommand(
      "device",
      "apply and build on the shapes of docs/performance.md, beside this device's floors and upstream's times; and the "
      "operations of the FlashAttention family");
  auto options = std::make_shared<BenchOptions>();
  device->add_option("--json", options->json, "write all figures to this file");
  device->add_option("--repeats", options->repeats, "repeats of each measurement; their median counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  device->callback([&run, options] { run = [options] { return bench_device(*options); }; });
}

}  // namespace pagestorm::cli
