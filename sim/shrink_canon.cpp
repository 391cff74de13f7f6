#include "shrink_canon.hpp"

#include <algorithm>

namespace pagestorm::sim {
namespace {

using Steps = std::vector<Step>;

constexpr std::int64_t longest = 3;  ///< of more steps there are too many

/// Roomy numbers; shrinking lowers them in the same way for everybody.
Config roomy(const Config& like, std::int64_t page_size) {
  Config config = like;
  config.page_size = page_size;
  config.context = 8;
  config.requests = 3;
  config.pages = 24;
  config.swa_pages = 24;
  config.window = like.swa ? 2 : Config{}.window;
  config.draft_tokens = 2;
  config.draft_steps = 2;
  config.block_window = 0;
  config.pool_seed = 0;
  config.branch = like.cache ? 1 : Config{}.branch;
  if (!like.buckets.empty()) config.buckets = {3};
  return config;
}

/// What a scenario can begin with: without a request nearly all other steps change nothing.
Steps firsts(const Scenario& like, bool few) {
  const Config& config = like.config;
  const bool waits = std::any_of(like.steps.begin(), like.steps.end(), [](const Step& step) {
    return step.kind == StepKind::arrive || step.kind == StepKind::readmit;
  });
  Steps steps;
  if (few && waits && !config.cache) steps.push_back({.kind = StepKind::arrive, .amount = 1});
  for (const std::int64_t amount : {0, 1, 5, 12})
    if (!few || amount == 0 || amount == 5) steps.push_back({.kind = StepKind::admit, .amount = amount});
  if (config.cache) steps.push_back({.kind = StepKind::admit, .amount = 5, .family = 1});
  if (config.cache) steps.push_back({.kind = StepKind::arrive, .amount = 5, .family = 1});
  if (few) return steps;
  steps.push_back({.kind = StepKind::arrive, .amount = 1});
  steps.push_back({.kind = StepKind::arrive, .amount = 5});
  for (const std::int64_t amount : {0, 1}) steps.push_back({.kind = StepKind::idle, .amount = amount});
  return steps;
}

Steps batches(bool few) {
  Steps steps;
  for (const StepKind kind : plainer_kinds(StepKind::ragged))
    for (const std::int64_t amount : {0, 1})
      if (amount == 0 || (!few && kind != StepKind::decode)) steps.push_back({.kind = kind, .amount = amount});
  const std::size_t single = steps.size();
  for (std::size_t i = 0; i < single; ++i)
    if (!few || steps[i].kind == StepKind::decode || steps[i].kind == StepKind::verify) {
      steps.push_back(steps[i]);
      steps.back().rows = 0;
    }
  return steps;
}

/// The same batches with each kind of odd row, where the scenario has some.
void add_odd(const Scenario& like, Steps& steps) {
  const bool any = std::any_of(like.steps.begin(), like.steps.end(), [](const Step& s) { return s.odd != Odd::none; });
  const Steps plain = any ? steps : Steps{};
  for (int odd = 1; odd < odd_count; ++odd)
    for (const Step& step : plain) {
      steps.push_back(step);
      steps.back().odd = static_cast<Odd>(odd);
    }
}

Steps followers(const Scenario& like, bool few) {
  Steps steps = batches(few);
  add_odd(like, steps);
  for (const StepKind kind : {StepKind::finish, StepKind::evict, StepKind::puncture, StepKind::retract})
    if (kind != StepKind::evict || like.config.swa) steps.push_back({.kind = kind});
  if (like.config.cache)
    for (const StepKind kind : {StepKind::share, StepKind::reclaim, StepKind::tombstone})
      steps.push_back({.kind = kind, .amount = kind == StepKind::share ? 0 : 1});
  steps.push_back({.kind = StepKind::readmit});
  steps.push_back({.kind = StepKind::idle, .amount = 1});
  for (const Step& step : firsts(like, true)) steps.push_back(step);
  return steps;
}

}  // namespace

const std::vector<StepKind>& plainer_kinds(StepKind kind) {
  static const std::vector<StepKind> passes = {StepKind::decode, StepKind::extend,       StepKind::verify,
                                               StepKind::draft,  StepKind::draft_extend, StepKind::block,
                                               StepKind::ragged};
  static const std::vector<StepKind> arrivals = {StepKind::admit, StepKind::arrive, StepKind::readmit};
  static const std::vector<StepKind> endings = {StepKind::finish, StepKind::retract};
  static const std::vector<StepKind> none;
  for (const auto* kinds : {&passes, &arrivals, &endings})
    if (std::find(kinds->begin(), kinds->end(), kind) != kinds->end()) return *kinds;
  return none;
}

void visit_small(const Scenario& like, std::int64_t steps, const std::function<bool(const Scenario&)>& visit) {
  for (std::int64_t length = 1; length <= std::min(steps, longest); ++length)
    for (const std::int64_t page_size : {1, 3}) {
      const bool few = length > 2;
      const Steps next = length > 1 ? followers(like, few) : Steps{};
      Scenario candidate{roomy(like.config, page_size), Steps(static_cast<std::size_t>(length))};
      for (const Step& first : firsts(like, few)) {
        candidate.steps[0] = first;
        if (length == 1 && !visit(candidate)) return;
        for (const Step& second : next) {
          candidate.steps[1] = second;
          if (length == 2 && !visit(candidate)) return;
          for (const Step& third : length == 3 ? next : Steps{}) {
            candidate.steps[2] = third;
            if (!visit(candidate)) return;
          }
        }
      }
    }
}

}  // namespace pagestorm::sim
