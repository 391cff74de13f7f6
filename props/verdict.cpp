#include "verdict.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "laws.hpp"
#include "sim/patience.hpp"
#include "sim/report.hpp"
#include "sim/shrink.hpp"
#include "sim/text.hpp"

namespace pagestorm::props {
namespace {

namespace fs = std::filesystem;

std::uint32_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return static_cast<std::uint32_t>(hash);
}

// The path, or nothing when the file could not be written whole.
std::optional<std::string> save(const sim::Finding& finding, const std::string& folder) {
  const std::string text = sim::print(finding);
  const fs::path path = fs::path(folder) / fmt::format("{}-{:08x}.scenario", finding.law, hash_of(text));
  std::error_code error;
  fs::create_directories(folder, error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file ? std::optional(path.string()) : std::nullopt;
}

std::string replay_command(const sim::Finding& finding, const std::string& path) {
  return fmt::format("pagestorm replay {} --builder {}{}", path, finding.builder,
                     finding.fault.empty() ? "" : " --with-fault");
}

}  // namespace

Laws law_alone(std::string_view name) {
  Laws alone;
  for (const LawEntry& entry : law_catalogue())
    if (entry.name == name) alone.push_back(entry.make());
  if (alone.empty()) throw std::invalid_argument(fmt::format("no law is called {}", name));
  return alone;
}

Trial::Trial(const BuilderEntry& entry, Fault fault, Laws laws, const BuilderEntry* sound)
    : builder_name_(entry.name),
      fault_(fault),
      builder_(entry.make(fault_at(FaultSite::builder, fault))),
      laws_(std::move(laws)) {
  if (sound != nullptr && sound->name != entry.name) peer_ = sound->make(Fault::none);
  player_ = std::make_unique<sim::Player>(*builder_, peer_.get(), laws_);
  player_->bend(fault);
}

std::optional<sim::Violation> Trial::play(const sim::Scenario& scenario) {
  const auto violations = player_->play(scenario);
  return violations.empty() ? std::nullopt : std::optional(violations.front());
}

sim::Scenario Trial::shrink(const sim::Scenario& scenario, std::string_view law) {
  sim::Patience patience(law);
  const auto still_fails = [&](const sim::Scenario& candidate) {
    if (patience.is_over()) return false;
    const auto violations = player_->play(candidate);
    patience.note(violations);
    return !violations.empty() && violations.front().law == law;
  };
  builder_->hurry(true);
  const sim::Scenario smallest = sim::shrink(scenario, still_fails).scenario;
  builder_->hurry(false);
  return smallest;
}

sim::Finding Trial::finding(std::string_view law, const sim::Scenario& scenario) const {
  const std::string fault = fault_ == Fault::none ? "" : std::string(fault_name(fault_));
  return {.law = std::string(law), .builder = builder_name_, .fault = fault, .scenario = scenario};
}

std::optional<Told> tell(Trial& trial, const sim::Scenario& scenario, const std::string& folder) {
  const auto met = trial.play(scenario);
  if (!met) return std::nullopt;
  const sim::Scenario smallest = trial.shrink(scenario, met->law);
  Told told{.finding = trial.finding(met->law, smallest), .file = {}, .text = {}};
  const sim::Finding& finding = told.finding;
  told.text = fmt::format("{} is VIOLATED by {}{}\n\n", finding.law, finding.builder,
                          finding.fault.empty() ? "" : " + " + finding.fault);
  // A scenario that fails once and then holds is a finding too.
  const auto again = trial.play(smallest);
  told.flaky = !again;
  told.text += sim::explain(again ? smallest : scenario, again ? *again : *met);
  if (told.flaky) told.text += "  flaky     the same scenario, played again, holds\n";
  if (folder.empty()) return told;
  told.file = save(finding, folder).value_or("");
  told.text += told.file.empty() ? fmt::format("  not saved {} cannot be written to\n\n{}", folder, sim::print(finding))
                                 : fmt::format("  saved     {}\n", told.file);
  return told;
}

std::optional<std::string> verdict(Trial& trial, const sim::Scenario& scenario, const std::string& folder) {
  const auto told = tell(trial, scenario, folder);
  if (!told) return std::nullopt;
  if (told->file.empty()) return told->text;
  return told->text + fmt::format("  replay    {}\n", replay_command(told->finding, told->file));
}

std::string failures_folder() {
  const char* out = std::getenv("PAGESTORM_OUT");
  return (fs::path(out == nullptr ? "" : out) / "failures").string();
}

}  // namespace pagestorm::props
