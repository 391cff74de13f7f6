#include "stand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "error.hpp"
#include "pagestorm/outside_builder.hpp"
#include "props/laws.hpp"

namespace pagestorm::cli {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::string_view reading_law = "attention_reads_what_was_written";

std::unique_ptr<DeviceReader> make_reader(ReadBy by) {
  if (by == ReadBy::host) return nullptr;
  if (const std::string absent = device_reader_absent_because(); !absent.empty())
    throw EnvironmentError(fmt::format("--reader {}: no device can read: {}", name_of(by), absent));
  return device_reader();
}

}  // namespace

std::vector<std::unique_ptr<sim::Law>> make_laws(const std::vector<std::string>& names, const Reading& reading) {
  std::vector<std::unique_ptr<sim::Law>> laws;
  if (reading.by == ReadBy::both && contains(names, reading_law)) laws.push_back(props::readers_agree(*reading.reader));
  for (const props::LawEntry& entry : props::law_catalogue()) {
    if (!contains(names, entry.name)) continue;
    const bool on_device = reading.by == ReadBy::device && entry.name == reading_law;
    laws.push_back(on_device ? props::attention_reads_on_device(*reading.reader) : entry.make());
  }
  return laws;
}

void add_rows(Result& result, std::string_view builder, std::span<const std::unique_ptr<sim::Law>> laws,
              std::span<const sim::LawTally> tallies) {
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const sim::LawTally& tally = tallies[i];
    result.rows.push_back({std::string(laws[i]->name()), std::string(builder), tally.cases, tally.steps, tally.rows,
                           tally.violated, static_cast<double>(tally.nanoseconds) * 1e-9});
  }
}

const sim::Violation* of_law(std::span<const sim::Violation> violations, std::string_view law) {
  for (const sim::Violation& violation : violations)
    if (violation.law == law) return &violation;
  return nullptr;
}

Stands::Stands(const std::vector<std::string>& builders, const std::vector<std::string>& laws, Fault fault,
               sim::Clock clock, ReadBy reader)
    : reader_(make_reader(reader)), reading_{reader, reader_.get()}, peer_(host_builders().front().make(Fault::none)) {
  for (const BuilderEntry& entry : pagestorm::builders()) {
    const bool asked = contains(builders, entry.name);
    if (!entry.absent_because.empty()) {
      if (asked) throw EnvironmentError(fmt::format("builder {} is absent: {}", entry.name, entry.absent_because));
      absent_.push_back({entry.name, entry.absent_because});
      continue;
    }
    if (builders.empty() || asked) add(entry, laws, fault, clock);
  }
  for (const std::string& spec : builders)
    if (is_outside(spec)) add(outside_entry(spec), laws, fault, clock);
}

void Stands::add(const BuilderEntry& entry, const std::vector<std::string>& laws, Fault fault, sim::Clock clock) {
  const Fault own = fault_at(FaultSite::builder, fault);
  Stand stand{entry.name, entry.make(own), make_laws(laws, reading_), nullptr};
  for (const Stand& other : stands_)
    if (other.builder->name() == stand.builder->name())
      throw EnvironmentError(fmt::format("two builders are called {}: {} and {}; play one at a time, or rename one",
                                         stand.builder->name(), other.spec, stand.spec));
  const bool is_peer = own == Fault::none && entry.name == peer_->name();
  stand.player = std::make_unique<sim::Player>(*stand.builder, is_peer ? nullptr : peer_.get(), stand.laws, clock);
  stand.player->bend(fault);
  stands_.push_back(std::move(stand));
}

BuilderEntry outside_entry(const std::string& spec) {
  try {
    return outside_builder(spec);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--builder: '{}': {}", spec, error.what()));
  }
}

}  // namespace pagestorm::cli
