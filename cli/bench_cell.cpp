#include "bench_cell.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pagestorm::cli {
namespace {

constexpr double microseconds = 1e6;

nlohmann::json to_json(const Spread& spread) {
  return {{"median", spread.median}, {"least", spread.least}, {"most", spread.most}};
}

nlohmann::json to_json(const Timed& timed) {
  return {{"graph_us", to_json(timed.graph)}, {"eager_us", to_json(timed.eager)}};
}

nlohmann::json to_json(const Cell& cell) {
  nlohmann::json json = to_json(cell.time.call);
  json["entry"] = cell.shape.entry == Entry::apply ? "apply" : "build";
  json["rows"] = cell.shape.rows;
  json["length"] = cell.shape.length;
  json["page_size"] = cell.shape.page_size;
  json["context"] = cell.shape.context;
  json["swa"] = cell.shape.swa;
  json["floor_us"] = cell.floor;
  json["parts_us"] = {{"copy", cell.time.copy}, {"sectors", cell.time.sectors}, {"gather", cell.time.gather}};
  if (cell.upstream) json["upstream_us"] = *cell.upstream;
  return json;
}

}  // namespace

double floor_of(const TimedShape& shape, const TimedCall& time, const DeviceRates& rates) {
  const double launch = rates.empty.graph.median;
  const auto beyond_launch = [&](double part) { return std::max(part - launch, 0.0); };
  const int written_apart = (shape.page_size == 1 ? 0 : 1) + (shape.swa ? 1 : 0);  // the copy writes one table
  const double bytes = 4.0 * static_cast<double>(shape.pages()) * written_apart;
  return launch + beyond_launch(time.copy) + beyond_launch(time.sectors) + beyond_launch(time.gather) +
         bytes / rates.copy_bytes * microseconds;
}

nlohmann::json to_json(const DeviceRates& rates, const std::vector<Cell>& cells) {
  nlohmann::json json{{"empty_kernel", to_json(rates.empty)},
                      {"copy_bytes_per_second", rates.copy_bytes},
                      {"sectors_per_second", rates.sectors},
                      {"random_reads_per_second", rates.gathers},
                      {"calls", nlohmann::json::array()}};
  for (const Cell& cell : cells) json["calls"].push_back(to_json(cell));
  return json;
}

}  // namespace pagestorm::cli
