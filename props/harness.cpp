#include "pagestorm/harness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "laws.hpp"
#include "pagestorm/ids.hpp"
#include "sim/fit.hpp"
#include "sim/report.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"
#include "sim/text.hpp"
#include "verdict.hpp"

namespace pagestorm {
namespace {

/// Somebody else's builder, for a trial that wants one of its own.
class Lent final : public Builder {
 public:
  explicit Lent(Builder& lender) : lender_(lender) {}

  std::string_view name() const override { return lender_.name(); }
  Capabilities capabilities() const override { return lender_.capabilities(); }
  void enqueue(const Call& call) override { lender_.enqueue(call); }
  void enqueue(const FlashCall& call) override { lender_.enqueue(call); }
  void complete() override { lender_.complete(); }
  std::span<const Access> accesses() const override { return lender_.accesses(); }
  void hurry(bool on) override { lender_.hurry(on); }

 private:
  Builder& lender_;
};

void require(bool holds, const std::string& complaint) {
  if (!holds) throw std::invalid_argument(complaint);
}

props::Laws laws_of(const std::vector<std::string>& names) {
  props::Laws laws;
  for (const std::string& name : names) laws.push_back(std::move(props::law_alone(name).front()));
  return laws;
}

props::Trial trial_of(Builder& builder, const std::vector<std::string>& laws) {
  const std::vector<BuilderEntry> hosts = host_builders();
  const BuilderEntry entry{std::string(builder.name()), "",
                           [&builder](Fault) { return std::make_unique<Lent>(builder); }};
  return {entry, Fault::none, laws_of(laws), &hosts.front()};
}

sim::Space space_of(const CheckOptions& options) {
  constexpr std::int64_t length_limit = std::int64_t{1} << 20;
  constexpr std::int64_t rows_limit = 1024;
  require(options.cases > 0, fmt::format("cases: {} is too few; use 1 or more", options.cases));
  for (const std::int64_t size : options.page_sizes)
    require(size >= 1 && size <= page_size_max, fmt::format("page_sizes: {} is no page size; use 1 to 4096", size));
  require(options.length_high >= 1 && options.length_high <= length_limit,
          fmt::format("length_high: {} is out of range; use 1 to {}", options.length_high, length_limit));
  require(options.rows_high >= 1 && options.rows_high <= rows_limit,
          fmt::format("rows_high: {} is out of range; use 1 to {}", options.rows_high, rows_limit));
  sim::Space space{.page_sizes = options.page_sizes,
                   .length_high = options.length_high,
                   .rows_high = options.rows_high,
                   .swa = options.swa,
                   .flash = options.flash,
                   .far = options.far,
                   .odd = options.odd};
  if (!options.modes.empty()) space.modes.fill(false);
  for (const Mode mode : options.modes) space.modes.at(static_cast<std::size_t>(mode)) = true;
  return space;
}

CheckVerdict verdict_of(const props::Told& told) {
  using Outcome = CheckVerdict::Outcome;
  return {.outcome = told.flaky ? Outcome::flaky : Outcome::violated,
          .law = told.finding.law,
          .scenario = sim::print(told.finding),
          .file = told.file,
          .report = told.text};
}

std::int64_t judged_by(const props::Trial& trial) {
  const auto tallies = trial.player().tallies();
  return std::accumulate(tallies.begin(), tallies.end(), std::int64_t{0},
                         [](std::int64_t sum, const sim::LawTally& tally) { return sum + tally.steps; });
}

CheckVerdict held_or_not(std::int64_t cases, std::int64_t judged) {
  if (judged > 0) return {.outcome = CheckVerdict::Outcome::held, .cases = cases, .judged = judged};
  return {.cases = cases, .report = fmt::format("undecided: nothing was judged in {} cases\n", cases)};
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read; name a scenario file", path));
  return text.str();
}

sim::Finding finding_in(const std::string& path) {
  try {
    return sim::parse(read(path), path);
  } catch (const sim::TextError& error) {
    throw std::invalid_argument(error.what());
  }
}

}  // namespace

std::vector<std::string> builder_laws(bool flash) {
  std::vector<std::string> names;
  for (const props::LawEntry& entry : props::law_catalogue())
    if (!entry.make()->is_about_engine() && (flash || !entry.flash_only())) names.emplace_back(entry.name);
  return names;
}

std::string law_says(const std::string& law) { return std::string(props::law_alone(law).front()->what()); }

CheckVerdict check(Builder& builder, const CheckOptions& options) {
  const sim::Space space = space_of(options);
  props::Trial trial = trial_of(builder, options.laws.empty() ? builder_laws(options.flash) : options.laws);
  for (std::int64_t i = 0; i < options.cases; ++i) {
    const sim::Scenario drawn = sim::draw(sim::sub_seed(options.seed, static_cast<std::uint64_t>(i)), space);
    const sim::Scenario scenario = sim::fit(drawn, builder.capabilities().promise).scenario;
    const auto told = props::tell(trial, scenario, options.folder.value_or(""));
    if (!told) continue;
    CheckVerdict verdict = verdict_of(*told);
    verdict.cases = i + 1;
    verdict.judged = judged_by(trial);
    return verdict;
  }
  return held_or_not(options.cases, judged_by(trial));
}

CheckVerdict replay(Builder& builder, const std::string& path) {
  const sim::Finding finding = finding_in(path);
  const std::vector<std::string> laws =
      finding.law.empty() ? builder_laws(finding.scenario.config.flash) : std::vector{finding.law};
  props::Trial trial = trial_of(builder, laws);
  const auto violation = trial.play(finding.scenario);
  if (!violation) return held_or_not(1, judged_by(trial));
  CheckVerdict verdict{.outcome = CheckVerdict::Outcome::violated, .cases = 1, .judged = judged_by(trial)};
  verdict.law = violation->law;
  verdict.scenario = sim::print(trial.finding(violation->law, finding.scenario));
  verdict.report = fmt::format("{} is VIOLATED by {}\n\n{}", violation->law, builder.name(),
                               sim::explain(finding.scenario, *violation));
  return verdict;
}

}  // namespace pagestorm
