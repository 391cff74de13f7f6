#include "coverage.hpp"

#include <algorithm>
#include <string_view>

namespace pagestorm::sim {
namespace {

constexpr std::array<std::string_view, class_count> class_names = {
    "page boundary",  "context limit", "past the width", "padded rows",    "batch 0",        "batch 1",
    "batch odd",      "batch full",    "bucket shrinks", "no prefix",      "all accepted",   "none accepted",
    "window evicted", "absent slot",   "odd row",        "far offsets",    "strided layout", "width 0",
    "mixed batch",    "host behind",   "shared prefix",  "ragged padding", "compact row",    "overlap",
    "plan stream",    "retracted",     "readmitted",     "deduplicated",   "tombstoned",     "recovered",
    "reclaimed"};

bool has_host_lag(Mode mode) { return mode == Mode::draft_decode || mode == Mode::target_verify; }

}  // namespace

std::string_view name_of(Class which) { return class_names[static_cast<std::size_t>(which)]; }

void Coverage::start(const Config& config) {
  ++scenarios;
  ++page_sizes[config.page_size];
  timing_ = config.timing;
  last_bucket_ = 0;
  met_.fill(false);
  last_tally_ = {};
}

void Coverage::mark(Class which, bool met) {
  const auto at = static_cast<std::size_t>(which);
  if (!met) return;
  ++classes[at];
  if (!met_[at]) ++cases[at];
  met_[at] = true;
}

void Coverage::note_tally(const WorldTally& tally) {
  mark(Class::retracted, tally.retractions > last_tally_.retractions);
  mark(Class::readmitted, tally.readmissions > last_tally_.readmissions);
  mark(Class::deduplicated, tally.deduplicated > last_tally_.deduplicated);
  mark(Class::tombstoned, tally.tombstones > last_tally_.tombstones);
  mark(Class::recovered, tally.recoveries > last_tally_.recoveries);
  mark(Class::reclaimed, tally.reclaimed > last_tally_.reclaimed);
  last_tally_ = tally;
}

void Coverage::note(const Step& step, Outcome outcome, const World& world) {
  ++steps;
  ++kinds[static_cast<std::size_t>(step.kind)];
  if (outcome == Outcome::no_op) ++no_ops;
  if (outcome == Outcome::batch) note_batch(step, world);
  note_tally(world.tally());
  pages_peak = std::max(pages_peak, world.live_pages());
}

void Coverage::note_batch(const Step& step, const World& world) {
  const Forward& forward = world.forward();
  const Config& config = world.config();
  const auto size = static_cast<std::int64_t>(forward.rows.size());
  ++batches;
  rows += size;
  ++modes[static_cast<std::size_t>(forward.mode)];
  bool boundary = false, limit = false, past = false, evicted = false, punctured = false, odd = false;
  bool behind = false, shares = false, prefills = false, decodes = false;
  for (const ForwardRow& row : forward.rows) {
    odd = odd || row.odd != Odd::none;
    if (row.request < 0 || row.odd != Odd::none) continue;
    const Request& request = world.requests()[static_cast<std::size_t>(row.request)];
    const std::int64_t rest = row.length % config.page_size;
    boundary = boundary || rest <= 1 || rest == config.page_size - 1;
    limit = limit || row.length >= config.context - config.draft_tokens;
    past = past || row.first_write + row.writes - row.start > config.width() * config.page_size;
    evicted = evicted || (config.swa && request.evicted_pages > 0);
    punctured = punctured || !request.punctured.empty();
    shares = shares || request.shared_columns > 0;
    behind = behind || (row.length > request.known_length && has_host_lag(forward.mode));
    prefills = prefills || request.prompt >= request.length;
    decodes = decodes || (request.prompt > 0 && row.first_write >= request.prompt);
  }
  const bool verify = step.kind == StepKind::verify || step.kind == StepKind::ragged;
  bool all = false, none = false;
  for (std::int64_t r = 0; verify && r < forward.real_rows; ++r) {
    const ForwardRow& row = forward.rows[static_cast<std::size_t>(r)];
    const std::int64_t accepted = row.accepted;
    all = all || accepted == row.writes;
    none = none || accepted == 0;
  }
  mark(Class::page_boundary, boundary);
  mark(Class::context_limit, limit);
  mark(Class::past_width, past);
  mark(Class::padded, forward.padded);
  mark(Class::batch_empty, size == 0);
  mark(Class::batch_one, size == 1);
  mark(Class::batch_odd, size > 1 && size % 2 == 1);
  mark(Class::batch_full, forward.real_rows == config.requests);
  mark(Class::bucket_shrinks, size < last_bucket_);
  mark(Class::no_cached_prefix, forward.mode == Mode::extend && !forward.has_cached_prefix);
  mark(Class::all_accepted, all);
  mark(Class::none_accepted, none);
  mark(Class::window_evicted, evicted);
  mark(Class::absent_slot, punctured);
  mark(Class::odd_row, odd);
  mark(Class::far_offset, config.layout.far != Far::none);
  mark(Class::strided, config.layout.table_stride > 1 || config.layout.swa_table_stride > 1);
  mark(Class::width_zero, config.width() == 0);
  mark(Class::mixed, forward.mode == Mode::extend && prefills && decodes);
  mark(Class::behind, behind);
  mark(Class::ragged_padded, step.kind == StepKind::ragged && forward.padded);
  mark(Class::compact_row, step.kind == StepKind::block && config.block_window > 0);
  mark(Class::shared_prefix, shares);
  mark(Class::overlapped, timing_.overlap);
  mark(Class::planned, timing_.overlap && timing_.plan_stream && (verify || forward.mode == Mode::draft_extend));
  last_bucket_ = size;
}

void Coverage::note_ask(const Ask& ask, const Config& config, bool tried) {
  if (tried)
    ++asks[static_cast<std::size_t>(ask.op)][static_cast<std::size_t>(config.top_k)];
  else
    ++asks_not_tried;
}

std::vector<std::string> Coverage::missed_asks() const {
  std::vector<std::string> names;
  for (int op = 0; op < flash_op_count; ++op)
    for (const std::size_t k : {1u, 2u, 4u, 8u})
      if (asks[static_cast<std::size_t>(op)][k] == 0)
        names.push_back(std::string(name_of(static_cast<FlashOp>(op))) + " at top-k " + std::to_string(k));
  return names;
}

std::vector<std::string_view> Coverage::missed() const {
  std::vector<std::string_view> names;
  for (int i = 0; i < step_kind_count; ++i)
    if (kinds[static_cast<std::size_t>(i)] == 0) names.push_back(name_of(static_cast<StepKind>(i)));
  for (int i = 0; i < class_count; ++i)
    if (cases[static_cast<std::size_t>(i)] == 0) names.push_back(name_of(static_cast<Class>(i)));
  return names;
}

Coverage& Coverage::operator+=(const Coverage& other) {
  scenarios += other.scenarios;
  steps += other.steps;
  no_ops += other.no_ops;
  batches += other.batches;
  rows += other.rows;
  for (std::size_t i = 0; i < modes.size(); ++i) modes[i] += other.modes[i];
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] += other.kinds[i];
  for (std::size_t i = 0; i < asks.size(); ++i)
    for (std::size_t k = 0; k < asks[i].size(); ++k) asks[i][k] += other.asks[i][k];
  asks_not_tried += other.asks_not_tried;
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i] += other.classes[i];
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i] += other.cases[i];
  for (const auto& [size, count] : other.page_sizes) page_sizes[size] += count;
  pages_peak = std::max(pages_peak, other.pages_peak);
  return *this;
}

}  // namespace pagestorm::sim
