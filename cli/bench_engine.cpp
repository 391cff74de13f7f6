#include "bench_engine.hpp"

#include <fmt/format.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "sim/bench_cases.hpp"
#include "sim/player.hpp"
#include "sim/report.hpp"

namespace pagestorm::cli {
namespace {

/// The world alone: no image, no builder, nobody who judges.
class Alone {
 public:
  void start(const sim::Scenario& storm) {
    inputs_.track_changes(false);
    world_.start(storm.config, inputs_);
    for (const sim::Step& step : storm.steps) apply(step);
  }
  void apply(const sim::Step& step) { no_ops_ += world_.apply(step) == sim::Outcome::no_op; }
  std::int64_t no_ops() const { return no_ops_; }
  std::size_t alive() const { return world_.requests().size(); }

 private:
  sim::Inputs inputs_;
  sim::World world_;
  std::int64_t no_ops_ = 0;
};

/// The host builder, judged by every law after every step.
class Judged {
 public:
  void start(const sim::Scenario& storm) { require_held(player_.perform(storm)); }
  void apply(const sim::Step& step) { require_held(player_.step(step)); }
  std::int64_t no_ops() const { return player_.coverage().no_ops; }
  std::size_t alive() const { return player_.world().requests().size(); }

 private:
  static void require_held(std::span<const sim::Violation> violations) {
    if (!violations.empty())
      throw std::logic_error(violations[0].law + " is violated: what is timed must be right; see pagestorm check");
  }

  std::unique_ptr<Builder> builder_ = host_builders().front().make(Fault::none);
  std::vector<std::unique_ptr<sim::Law>> laws_ = props::all_laws();
  sim::Player player_{*builder_, nullptr, laws_};
};

template <class Engine>
Work storm(std::string name, std::int64_t before) {
  return {std::move(name), [before](std::uint64_t process) {
            auto engine = std::make_shared<Engine>();
            engine->start(sim::bench_storm(process));
            auto next = std::make_shared<std::int64_t>(0);
            const auto lap = [engine, next](std::int64_t steps) {
              for (std::int64_t i = 0; i < steps; ++i) engine->apply(sim::bench_storm_step((*next)++));
              // A share may find all of its pages in the prefix cache, an eviction nothing behind the window.
              if (engine->no_ops() * 16 > *next || engine->alive() != 8)
                throw std::logic_error("the engine came to rest: what is timed must be work");
              return steps;
            };
            lap(before);
            return [lap] { return lap(3200); };
          }};
}

}  // namespace

std::vector<Work> engine_steps() {
  std::vector<Work> all;
  for (const std::int64_t before : {std::int64_t{0}, std::int64_t{1'000'000}})
    all.push_back(storm<Alone>(fmt::format("step, {} steps old", sim::grouped(before)), before));
  for (const std::int64_t before : {std::int64_t{0}, std::int64_t{100'000}})
    all.push_back(storm<Judged>(fmt::format("step, all laws, {} steps old", sim::grouped(before)), before));
  return all;
}

}  // namespace pagestorm::cli
