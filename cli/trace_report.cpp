#include "trace_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "options.hpp"
#include "sim/report.hpp"
#include "trace_json.hpp"

namespace pagestorm::cli {
namespace {

using sim::grouped;

// 12,031 or 86.2 M: no more digits than anybody reads.
std::string amount(std::int64_t number) {
  const auto value = static_cast<double>(number);
  if (number < 1'000'000) return grouped(number);
  return number < 1'000'000'000 ? fmt::format("{:.1f} M", value / 1e6) : fmt::format("{:.1f} G", value / 1e9);
}

std::string rate(double number) {
  if (number < 1e4) return grouped(static_cast<std::int64_t>(number));
  return number < 1e6 ? fmt::format("{:.0f} k", number / 1e3) : fmt::format("{:.1f} M", number / 1e6);
}

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double table_mib(const sim::DriveOptions& options) {
  return static_cast<double>(sim::config_of(options).width() * options.batch * 4) / (1 << 20);
}

std::string print_modes(const sim::DriveTally& tally) {
  std::string text;
  for (int i = 0; i < mode_count; ++i) {
    const auto mode = static_cast<std::size_t>(i);
    if (tally.mode_steps[mode] == 0) continue;
    text += fmt::format("{}{} {} steps, {} rows", text.empty() ? "" : " · ", sim::name_of(static_cast<Mode>(i)),
                        amount(tally.mode_steps[mode]), amount(tally.mode_rows[mode]));
  }
  return text.empty() ? "none" : text;
}

std::string print_laws(const Result& verdict) {
  std::string laws;
  for (const LawRow& row : verdict.rows)
    laws += fmt::format("{}{} {}", laws.empty() ? "" : " · ", row.law,
                        row.violated > 0 ? "VIOLATED"
                        : row.steps > 0  ? "held"
                                         : "not reached");
  return laws;
}

}  // namespace

std::string print_trace(const TraceTask& task, const sim::DrivePlan& plan, const TraceResult& result) {
  const sim::DriveOptions& options = task.options;
  const sim::DriveTally& tally = result.tally;
  const auto requests = static_cast<std::int64_t>(plan.requests.size());
  std::string text = fmt::format("{} requests · {} tokens in · {} out", amount(requests), amount(plan.tokens_in),
                                 amount(plan.tokens_out));
  if (plan.clipped > 0)
    text += fmt::format(" · {} cut to the context of {}", grouped(plan.clipped), grouped(options.context));
  if (plan.blocks > 0)
    text += fmt::format(" · prefix hits {:.1f} % of blocks", 100 * share(plan.blocks_hit, plan.blocks));
  text += fmt::format("\nmodes     {}\n", print_modes(tally));
  if (tally.verified > 0)
    text += fmt::format("accepted  {:.3f} tokens a verify and row, of {} drafted\n", tally.mean_accepted(),
                        options.draft_tokens);
  const auto engines = static_cast<std::int64_t>(task.jobs);
  text += fmt::format(
      "memory    peak {} pages live, {} requests{} · static table {} columns × {} rows = {:.3g} MiB, "
      "{:.1f} % of cells live at the median\n",
      grouped(tally.pages_peak), grouped(tally.rows_peak),
      engines > 1 ? fmt::format(", in the fullest of {} engines", engines) : "",
      grouped(sim::config_of(options).width()), grouped(options.batch), table_mib(options),
      100 * tally.median_live_share());
  text += fmt::format("judged    {} steps, {} rows, {} cells by {}{}\n", amount(tally.forwards), amount(tally.rows),
                      amount(tally.cells), task.builder,
                      task.fault == Fault::none ? "" : fmt::format(" + {}", fault_name(task.fault)));
  text += fmt::format("          {}\n", print_laws(result.verdict));
  const double seconds = result.verdict.seconds;
  text += fmt::format("          {} · {} rows a second\n", show_seconds(seconds),
                      rate(static_cast<double>(tally.rows) / seconds));
  return text;
}

std::string print_trace_failure(const TraceTask& task, const TraceResult& result) {
  const Failure& failure = result.verdict.failures.front();
  const std::string how = failure.flaky ? std::string("not seen again outside the run")
                                        : fmt::format("{} steps shrunk to {} in {}", grouped(failure.steps_before),
                                                      grouped(failure.steps_after), show_seconds(failure.shrink_s));
  std::string text =
      fmt::format("{} is VIOLATED by {}{}   (engine {} of {}, step {}; {})\n\n{}", failure.law, failure.builder,
                  failure.fault.empty() ? "" : " + " + failure.fault, failure.case_index + 1, task.jobs,
                  grouped(result.failing_step), how, failure.explanation);
  if (failure.file.empty())
    return text + fmt::format("  not saved {}\n  the scenario:\n\n{}", failure.save_error, failure.scenario);
  return text + fmt::format("  saved     {}\n  replay    {}\n", failure.file, failure.replay);
}

std::string print_trace_json(const TraceTask& task, const sim::DrivePlan& plan, const TraceResult& result,
                             int exit_code) {
  const sim::DriveOptions& options = task.options;
  const double seconds = result.verdict.seconds;
  nlohmann::json modes = nlohmann::json::object();
  for (int i = 0; i < mode_count; ++i) {
    const auto mode = static_cast<std::size_t>(i);
    modes[std::string(sim::name_of(static_cast<Mode>(i)))] = {{"steps", result.tally.mode_steps[mode]},
                                                              {"rows", result.tally.mode_rows[mode]}};
  }
  const nlohmann::json json{
      {"schema", 1},
      {"command", "trace"},
      {"exit_code", exit_code},
      {"file", task.file},
      {"format", sim::name_of(task.format)},
      {"options",
       {{"page_size", options.page_size},
        {"context", options.context},
        {"batch", options.batch},
        {"draft_tokens", options.draft_tokens},
        {"draft_steps", options.draft_steps},
        {"accept", options.accept},
        {"swa", options.swa},
        {"window", options.window},
        {"chunk", options.chunk},
        {"seed", options.seed},
        {"saturated", options.saturated},
        {"builder", task.builder},
        {"fault", fault_name(task.fault)},
        {"laws", task.laws},
        {"jobs", task.jobs}}},
      {"trace",
       {{"requests", plan.requests.size()},
        {"tokens_in", plan.tokens_in},
        {"tokens_out", plan.tokens_out},
        {"clipped", plan.clipped},
        {"tokens_cached", plan.tokens_cached},
        {"prefix_blocks", plan.blocks},
        {"prefix_blocks_hit", plan.blocks_hit},
        {"prefix_hit_share", share(plan.blocks_hit, plan.blocks)}}},
      {"modes", modes},
      {"memory",
       {{"pages_peak", result.tally.pages_peak},
        {"engine_pages_peaks", result.engine_pages_peaks},
        {"requests_peak", result.tally.rows_peak},
        {"table_columns", sim::config_of(options).width()},
        {"table_rows", options.batch},
        {"table_mib", table_mib(options)},
        {"median_live_share", result.tally.median_live_share()}}},
      {"judged", {{"steps", result.tally.forwards}, {"rows", result.tally.rows}, {"cells", result.tally.cells}}},
      {"mean_accepted", result.tally.mean_accepted()},
      {"seconds", seconds},
      {"steps_per_second", static_cast<double>(result.tally.forwards) / seconds},
      {"rows_per_second", static_cast<double>(result.tally.rows) / seconds},
      {"tally", result.tally},
      {"verdict", result.verdict}};
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace pagestorm::cli
