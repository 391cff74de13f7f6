#include "stream_runs.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/rng.hpp"
#include "sim/swarm.hpp"
#include "sim/time/breach.hpp"
#include "sim/time/delays.hpp"
#include "sim/time/stream_plan.hpp"
#include "sim/time/time_line.hpp"

namespace pagestorm::cli {
namespace {

using sim::time::HoldUp;
using sim::time::Sight;

/// The work of a queue, ready to run.
class Prepared {
 public:
  Prepared(StreamRunner& runner, const sim::time::Queue& queue) : runner_(runner), queue_(queue), plan_(queue) {
    runner.prepare(plan_.work());
  }

  const StreamWork& work() const { return plan_.work(); }
  std::vector<Sight> run(std::span<const StreamDelay> delays) { return plan_.wrong(runner_.run(delays)); }

  std::string tell(const Sight& sight) const {
    return fmt::format("{} reads {} of {}", name_of(queue_, sight.operation), show(sight),
                       name_of(sight.access.resource, sight.access.span));
  }

 private:
  StreamRunner& runner_;
  const sim::time::Queue& queue_;
  sim::time::StreamPlan plan_;
};

/// The sight of the read that is part of the hazard.
const Sight* own_sight(const std::vector<Sight>& sights, const sim::time::Hazard& hazard) {
  const std::int64_t reader = hazard.before.writes ? hazard.later : hazard.earlier;
  for (const Sight& sight : sights)
    if (sight.operation == reader && sight.access.resource == hazard.after.resource) return &sight;
  return nullptr;
}

HoldUp by_turns(std::int64_t run) { return run % 2 == 0 ? HoldUp::delayed : HoldUp::stretched; }

void require_hazard(const sim::StreamScene& scene, const StreamPair& pair) {
  if (!scene.hazard()) throw std::invalid_argument(pair.name + ": there is no hazard that a read can show");
}

void try_placement(Prepared& prepared, std::uint64_t seed, PlanRuns& result) {
  ++result.placements;
  const auto sights = prepared.run(sim::time::draw_delays(prepared.work(), seed));
  if (sights.empty()) return;
  if (result.odd++ > 0) return;
  result.seen = prepared.tell(sights.front());
  result.seed = seed;
}

}  // namespace

StreamPair pair_of(const sim::StreamHazard& which) {
  return {std::string(which.name), std::string(which.what), stream_scenario(which.wrong, which.swa), which.fault,
          stream_scenario(which.right.value_or(which.wrong), which.swa)};
}

HazardRuns run_hazard(StreamRunner& runner, const StreamPair& pair, const StreamRuns& runs) {
  HazardRuns result{.name = pair.name};
  const sim::StreamScene wrong(pair.wrong, pair.fault);
  require_hazard(wrong, pair);
  const auto delay = [&](std::int64_t run) { return hold_up(*wrong.hazard(), by_turns(run), runs.hold_up_us); };
  Prepared delayed(runner, wrong.queue());
  for (std::int64_t run = 0; run < runs.runs; ++run) {
    const StreamDelay one = delay(run);
    const auto sights = delayed.run({&one, 1});
    const Sight* own = own_sight(sights, *wrong.hazard());
    if (own == nullptr) continue;
    if (result.shown++ == 0) result.seen = delayed.tell(*own);
  }
  for (std::int64_t i = 0; i < drawn_for_a_hazard(runs); ++i) {
    const auto delays = sim::time::draw_delays(delayed.work(), sim::sub_seed(runs.seed, static_cast<std::uint64_t>(i)));
    if (own_sight(delayed.run(delays), *wrong.hazard()) != nullptr) ++result.shown_drawn;
  }
  if (!pair.right) return result;
  const sim::StreamScene right(*pair.right);
  Prepared corrected(runner, right.queue());
  for (std::int64_t run = 0; run < runs.runs; ++run) {
    const StreamDelay one = delay(run);
    if (!corrected.run({&one, 1}).empty()) ++result.shown_right;
  }
  return result;
}

PlanRuns run_plan(StreamRunner& runner, std::string name, const sim::StreamScene& scene, const StreamRuns& runs) {
  PlanRuns result{.name = std::move(name)};
  Prepared prepared(runner, scene.queue());
  while (result.placements < runs.placements)
    try_placement(prepared, sim::sub_seed(runs.seed, static_cast<std::uint64_t>(result.placements)), result);
  return result;
}

PlanRuns run_drawn(StreamRunner& runner, const StreamRuns& runs) {
  constexpr std::int64_t placements_each = 10;
  constexpr std::int64_t operations_max = 400;
  const sim::Space space{.page_size_high = 16, .length_high = 64, .rows_high = 4, .steps_high = 16, .far = false};
  PlanRuns result{.name = "drawn scenarios"};
  for (std::uint64_t i = 0; result.placements < runs.placements; ++i) {
    const sim::Scenario scenario = sim::draw(sim::sub_seed(runs.seed, i), space);
    if (!scenario.config.timing.overlap) continue;
    const sim::StreamScene scene(scenario);
    if (scene.queue().end() < 2 || scene.queue().end() > operations_max) continue;
    Prepared prepared(runner, scene.queue());
    for (std::int64_t k = 0; k < placements_each && result.placements < runs.placements; ++k)
      try_placement(prepared, sim::sub_seed(runs.seed, static_cast<std::uint64_t>(result.placements)), result);
  }
  return result;
}

std::string explain(const StreamPair& pair) {
  const sim::StreamScene scene(pair.wrong, pair.fault);
  require_hazard(scene, pair);
  const sim::time::HazardText text = describe(scene.queue(), *scene.hazard());
  return fmt::format("{}: {}\n  where     {}\n  expected  {}\n  got       {}\n\n{}\n", pair.name, pair.what, text.place,
                     text.expected, text.got, text.time_line);
}

}  // namespace pagestorm::cli
