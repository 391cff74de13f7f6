#include "stream_cases.hpp"

#include <algorithm>
#include <stdexcept>

#include "time/delays.hpp"

namespace pagestorm::sim {
namespace {

constexpr Timing overlapped{.overlap = true};
constexpr Timing in_replay{.overlap = true, .read_end = ReadEnd::in_replay};
constexpr Timing behind_replay{.overlap = true, .read_end = ReadEnd::in_replay, .graph_events = false};
constexpr Timing planned{.overlap = true, .plan_stream = true};
constexpr Timing planned_far{.overlap = true, .plan_stream = true, .lag = 2};
constexpr Timing ring_far{.overlap = true, .tables = Tables::ring, .plan_stream = true, .lag = 2};
constexpr Timing one_slot{.overlap = true, .tables = Tables::ring, .slots = 1, .plan_stream = true};
constexpr Timing one_buffer{.overlap = true, .tables = Tables::reused, .slots = 1, .plan_stream = true};
constexpr Timing two_buffers_far{.overlap = true, .tables = Tables::reused, .plan_stream = true, .lag = 2};
constexpr Timing staged{.overlap = true, .staging_reused = true};
constexpr Timing host_bound{.overlap = true, .host_bound = true};
constexpr Timing loop_top{.overlap = true, .barrier = Barrier::loop_top};

constexpr StreamHazard hazards[] = {
    {"read-end-early", "read-done is recorded one point too early", in_replay, Fault::read_done_one_point_early},
    {"event-before-replay", "read-done is recorded before the replay that reads", behind_replay,
     Fault::graph_event_before_replay},
    {"older-read-end", "the scheduler waits for the reads of the pass before the last", overlapped,
     Fault::read_done_of_the_forward_before},
    {"ring-without-event", "a table buffer is written again without its readers' event", ring_far,
     Fault::buffer_reused_without_event},
    {"one-buffer", "one table buffer for all passes, without an event", one_buffer, Fault::none, one_slot},
    {"two-buffers-lag-2", "two table buffers by turns, with results taken one pass later", two_buffers_far, Fault::none,
     ring_far},
    {"freed-to-its-stream", "a freed table is given out although another stream reads it", planned_far,
     Fault::table_freed_to_its_stream},
    {"plan-not-joined", "the forward stream does not wait for its tables", planned, Fault::plan_not_joined},
    {"plan-ahead", "the plan stream does not wait for the scheduler", planned, Fault::plan_ahead_of_schedule},
    {"live-map", "layers read the map itself, not the copy in the metadata", overlapped, Fault::live_map_read_again},
    {"staging-overwritten", "pinned inputs are written again before they are copied", staged,
     Fault::staging_overwritten},
    {"staging-in-part", "of two pinned inputs the copy of the first alone is awaited", staged,
     Fault::staging_guarded_in_part},
    {"mirror-before-copy", "the host reads lengths before they are copied to it", host_bound,
     Fault::mirror_read_before_copy},
    {"copy-before-publish", "lengths are copied to the host before they are published", host_bound,
     Fault::mirror_copied_before_publish},
    {"gather-before-publish", "lengths are taken over before they are published", planned_far,
     Fault::lengths_gathered_before_publish},
    {"row-in-flight", "a request row has a new owner while a pass reads it", overlapped, Fault::row_reissued_in_flight,
     std::nullopt, false},
    {"page-in-flight", "a page is filled while a pass of its last owner writes it", planned_far,
     Fault::page_reissued_in_flight},
    {"load-not-awaited", "a pass does not wait for what is being loaded", overlapped,
     Fault::load_awaited_by_prefill_only},
    {"loop-top", "results are processed before the reads of the last pass are done", loop_top, Fault::none, overlapped},
};

constexpr RightPlan plans[] = {
    {"fresh, plan stream", planned},
    {"fresh, plan stream, lag 2", planned_far},
    {"ring of 2, plan stream", {.overlap = true, .tables = Tables::ring, .plan_stream = true}},
    {"ring of 1, plan stream, lag 2",
     {.overlap = true, .tables = Tables::ring, .slots = 1, .plan_stream = true, .lag = 2}},
    {"in the graph, plan stream",
     {.overlap = true, .read_end = ReadEnd::in_replay, .tables = Tables::in_graph, .plan_stream = true}},
    {"in the graph, events behind it",
     {.overlap = true,
      .read_end = ReadEnd::in_replay,
      .graph_events = false,
      .tables = Tables::in_graph,
      .plan_stream = true,
      .staging_reused = true,
      .host_bound = true}},
};

}  // namespace

std::span<const StreamHazard> stream_hazards() { return hazards; }

std::span<const RightPlan> right_plans() { return plans; }

Scenario stream_scenario(const Timing& timing, bool swa) {
  Scenario scenario{.config = {.page_size = 2, .context = 64, .requests = 1, .pages = 8, .swa = swa}};
  scenario.config.swa_pages = 8;
  scenario.config.window = 4;
  scenario.config.draft_tokens = 3;
  scenario.config.buckets = {1};
  scenario.config.timing = timing;
  const auto add = [&](StepKind kind, std::int64_t amount = 0) {
    scenario.steps.push_back({.kind = kind, .amount = amount});
  };
  add(StepKind::admit, 5);
  for (int i = 0; i < 2; ++i) {
    add(StepKind::verify, 2);
    add(StepKind::draft_extend);
  }
  for (int i = 0; i < 2; ++i) add(StepKind::draft_extend);
  add(StepKind::evict);
  add(StepKind::finish);
  add(StepKind::admit, 4);
  add(StepKind::verify, 2);
  add(StepKind::draft_extend);
  add(StepKind::verify, 2);
  return scenario;
}

StreamScene::StreamScene(const Scenario& scenario, Fault fault) {
  if (!scenario.config.timing.overlap) throw std::invalid_argument("timing: nothing is queued without 'overlap'");
  world_.start(scenario.config, inputs_, fault);
  for (const Step& step : scenario.steps) {
    world_.apply(step);
    const auto met = world_.overlap()->plan().hazards();
    const auto first = std::find_if(met.begin(), met.end(), time::can_be_seen);
    if (!hazard_ && first != met.end()) hazard_ = *first;
  }
}

}  // namespace pagestorm::sim
