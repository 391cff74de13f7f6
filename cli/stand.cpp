#include "stand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "error.hpp"
#include "pagestorm/outside_builder.hpp"
#include "props/laws.hpp"
#include "sim/text_scan.hpp"

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

void add_excuses(Result& result, std::string_view builder, const sim::Player& player, const sim::ExcuseTally& fitted) {
  sim::ExcuseTally tally = player.excuses();
  tally += fitted;
  for (const sim::ExcuseEntry& entry : sim::excuse_catalogue()) {
    if (!has(player.declared(), entry.excuse)) continue;
    const auto at = static_cast<std::size_t>(entry.excuse);
    result.excused.push_back({std::string(builder), std::string(entry.name), std::string(entry.what),
                              std::string(entry.clauses), tally.cases[at], tally.not_given[at], tally.milder[at]});
  }
}

const sim::Violation* of_law(std::span<const sim::Violation> violations, std::string_view law) {
  for (const sim::Violation& violation : violations)
    if (violation.law == law) return &violation;
  return nullptr;
}

Stands::Stands(const std::vector<std::string>& builders, const std::vector<std::string>& laws, Fault fault,
               sim::Clock clock, ReadBy reader, const OutsideLimits& limits)
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
    if (is_outside(spec)) add(outside_entry(spec, limits), laws, fault, clock);
}

void Stands::add(const BuilderEntry& entry, const std::vector<std::string>& laws, Fault fault, sim::Clock clock) {
  const Fault own = fault_at(FaultSite::builder, fault);
  Stand stand{entry.name, entry.make(own), make_laws(laws, reading_), nullptr};
  if (is_outside(stand.spec)) require_name_of_its_own(stand);
  if (reading_.by != ReadBy::host && sim::declared(stand.builder->capabilities()).any())
    throw EnvironmentError(
        fmt::format("--reader {}: {} is not given every pass, and a device would miss the tokens of the others; use "
                    "--reader host",
                    name_of(reading_.by), entry.name));
  const bool is_peer = own == Fault::none && entry.name == peer_->name();
  stand.player = std::make_unique<sim::Player>(*stand.builder, is_peer ? nullptr : peer_.get(), stand.laws, clock);
  stand.player->bend(fault);
  stands_.push_back(std::move(stand));
}

void Stands::require_name_of_its_own(const Stand& outside) const {
  const std::string_view name = outside.builder->name();
  for (const BuilderEntry& own : pagestorm::builders())
    if (own.name == name)
      throw EnvironmentError(
          fmt::format("{}: calls itself {}, as a builder of this program is called; rename it", outside.spec, name));
  for (const Stand& other : stands_)
    if (other.builder->name() == name)
      throw EnvironmentError(fmt::format("two builders are called {}: {} and {}; play one at a time, or rename one",
                                         name, other.spec, outside.spec));
}

BuilderEntry outside_entry(const std::string& spec, const OutsideLimits& limits) {
  // It stands in files, one line a field, and travels in JSON.
  for (std::string_view rest = spec; !rest.empty();) {
    const std::size_t bytes = sim::text_form::character_size(rest);
    if (bytes == 0 || static_cast<unsigned char>(rest.front()) < ' ')
      throw UsageError("--builder: holds a line break or what is no UTF-8; write it in one line of text");
    rest.remove_prefix(bytes);
  }
  try {
    return outside_builder(spec, limits);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--builder: '{}': {}", spec, error.what()));
  }
}

}  // namespace pagestorm::cli
