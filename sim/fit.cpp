#include "fit.hpp"

#include <algorithm>
#include <bit>

namespace pagestorm::sim {
namespace {

std::int64_t nearest_page_size(std::int64_t size, const Promise& promise) {
  size = std::clamp(size, promise.page_size_low, promise.page_size_high);
  if (!promise.page_size_power_of_two) return size;
  const auto below = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(size)));
  return below >= promise.page_size_low ? below : std::min(2 * below, promise.page_size_high);
}

void fit_page_size(Config& config, const Promise& promise) {
  const std::int64_t size = nearest_page_size(config.page_size, promise);
  if (size == config.page_size) return;
  constexpr std::int64_t most_pages = std::int64_t{1} << 24;
  for (std::int64_t Config::*pages : {&Config::pages, &Config::swa_pages})
    config.*pages = std::clamp<std::int64_t>(config.*pages * config.page_size / size, 1, most_pages);
  config.page_size = size;
}

void fit_rows(Config& config, const Promise& promise) {
  if (promise.rows_high == 0) return;
  config.requests = std::min(config.requests, promise.rows_high);
  std::erase_if(config.buckets, [&](std::int64_t bucket) { return bucket > promise.rows_high; });
}

void fit_types(Config& config, const Promise& promise) {
  const auto fit = [](IntType& type, const std::array<bool, 2>& taken) {
    const IntType other = type == IntType::int32 ? IntType::int64 : IntType::int32;
    if (!taken[static_cast<std::size_t>(type)] && taken[static_cast<std::size_t>(other)]) type = other;
  };
  fit(config.layout.index_type, promise.index_types);
  fit(config.layout.length_type, promise.length_types);
  fit(config.layout.location_type, promise.location_types);
  fit(config.layout.map_type, promise.map_types);
}

void fit_swa(Config& config, const Promise& promise) {
  config.swa = config.swa && promise.swa;
  if (!config.swa && config.layout.far == Far::swa_page_table) config.layout.far = Far::none;
}

void fit_inputs(Config& config, const Promise& promise) {
  if (!promise.input_strides) config.layout.input_stride = config.layout.slots_stride = 1;
}

void fit_outputs(Config& config, const Promise& promise) {
  Layout& layout = config.layout;
  if (!promise.output_strides) layout.output_stride = layout.table_stride = layout.swa_table_stride = 1;
}

void fit_tables(Config& config, const Promise& promise) {
  Layout& layout = config.layout;
  if (promise.own_swa_stride || !config.swa) return;
  layout.swa_table_stride = layout.table_stride;
  layout.swa_table_padding = layout.table_padding;
  if (layout.far != Far::req_to_token) layout.far = Far::none;
}

void fit_padding(Config& config, const Promise& promise) {
  Layout& layout = config.layout;
  if (promise.padded_tables) return;
  layout.slots_padding = layout.table_padding = layout.swa_table_padding = 0;
  layout.far = Far::none;
}

void fit_far(Config& config, const Promise& promise) {
  if (!promise.far_rows) config.layout.far = Far::none;
}

struct Rule {
  Excuse excuse;
  void (*fit)(Config&, const Promise&);
};

constexpr Rule rules[] = {
    {Excuse::far_rows, fit_far},
    {Excuse::page_sizes, fit_page_size},
    {Excuse::rows, fit_rows},
    {Excuse::types, fit_types},
    {Excuse::swa, fit_swa},
    {Excuse::input_strides, fit_inputs},
    {Excuse::output_strides, fit_outputs},
    {Excuse::own_swa_stride, fit_tables},
    {Excuse::padded_tables, fit_padding},
};

}  // namespace

Fitted fit(const Scenario& scenario, const Promise& promise) {
  Fitted fitted{scenario, {}};
  if (promise == Promise{}) return fitted;
  for (const Rule& rule : rules) {
    const Config before = fitted.scenario.config;
    rule.fit(fitted.scenario.config, promise);
    fitted.by[static_cast<std::size_t>(rule.excuse)] = before != fitted.scenario.config;
  }
  return fitted;
}

std::optional<Excuse> misfit(const Config& config, const Promise& promise) {
  if (promise == Promise{}) return std::nullopt;
  for (const Rule& rule : rules) {
    Config fitted = config;
    rule.fit(fitted, promise);
    if (fitted != config) return rule.excuse;
  }
  return std::nullopt;
}

}  // namespace pagestorm::sim
