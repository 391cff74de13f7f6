#pragma once
// Builders set up for judging: each with its laws, its player and its peer.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options.hpp"
#include "pagestorm/builder.hpp"
#include "pagestorm/device_reader.hpp"
#include "result.hpp"
#include "sim/law.hpp"
#include "sim/player.hpp"

namespace pagestorm::cli {

/// One builder under test.
struct Stand {
  std::string spec;  ///< what it was asked for by: its name, or where an outside builder is
  std::unique_ptr<Builder> builder;
  std::vector<std::unique_ptr<sim::Law>> laws;
  std::unique_ptr<sim::Player> player;
};

/// Where KV slots are read; `reader` may be null where a device takes no part.
struct Reading {
  ReadBy by = ReadBy::host;
  DeviceReader* reader = nullptr;
};

/// All builders under test, and the sound host builder that they are compared with.
class Stands {
 public:
  /// The builders asked for, or all that are present. Throws EnvironmentError when one asked for is absent, or a device
  /// that shall read.
  Stands(const std::vector<std::string>& builders, const std::vector<std::string>& laws, Fault fault, sim::Clock clock,
         ReadBy reader = ReadBy::host, const OutsideLimits& limits = {});

  std::vector<Stand>& all() { return stands_; }
  const std::vector<AbsentBuilder>& absent() const { return absent_; }

  /// For further laws, as long as no other law is in the middle of a scenario.
  Reading reading() const { return reading_; }

 private:
  void add(const BuilderEntry& entry, const std::vector<std::string>& laws, Fault fault, sim::Clock clock);
  void require_name_of_its_own(const Stand& outside) const;

  std::unique_ptr<DeviceReader> reader_;
  Reading reading_;
  std::unique_ptr<Builder> peer_;
  std::vector<Stand> stands_;
  std::vector<AbsentBuilder> absent_;
};

/// The outside builder of a spec. Throws UsageError for one that cannot be taken apart.
BuilderEntry outside_entry(const std::string& spec, const OutsideLimits& limits = {});

/// Laws by name, in the order of the catalogue, that read KV slots as asked; with both readers, readers_agree comes
/// first.
std::vector<std::unique_ptr<sim::Law>> make_laws(const std::vector<std::string>& names, const Reading& reading = {});

/// Adds to the result what each law did on `builder`: one row a law, in their order. There are as many tallies.
void add_rows(Result& result, std::string_view builder, std::span<const std::unique_ptr<sim::Law>> laws,
              std::span<const sim::LawTally> tallies);

/// Adds to the result what the builder of `player` declared to be excused from; `fitted` are the scenarios that were changed.
void add_excuses(Result& result, std::string_view builder, const sim::Player& player, const sim::ExcuseTally& fitted);

/// The violation of `law` among several; null when it is not there.
const sim::Violation* of_law(std::span<const sim::Violation> violations, std::string_view law);

}  // namespace pagestorm::cli
