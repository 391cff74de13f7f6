#pragma once
// Findings drawn at random over the whole of their ranges, for tests of the text form.

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "sim/rng.hpp"
#include "sim/scenario.hpp"

namespace pagestorm::sim {

/// One line without blanks at its ends, in every script that breaks careless code; empty now and then.
inline std::string draw_text(Rng& rng, bool note) {
  static constexpr std::array<std::string_view, 12> pieces{"host", "a: b",   "x#y", "\t", " ",   "ü",
                                                           "页",   "steps:", "=",   "🂡",  "\\n", "\"1\""};
  std::string text;
  for (std::int64_t i = rng.between(0, 6); i > 0; --i) text += rng.pick<std::string_view>(pieces);
  if (note && rng.one_in(3)) text += " # 7";
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// `plain` in half of all draws, else anything from `low` to `high`, the ends more often.
inline std::int64_t draw_number(Rng& rng, std::int64_t plain, std::int64_t low, std::int64_t high) {
  if (rng.one_in(2)) return std::min(plain, high);
  if (rng.one_in(4)) return rng.one_in(2) ? low : high;
  return rng.between(low, high);
}

inline Layout draw_layout(Rng& rng) {
  Layout layout;
  for (IntType* type : {&layout.index_type, &layout.length_type, &layout.location_type, &layout.map_type}) {
    *type = static_cast<IntType>(rng.below(2));
  }
  for (std::int64_t* stride : {&layout.input_stride, &layout.output_stride, &layout.slots_stride, &layout.table_stride,
                               &layout.swa_table_stride}) {
    *stride = draw_number(rng, 1, 1, 4);
  }
  for (std::int64_t* padding : {&layout.slots_padding, &layout.table_padding, &layout.swa_table_padding}) {
    *padding = draw_number(rng, 0, 0, 4096);
  }
  layout.write_room = draw_number(rng, 0, -8, 4096);
  layout.far = static_cast<Far>(rng.below(4));
  layout.sweep = rng.one_in(2);
  return layout;
}

inline Timing draw_timing(Rng& rng) {
  Timing timing;
  for (bool* flag :
       {&timing.overlap, &timing.graph_events, &timing.plan_stream, &timing.staging_reused, &timing.host_bound}) {
    *flag = rng.one_in(2);
  }
  timing.read_end = static_cast<ReadEnd>(rng.between(1, read_end_count - 1));
  timing.tables = static_cast<Tables>(rng.below(tables_count));
  timing.slots = draw_number(rng, 2, 1, 8);
  timing.barrier = static_cast<Barrier>(rng.below(barrier_count));
  timing.algorithm = static_cast<Algorithm>(rng.below(algorithm_count));
  timing.lag = draw_number(rng, 1, 1, 4);
  return timing;
}

inline Config draw_config(Rng& rng) {
  constexpr std::int64_t limit = std::int64_t{1} << 28;
  Config config;
  config.page_size = draw_number(rng, 1, 1, 4096);
  config.context = draw_number(rng, 64, 0, 1 << 20);
  config.draft_tokens = draw_number(rng, 4, 1, 64);
  config.draft_steps = draw_number(rng, 3, 1, 64);
  if (rng.one_in(2)) config.layout = draw_layout(rng);
  if (rng.one_in(2)) config.timing = draw_timing(rng);
  const std::int64_t most = limit / (config.columns() * config.layout.slots_stride) - 1;
  config.requests = draw_number(rng, 8, 1, std::min<std::int64_t>(1024, most));
  const std::int64_t most_pages = std::min<std::int64_t>(1 << 24, limit / config.page_size);
  config.pages = draw_number(rng, 256, 1, most_pages);
  config.swa_pages = draw_number(rng, 128, 1, most_pages);
  config.swa = rng.one_in(2);
  config.window = draw_number(rng, 64, 1, 1 << 20);
  config.pool_seed = rng.one_in(2) ? 0 : rng.next();
  for (std::int64_t size = rng.between(1, 200); size <= 1024 && !rng.one_in(3); size += rng.between(1, 500)) {
    config.buckets.push_back(size);
  }
  if (config.layout.far != Far::none) {
    config.requests = std::min(config.requests, far_rows - 1);
    config.buckets.clear();
  }
  return config;
}

inline Step draw_step(Rng& rng) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  Step step;
  step.kind = static_cast<StepKind>(rng.below(step_kind_count));
  step.who = draw_number(rng, 0, 0, most);
  step.rows = draw_number(rng, 1, 0, most);
  step.amount = draw_number(rng, 0, 0, most);
  step.eager = rng.one_in(2);
  if (rng.one_in(2)) step.odd = static_cast<Odd>(rng.below(odd_count));
  step.odd_row = draw_number(rng, 0, 0, most);
  return step;
}

inline Finding draw_finding(Rng& rng) {
  Finding finding{draw_text(rng, false), draw_text(rng, false), draw_text(rng, false), draw_text(rng, true), {}};
  // A name ends where a comment could begin.
  for (std::string* name : {&finding.law, &finding.builder, &finding.fault}) {
    std::replace(name->begin(), name->end(), '#', '.');
  }
  finding.scenario.config = draw_config(rng);
  for (std::int64_t i = rng.between(0, 12); i > 0; --i) finding.scenario.steps.push_back(draw_step(rng));
  return finding;
}

}  // namespace pagestorm::sim
