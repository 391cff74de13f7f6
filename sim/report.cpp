#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "world.hpp"

namespace pagestorm::sim {
namespace {

std::string describe_layout(const Layout& layout) {
  std::string text;
  const Layout plain;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  if (layout.index_type != plain.index_type) add("int32 indices");
  if (layout.length_type != plain.length_type) add("int32 lengths");
  if (layout.location_type != plain.location_type) add("int32 write slots");
  if (layout.map_type != plain.map_type) add("int32 map");
  const auto strided = [&](const char* what, std::int64_t stride, std::int64_t padding) {
    if (stride > 1) add(fmt::format("{} with inner stride {}", what, stride));
    if (padding > 0) add(fmt::format("{} rows {} elements apart", what, padding));
  };
  strided("inputs", layout.input_stride, 0);
  strided("output vectors", layout.output_stride, 0);
  strided("req_to_token", layout.slots_stride, layout.slots_padding);
  strided("page_table", layout.table_stride, layout.table_padding);
  strided("swa_page_table", layout.swa_table_stride, layout.swa_table_padding);
  if (layout.write_room != 0) add(fmt::format("room for {:+} write slots", layout.write_room));
  if (layout.far != Far::none) add(fmt::format("{} rows 2^31 elements apart", name_of(layout.far)));
  return text;
}

std::string describe_timing(const Timing& timing) {
  std::string text = fmt::format("overlaps, lag {} · reads end {} · tables {}", timing.lag, name_of(timing.read_end),
                                 name_of(timing.tables));
  if (timing.tables == Tables::reused || timing.tables == Tables::ring) text += fmt::format(" of {}", timing.slots);
  if (timing.plan_stream) text += " · plan stream";
  if (timing.barrier != Barrier::after_launch) text += fmt::format(" · barrier {}", name_of(timing.barrier));
  if (!timing.graph_events) text += " · no events in graphs";
  if (timing.staging_reused) text += " · pinned buffers reused";
  if (timing.host_bound) text += fmt::format(" · host bounds, {}", name_of(timing.algorithm));
  return text;
}

std::string requests_of(const World& world) {
  std::string text;
  for (const ForwardRow& row : world.forward().rows) {
    if (row.request < 0) continue;
    if (text.size() > 40) return text + "...";
    text += letter(world.requests()[static_cast<std::size_t>(row.request)].serial) + " ";
  }
  return text;
}

std::string describe_batch(const World& world, const Step& step) {
  const Forward& forward = world.forward();
  std::string text = fmt::format("{}", requests_of(world));
  if (forward.mode == Mode::draft_decode) text += fmt::format("at draft step {} ", forward.draft_step);
  if (forward.tokens_per_row > 1 || forward.mode == Mode::target_verify)
    text += fmt::format("with {} tokens a row ", forward.tokens_per_row);
  if (!forward.rows.empty() && forward.rows.front().request >= 0) {
    const ForwardRow& row = forward.rows.front();
    text += fmt::format("· lengths {}{} ", grouped(row.length), forward.real_rows > 1 ? ", ..." : "");
    if (step.kind == StepKind::verify || step.kind == StepKind::ragged) {
      const std::int64_t accepted = row.accepted;
      text += fmt::format("· {} then accepts {} ",
                          letter(world.requests()[static_cast<std::size_t>(row.request)].serial), accepted);
    }
  }
  if (forward.padded || forward.rows.empty())
    text += fmt::format("· {} rows, {} of them padding ", forward.rows.size(),
                        static_cast<std::int64_t>(forward.rows.size()) - forward.real_rows);
  for (std::size_t r = 0; r < forward.rows.size(); ++r)
    if (forward.rows[r].odd != Odd::none) text += fmt::format("· row {} told {} ", r, name_of(forward.rows[r].odd));
  return text;
}

std::string family_of(const Request& request) {
  return request.family == 0 ? "" : fmt::format(" · family {}", request.family);
}

std::string given_back(const World& world) {
  std::int64_t full = 0, swa = 0;
  for (const PoolEvent& event : world.events()) ++(event.pool == Pool::full ? full : swa);
  return fmt::format("{} pages and {} SWA pages go back", full, swa);
}

std::string describe_change(const World& world, const Step& step) {
  const auto& requests = world.requests();
  switch (step.kind) {
    case StepKind::admit:
      return fmt::format("{} · length {}{}", letter(requests.back().serial), grouped(requests.back().length),
                         family_of(requests.back()));
    case StepKind::arrive:
    case StepKind::readmit:
      return fmt::format("{} · prompt {}{} · {} tokens in the prefix cache", letter(requests.back().serial),
                         grouped(requests.back().prompt), family_of(requests.back()), grouped(requests.back().length));
    case StepKind::evict:
    case StepKind::reclaim:
    case StepKind::tombstone: return given_back(world);
    case StepKind::puncture: {
      const Request& request = requests[static_cast<std::size_t>(step.who) % requests.size()];
      return fmt::format("{} · page {} has no slot", letter(request.serial), request.punctured.back());
    }
    default: return "";
  }
}

// What a finish is about to end: afterwards the request is gone.
std::string leaving(const World& world, const Step& step) {
  const auto& requests = world.requests();
  if ((step.kind != StepKind::finish && step.kind != StepKind::retract) || requests.empty()) return "";
  return letter(requests[static_cast<std::size_t>(step.who) % requests.size()].serial);
}

}  // namespace

std::string grouped(std::int64_t number) {
  std::string text = fmt::format("{}", number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > sign + 3;) text.insert(at -= 3, ",");
  return text;
}

std::string describe(const Config& config) {
  std::string text =
      fmt::format("page size {} · context {} · table width {} · request rows {}", grouped(config.page_size),
                  grouped(config.context), grouped(config.width()), grouped(config.requests));
  text += config.swa ? fmt::format(" · SWA window {}", grouped(config.window)) : std::string(" · no SWA");
  if (config.cache) text += fmt::format(" · prefix cache, prompts alike for {}", grouped(config.branch));
  if (config.retract) text += " · retracts";
  if (!config.buckets.empty()) text += fmt::format(" · captured at {} rows", fmt::join(config.buckets, ", "));
  if (config.timing.overlap) text += "\n  " + describe_timing(config.timing);
  const std::string layout = describe_layout(config.layout);
  return layout.empty() ? text : text + "\n  " + layout;
}

std::vector<std::string> describe_steps(const Scenario& scenario) {
  Inputs inputs;
  World world;
  world.start(scenario.config, inputs);
  std::vector<std::string> lines;
  for (const Step& step : scenario.steps) {
    std::string text = leaving(world, step);
    const Outcome outcome = world.apply(step);
    if (outcome == Outcome::no_op)
      text = "(nothing to do)";
    else if (outcome == Outcome::batch)
      text = describe_batch(world, step);
    else if (step.kind != StepKind::finish && step.kind != StepKind::retract)
      text = describe_change(world, step);
    while (!text.empty() && text.back() == ' ') text.pop_back();
    lines.push_back(fmt::format("{:<12}  {}", name_of(step.kind), text));
  }
  return lines;
}

std::string draw_map(const Violation& violation) {
  if (!violation.map) return "";
  const RowMap& map = *violation.map;
  std::string head =
      fmt::format("{:<22}", violation.place.part == Part::fence
                                ? fmt::format("row {}", violation.place.row)
                                : fmt::format("{}, row {}", name_of(violation.place.part), violation.place.row));
  std::string want = fmt::format("{:<22}", "  expected");
  std::string got = fmt::format("{:<22}", "  got");
  std::string mark(22, ' ');
  for (std::size_t i = 0; i < map.got.size(); ++i) {
    const std::int64_t column = map.first_column + static_cast<std::int64_t>(i);
    const std::string edge = column == map.width ? " |" : "";
    const std::int32_t cell = map.got[i];
    const bool poison = cell == Moment::first_poison || cell == Moment::second_poison;
    head += fmt::format("{}{:>9}", edge, column);
    want += fmt::format("{}{:>9}", edge, i < map.expected.size() ? fmt::format("{}", map.expected[i]) : ".");
    got += fmt::format("{}{:>9}", edge, poison ? std::string(".") : fmt::format("{}", cell));
    mark += fmt::format("{}{:>9}", edge.empty() ? "" : "  ", column == violation.place.column ? "^" : "");
  }
  while (!mark.empty() && mark.back() == ' ') mark.pop_back();
  return fmt::format("  {}\n  {}\n  {}\n  {}", head, want, got, mark);
}

std::string explain(const Scenario& scenario, const Violation& violation) {
  std::string text = fmt::format("  {}\n", describe(scenario.config));
  const std::vector<std::string> steps = describe_steps(scenario);
  const auto last = std::min(steps.size(), static_cast<std::size_t>(violation.step) + 1);
  constexpr std::size_t shown = 12;
  if (last > shown) text += fmt::format("    ... {} earlier steps\n", last - shown);
  for (std::size_t i = last > shown ? last - shown : 0; i < last; ++i)
    text += fmt::format("  {:>3}  {}\n", i + 1, steps[i]);
  text += fmt::format("\n  where     {}\n  expected  {}\n  got       {}\n", violation.place.text, violation.expected,
                      violation.got);
  if (const std::string map = draw_map(violation); !map.empty()) text += "\n" + map + "\n";
  if (!violation.time_line.empty()) text += "\n" + violation.time_line + "\n";
  text += fmt::format("\n  why       {}\n", violation.why);
  return text;
}

}  // namespace pagestorm::sim
