#include "mutant_hunt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "clock.hpp"
#include "error.hpp"
#include "pagestorm/mutants.hpp"
#include "sim/edge_calls.hpp"
#include "sim/flash/edge_calls.hpp"
#include "sim/flash/refusals.hpp"
#include "sim/refusals.hpp"
#include "sim/rng.hpp"
#include "stand.hpp"

namespace pagestorm::cli {
namespace {

/// Those who know most of a call: the last of the builders logs every access.
std::vector<BuilderEntry> builders_of(bool flash) {
  std::vector<BuilderEntry> all = mutant_builders();
  return flash ? std::vector<BuilderEntry>{all.back()} : all;
}

/// The ways through src/core, or through its bodies of the FlashAttention family, set up for judging.
class Ways {
 public:
  Ways(const std::vector<std::string>& laws, sim::Generator generator, bool flash) {
    for (const BuilderEntry& entry : builders_of(flash)) {
      Stand stand{entry.name, entry.make(Fault::none), make_laws(laws), nullptr};
      stand.player = std::make_unique<sim::Player>(*stand.builder, peer_.get(), stand.laws);
      stands_.push_back(std::move(stand));
    }
    space_.generator = generator;
    space_.flash = flash;
  }

  std::size_t size() const { return stands_.size(); }

  /// The first law that a play breaks; empty when it breaks none.
  std::string play(const MutantPlay& play) {
    const auto index = static_cast<std::uint64_t>(play.index);
    if (play.edge) return wrong_edge_call(*stands_[play.way].builder, index).empty() ? "" : "edge_calls";
    const auto scenario = sim::draw(sim::sub_seed(1, index), space_);
    const auto violations = stands_[play.way].player->play(scenario);
    return violations.empty() ? "" : violations.front().law;
  }

  bool refuses_rightly() {
    return std::all_of(stands_.begin(), stands_.end(),
                       [this](Stand& stand) { return refuses_rightly(*stand.builder); });
  }

 private:
  std::string wrong_edge_call(Builder& builder, std::uint64_t seed) const {
    return space_.flash ? sim::wrong_flash_edge_call(builder, seed) : sim::wrong_edge_call(builder, seed);
  }
  bool refuses_rightly(Builder& builder) const {
    return space_.flash ? sim::wrong_flash_refusal(builder).empty() : !sim::offer_wrong_shapes(builder).wrong;
  }

  std::unique_ptr<Builder> peer_ = host_builders().front().make(Fault::none);
  std::vector<Stand> stands_;
  sim::Space space_;
};

using Plays = std::vector<std::vector<MutantPlay>>;

void survey_way(Ways& ways, std::size_t way, bool edge, std::int64_t cases, bool flash, Plays& plays) {
  std::vector<int> kept(plays.size(), 0);
  const int enough = edge ? 10 * plays_a_way : plays_a_way;
  for (std::int64_t index = 0; index < (edge ? 4 * cases : cases); ++index) {
    std::vector<unsigned char> differs(plays.size() + 1, 0);
    survey_mutants(differs.data());
    const std::string broken = ways.play({index, way, edge});
    survey_mutants(nullptr);
    if (!broken.empty())
      throw EnvironmentError(fmt::format("src/core breaks {} in case {}, with no mutant on", broken, index));
    for (std::size_t m = 0; m < plays.size(); ++m)
      if (is_flash(mutants()[m]) == flash && differs[m + 1] != 0 && kept[m]++ < enough)
        plays[m].push_back({index, way, edge});
  }
}

}  // namespace

std::vector<std::string> laws_about_builders(const std::vector<std::string>& names) {
  std::vector<std::string> about;
  for (const auto& law : make_laws(names))
    if (!law->is_about_engine()) about.emplace_back(law->name());
  return about;
}

std::vector<std::vector<MutantPlay>> survey_cases(const std::vector<std::string>& laws, sim::Generator generator,
                                                  std::int64_t cases) {
  Plays plays(mutants().size());
  for (const bool flash : {false, true}) {
    Ways ways(laws, generator, flash);
    if (!ways.refuses_rightly()) throw EnvironmentError("src/core refuses the wrong shapes, with no mutant on");
    for (const bool edge : {false, true})
      for (std::size_t way = 0; way < ways.size(); ++way) survey_way(ways, way, edge, cases, flash, plays);
  }
  return plays;
}

void hunt_mutant(const HuntTask& task, const Board& board, Desk& desk, const std::function<void(const Hunt&)>& tell) {
  const std::uint64_t started = nanoseconds_now();
  Hunt hunt{.seed = 1};
  Ways ways(task.laws, task.generator, is_flash(mutants()[static_cast<std::size_t>(task.mutant - 1)]));
  switch_mutant(task.mutant);
  ++desk.beats;
  try {
    if (!ways.refuses_rightly()) hunt.law = "refusals";
    for (const MutantPlay& play : task.plays) {
      if (!hunt.law.empty() || board.stopped()) break;
      ++desk.beats;
      ++hunt.cases;
      hunt.law = ways.play(play);
    }
  } catch (const std::exception&) {
    hunt.law = "no_exception";  // right shapes were refused
  }
  hunt.found = !hunt.law.empty();
  hunt.cut = !hunt.found && hunt.cases < static_cast<std::int64_t>(task.plays.size());
  hunt.seconds = seconds_since(started);
  tell(hunt);
}

}  // namespace pagestorm::cli
