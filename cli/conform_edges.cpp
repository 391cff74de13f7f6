#include "conform_edges.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "at_once.hpp"
#include "conform_page.hpp"
#include "conform_player.hpp"
#include "sim/rng.hpp"

namespace pagestorm::cli {
namespace {

constexpr int lost_at_most = 2;  // a builder that is lost again and again would cost its patience each time

// Calls have seeds of their own: what scenarios are drawn says nothing about them.
std::uint64_t seed_of(const Campaign& campaign, std::int64_t index) {
  constexpr std::uint64_t apart = 0xed6e;
  return sim::sub_seed(sim::sub_seed(campaign.seed, apart), static_cast<std::uint64_t>(index));
}

}  // namespace

void EdgeCalls::play(std::int64_t index, props::ClauseTally& tally) {
  if (lost_ >= lost_at_most) return;
  const std::uint64_t seed = seed_of(campaign_, index);
  for (const props::Breach& breach : breaches(seed, tally))
    if (seen_.insert(breach.clause).second) report(breach, index, seed);
}

std::vector<props::Breach> EdgeCalls::breaches(std::uint64_t seed, props::ClauseTally& tally) {
  try {
    return judge_.play(seed, tally);
  } catch (const BuilderFailed& error) {
    ++lost_;
    return {failed(error)};
  } catch (const SyncInCapture&) {  // a scenario shows that, and which law it breaks
    return {};
  }
}

void EdgeCalls::report(const props::Breach& breach, std::int64_t index, std::uint64_t seed) {
  const sim::Violation& violation = breach.violation;
  Result played;
  played.cases = index + 1;
  Failure failure{.law = std::string(edge_call),
                  .clause = std::string(breach.clause),
                  .call = judge_.describe(seed),
                  .builder = std::string(builder_.name()),
                  .fault = campaign_.fault == Fault::none ? "" : std::string(fault_name(campaign_.fault)),
                  .case_index = index,
                  .replay = conform_command(campaign_, played)};
  failure.explanation = explained(violation) + fmt::format("  call      {}\n", failure.call);
  if (sim::is_about_failing(violation.law)) {
    Failure met = failure;
    met.law = violation.law;
    on_failure_.at_once(at_once_lines(met, fmt::format("edge call {}", index), violation.got, failure.replay));
  }
  props::ClauseTally again{};
  failure.flaky = std::ranges::none_of(breaches(seed, again),
                                       [&](const props::Breach& one) { return one.clause == breach.clause; });
  ++desk_.failures;
  on_failure_.done(failure);
}

}  // namespace pagestorm::cli
