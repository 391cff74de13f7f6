#include "trace_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "options.hpp"
#include "print.hpp"
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

// Of a static table, or of two with SWA.
std::int64_t table_bytes(const sim::DriveOptions& options) {
  return sim::config_of(options).width() * options.batch * 4 * (options.swa ? 2 : 1);
}

std::int64_t live_bytes(const sim::DriveOptions& options, double cells) {
  return static_cast<std::int64_t>(cells * 4 * (options.swa ? 2 : 1));
}

std::string bytes(std::int64_t count) {
  const auto value = static_cast<double>(count);
  if (count < 1 << 10) return fmt::format("{} B", count);
  return count < 1 << 20 ? fmt::format("{:.3g} KiB", value / (1 << 10)) : fmt::format("{:.3g} MiB", value / (1 << 20));
}

// What the prefix cache found, beside what the trace repeats.
std::string print_prefix(const sim::DrivePlan& plan, const sim::DriveTally& tally) {
  std::string text =
      fmt::format("prefix    {:.1f} % of tokens hit", 100 * share(tally.hit_tokens, tally.prompt_tokens));
  if (plan.blocks > 0)
    text += fmt::format(
        ", {:.1f} % of blocks as a whole ({} of {}) · the trace repeats {:.1f} % of blocks, {} of them the last of a "
        "prompt, which must run",
        100 * share(tally.hit_blocks, tally.prompt_blocks), grouped(tally.hit_blocks), grouped(tally.prompt_blocks),
        100 * share(plan.blocks_hit, plan.blocks), grouped(plan.repeated));
  return text + "\n";
}

std::string print_pools(const TraceTask& task, const sim::DriveTally& tally) {
  const sim::Config config = sim::config_of(task.options);
  std::string text = fmt::format("pools     {} pages, peak {} in use, mean {}", grouped(config.pages),
                                 grouped(tally.pages_peak), grouped(static_cast<std::int64_t>(tally.mean_pages())));
  if (task.jobs > 1) text += fmt::format(", in each of {} engines", task.jobs);
  text += fmt::format(" · {} retractions, {} readmissions", grouped(tally.retractions), grouped(tally.readmissions));
  if (config.cache) text += fmt::format(" · {} pages evicted from the prefix cache", grouped(tally.reclaimed));
  if (config.swa)
    text += fmt::format(" · {} SWA pages left windows, {} tombstones", grouped(tally.window_freed),
                        grouped(tally.tombstones));
  return text + "\n";
}

std::string print_memory(const TraceTask& task, const sim::DriveTally& tally) {
  const sim::DriveOptions& options = task.options;
  return fmt::format(
      "memory    {} requests at most{} · static table{} {} columns × {} rows = {}, live cells {} at the peak, {} at "
      "the "
      "mean, {:.1f} % at the median\n",
      grouped(tally.rows_peak), task.jobs > 1 ? fmt::format(", in the fullest of {} engines", task.jobs) : "",
      options.swa ? "s" : "", grouped(sim::config_of(options).width()), grouped(options.batch),
      bytes(table_bytes(options)), bytes(live_bytes(options, static_cast<double>(tally.running_peak))),
      bytes(live_bytes(options, tally.mean_running())), 100 * tally.median_live_share());
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

// Operations of the family: "draft_expand 12 · verify_expand 6".
std::string print_asks(const sim::Coverage& coverage, std::int64_t top_k) {
  std::string text;
  for (int op = 0; op < flash_op_count; ++op)
    if (const std::int64_t asks = coverage.asks[static_cast<std::size_t>(op)][static_cast<std::size_t>(top_k)];
        asks > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : " · ", sim::name_of(static_cast<FlashOp>(op)), amount(asks));
  if (coverage.asks_not_tried > 0)
    text += fmt::format("{}{} not tried, the builder lacks them", text.empty() ? "" : " · ",
                        amount(coverage.asks_not_tried));
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
  text += fmt::format("\nmodes     {}\n", print_modes(tally));
  if (options.cache) text += print_prefix(plan, tally);
  if (tally.verified > 0)
    text += fmt::format("accepted  {:.3f} tokens a verify and row, of {} drafted\n", tally.mean_accepted(),
                        options.draft_tokens);
  if (options.flash)
    text +=
        fmt::format("family    {}, at top-k {}\n", print_asks(result.verdict.coverage, options.top_k), options.top_k);
  text += print_pools(task, tally) + print_memory(task, tally);
  text += fmt::format("judged    {} steps, {} rows, {} cells by {}{}\n", amount(tally.forwards), amount(tally.rows),
                      amount(tally.cells), task.builder,
                      task.fault == Fault::none ? "" : fmt::format(" + {}", fault_name(task.fault)));
  text += fmt::format("          {}\n", print_laws(result.verdict));
  text += print_excuses(result.verdict);
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
        {"accept", options.accept_lengths.empty() ? options.accept : options.accept_lengths.mean()},
        {"accept_from", task.accept_from},
        {"cache", options.cache},
        {"pool_pages", options.pool_pages},
        {"swa_pool_pages", options.swa_pool_pages},
        {"timeline", task.timeline},
        {"swa", options.swa},
        {"window", options.window},
        {"chunk", options.chunk},
        {"family", options.flash ? "flash" : "paged"},
        {"top_k", options.top_k},
        {"local_chunk", options.local_chunk},
        {"mask", options.whole_mask ? "whole" : "drafts"},
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
        {"prefix_hit_share", share(plan.blocks_hit, plan.blocks)},
        {"requests_repeated", plan.repeated}}},
      {"prefix",
       {{"prompt_tokens", result.tally.prompt_tokens},
        {"hit_tokens", result.tally.hit_tokens},
        {"token_hit_share", share(result.tally.hit_tokens, result.tally.prompt_tokens)},
        {"blocks", result.tally.prompt_blocks},
        {"hit_blocks", result.tally.hit_blocks},
        {"block_hit_share", share(result.tally.hit_blocks, result.tally.prompt_blocks)}}},
      {"pools",
       {{"pages", sim::config_of(options).pages},
        {"swa_pages", options.swa ? sim::config_of(options).swa_pages : 0},
        {"pages_peak", result.tally.pages_peak},
        {"pages_mean", result.tally.mean_pages()},
        {"retractions", result.tally.retractions},
        {"readmissions", result.tally.readmissions},
        {"evicted_from_cache", result.tally.reclaimed},
        {"tombstones", result.tally.tombstones},
        {"window_freed", result.tally.window_freed}}},
      {"modes", modes},
      {"memory",
       {{"pages_peak", result.tally.pages_peak},
        {"engine_pages_peaks", result.engine_pages_peaks},
        {"requests_peak", result.tally.rows_peak},
        {"table_columns", sim::config_of(options).width()},
        {"table_rows", options.batch},
        {"table_bytes", table_bytes(options)},
        {"live_bytes_peak", live_bytes(options, static_cast<double>(result.tally.running_peak))},
        {"live_bytes_mean", live_bytes(options, result.tally.mean_running())},
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
