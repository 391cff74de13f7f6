#include "bench_time.hpp"

#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "sim/bench_cases.hpp"
#include "sim/player.hpp"

namespace pagestorm::cli {
namespace {

/// What a step is judged by: two laws of its image, and what is queued by the laws about it.
std::vector<std::unique_ptr<sim::Law>> laws(bool overlaps) {
  std::vector<std::unique_ptr<sim::Law>> all;
  all.push_back(props::writes_only_live_cells());
  all.push_back(props::agrees_with_reference());
  if (!overlaps) return all;
  all.push_back(props::reads_finish_before_reuse());
  all.push_back(props::tables_are_of_one_generation());
  all.push_back(props::host_sees_only_completed_copies());
  all.push_back(props::rows_are_reissued_after_their_last_reader());
  all.push_back(props::sync_free_paths_ignore_the_mirror());
  return all;
}

class Steps {
 public:
  Steps(bool swa, bool overlaps, std::uint64_t process) : laws_(laws(overlaps)) {
    sim::Scenario scenario = sim::bench_rows({.swa = swa}, process);
    if (overlaps)
      scenario.config.timing = {.overlap = true, .tables = sim::Tables::ring, .plan_stream = true, .host_bound = true};
    require_held(player_.perform(scenario));
  }

  std::int64_t lap() {
    constexpr std::int64_t steps = 1000;
    for (std::int64_t i = 0; i < steps; ++i) require_held(player_.step(sim::bench_step(i)));
    return steps;
  }

 private:
  static void require_held(std::span<const sim::Violation> violations) {
    if (!violations.empty()) throw std::logic_error(violations[0].law + " is violated: what is timed must be right");
  }

  std::unique_ptr<Builder> builder_ = host_builders().front().make(Fault::none);
  std::vector<std::unique_ptr<sim::Law>> laws_;
  sim::Player player_{*builder_, nullptr, laws_};
};

}  // namespace

std::vector<Work> overlapped_steps() {
  std::vector<Work> all;
  for (const bool swa : {false, true})
    for (const bool overlaps : {false, true}) {
      const auto start = [swa, overlaps](std::uint64_t process) {
        return [steps = std::make_shared<Steps>(swa, overlaps, process)] { return steps->lap(); };
      };
      const std::string name = swa ? "step of 8 rows, SWA" : "step of 8 rows";
      all.push_back({name + (overlaps ? ", queued" : ""), start});
    }
  return all;
}

}  // namespace pagestorm::cli
