#include "stand.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error.hpp"
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
               sim::Clock clock, ReadBy reader)
    : reader_(make_reader(reader)), reading_{reader, reader_.get()}, peer_(host_builders().front().make(Fault::none)) {
  for (const BuilderEntry& entry : pagestorm::builders()) {
    const bool asked = contains(builders, entry.name);
    if (!entry.absent_because.empty()) {
      if (asked) throw EnvironmentError(fmt::format("builder {} is absent: {}", entry.name, entry.absent_because));
      absent_.push_back({entry.name, entry.absent_because});
      continue;
    }
    if (!builders.empty() && !asked) continue;
    const Fault own = fault_at(FaultSite::builder, fault);
    Stand stand{entry.make(own), make_laws(laws, reading_), nullptr};
    if (reader != ReadBy::host && sim::declared(stand.builder->capabilities()).any())
      throw EnvironmentError(
          fmt::format("--reader {}: {} is not given every pass, and a device would miss the tokens of the others; use "
                      "--reader host",
                      name_of(reader), entry.name));
    const bool is_peer = own == Fault::none && entry.name == peer_->name();
    stand.player = std::make_unique<sim::Player>(*stand.builder, is_peer ? nullptr : peer_.get(), stand.laws, clock);
    stand.player->bend(fault);
    stands_.push_back(std::move(stand));
  }
}

}  // namespace pagestorm::cli
