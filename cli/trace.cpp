// pagestorm trace: a real serving trace drives the engine, and every step is judged.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include "commands.hpp"
#include "error.hpp"
#include "family_options.hpp"
#include "options.hpp"
#include "print.hpp"
#include "props/laws.hpp"
#include "save.hpp"
#include "sim/report.hpp"
#include "sim/text.hpp"
#include "trace_report.hpp"
#include "trace_run.hpp"

namespace pagestorm::cli {
namespace {

/// Typed values, before they are understood.
struct TraceText {
  std::string file, format, swa = "off", cache, builder = "host", fault, seed = "0", out = "failures", json;
  std::string accept_from, timeline, family = "paged", mask = "drafts";
  std::vector<std::string> laws;
  std::optional<std::int64_t> context, draft_steps;
  std::int64_t limit = 0;
  std::int64_t jobs = std::clamp<std::int64_t>(std::thread::hardware_concurrency(), 1, 256);
  sim::DriveOptions options;
  LimitsText limits;
};

void add_options(CLI::App& command, TraceText& text) {
  sim::DriveOptions& options = text.options;
  const auto number = [&command](const char* name, auto& value, std::int64_t low, std::int64_t high, const char* what) {
    return command.add_option(name, value, what)->check(CLI::Range(low, high));
  };
  constexpr std::int64_t most_tokens = std::int64_t{1} << 20;
  command.add_option("FILE", text.file, "trace")->required();
  command.add_option("--format", text.format, "mooncake, azure or lengths [by its first lines]")
      ->check(CLI::IsMember({"mooncake", "azure", "lengths"}));
  number("--page-size", options.page_size, 1, 4096, "tokens of a page, 1 to 4096")->capture_default_str();
  number("--context", text.context, 1, most_tokens,
         "longest request in tokens, longer ones are cut [a power of two that holds all, 4096 to 2^20]");
  number("--batch", options.batch, 1, 1024, "request rows of an engine, 1 to 1024")->capture_default_str();
  number("--draft-tokens", options.draft_tokens, 1, 64, "draft tokens N of a verify; 1 = no speculation")
      ->capture_default_str();
  number("--draft-steps", text.draft_steps, 1, 64, "draft steps T of a loop [N - 1, at least 1]");
  CLI::Option* accept =
      command.add_option("--accept", options.accept, "mean tokens accepted a verify, bonus token included, 1 to N")
          ->check(CLI::Range(1.0, 64.0))
          ->capture_default_str();
  command
      .add_option("--accept-from", text.accept_from,
                  "file of accept lengths: one a line, or CSV with a column length (and weight), mean_tokens_per_step "
                  "or accept_length")
      ->excludes(accept);
  command.add_option("--cache", text.cache, "prefix cache: on or off [on when the trace has prefix ids]")
      ->check(CLI::IsMember({"on", "off"}));
  number("--pool-pages", options.pool_pages, 1, std::int64_t{1} << 24,
         "pages of an engine's pool [as many as can be]; when they run dry, the cache shrinks and requests wait");
  number("--swa-pool-pages", options.swa_pool_pages, 1, std::int64_t{1} << 24, "the same of the SWA pool");
  command.add_option("--swa", text.swa, "hybrid model with a sliding window: on or off")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  number("--window", options.window, 1, most_tokens, "tokens that SWA layers look back")->capture_default_str();
  number("--chunk", options.chunk, 1, most_tokens, "tokens of one prefill step at most")->capture_default_str();
  command.add_option("--family", text.family, "backends that tables are made for: paged, or flash besides")
      ->check(CLI::IsMember({"paged", "flash"}))
      ->capture_default_str();
  number("--top-k", options.top_k, 1, 8, "branches of a draft, of the family flash")->capture_default_str();
  number("--local-chunk", options.local_chunk, 0, most_tokens,
         "tokens of a chunk of local attention, of the family flash; 0 = none")
      ->capture_default_str();
  command.add_option("--mask", text.mask, "columns of a tree mask, of the family flash: drafts, or whole rows")
      ->check(CLI::IsMember({"drafts", "whole"}))
      ->capture_default_str();
  number("--limit", text.limit, 1, std::int64_t{1} << 40, "requests to read [all]");
  command.add_option("--builder", text.builder, "builder under test, by name, path of a shared library or command")
      ->capture_default_str();
  command.add_option("--law", text.laws, "law to judge by, more than one allowed [all]")->allow_extra_args(false);
  command.add_option("--fault", text.fault, "switch on one thing wrong in the builder; `pagestorm info` lists them");
  number("--jobs", text.jobs, 1, 256, "engines that share the requests, each a process [number of cores]");
  command.add_option("--seed", text.seed, "64-bit seed of page orders and acceptance")->capture_default_str();
  command.add_flag("--saturated", options.saturated, "ignore arrivals: every request waits from the start");
  command.add_option("--out", text.out, "folder for failures")->capture_default_str();
  command.add_option("--json", text.json, "write every figure to this file");
  command.add_option("--timeline", text.timeline,
                     "write pages, requests and hits over virtual time to this CSV file; one for each engine");
  number("--timeline-every", options.timeline_every, 1, std::int64_t{1} << 40,
         "forward passes from row to row [so that there are at most 100,000 rows]");
  add_limit_options(command, text.limits);
}

std::vector<std::string> laws_of(const TraceText& text, bool swa, bool flash) {
  std::vector<std::string> laws = law_names(text.laws);
  if (!flash) {
    require_no_flash_law(text.laws);
    std::erase_if(laws, props::is_flash_only);
  }
  if (text.laws.empty() && !swa)
    for (const char* about_swa : {"swa_slots_are_valid", "swa_map_is_exact", "window_is_backed"})
      std::erase(laws, about_swa);
  return laws;
}

// A fault of the family asks for it by itself.
void read_family(const TraceText& text, Fault fault, sim::DriveOptions& options) {
  options.flash = text.family == "flash" || needs_flash(fault);
  options.whole_mask = text.mask == "whole";
  if (options.flash) return;
  if (options.top_k > 1) throw UsageError("--top-k: only drafts of the family flash have branches; add --family flash");
  if (options.local_chunk > 0)
    throw UsageError("--local-chunk: only the family flash has local attention; add --family flash");
  if (options.whole_mask) throw UsageError("--mask: only the family flash has tree masks; add --family flash");
}

// All that can be said without the trace.
TraceTask understand(const TraceText& text) {
  TraceTask task{.file = text.file,
                 .options = text.options,
                 .builder = text.builder,
                 .out = text.out,
                 .accept_from = text.accept_from,
                 .timeline = text.timeline,
                 .json = text.json};
  sim::DriveOptions& options = task.options;
  if (!text.accept_from.empty() && options.draft_tokens == 1)
    throw UsageError("--accept-from: with 1 draft token nothing is verified; use --draft-tokens 2 to 64");
  if (options.accept > static_cast<double>(options.draft_tokens) && options.draft_tokens > 1 &&
      text.accept_from.empty())
    throw UsageError(fmt::format("--accept: {} is more than the {} draft tokens; use 1 to {}", options.accept,
                                 options.draft_tokens, options.draft_tokens));
  options.draft_steps = text.draft_steps.value_or(std::max<std::int64_t>(1, options.draft_tokens - 1));
  options.swa = text.swa == "on";
  if (options.swa_pool_pages > 0 && !options.swa)
    throw UsageError("--swa-pool-pages: there is no SWA pool; add --swa on");
  if (options.timeline_every > 0 && text.timeline.empty())
    throw UsageError("--timeline-every: there is no timeline; add --timeline FILE");
  options.timeline = !text.timeline.empty();
  options.seed = seed_of(text.seed, "--seed");
  require_known_builders({text.builder}, true);
  task.outside = limits_of(text.limits, {text.builder});
  task.fault = fault_of(text.fault);
  read_family(text, task.fault, options);
  task.laws = laws_of(text, options.swa, options.flash);
  return task;
}

// An engine that is one, with pools that hold the largest request.
void require_possible(const sim::DriveOptions& options, const sim::DrivePlan& plan) {
  if (const std::string problem = sim::complaint(sim::config_of(options)); !problem.empty()) {
    if (problem.starts_with("pages:") && options.pool_pages > 0) throw UsageError("--pool-pages: " + problem);
    if (problem.starts_with("swa_pages:") && options.swa_pool_pages > 0)
      throw UsageError("--swa-pool-pages: " + problem);
    throw UsageError(fmt::format("--batch {} with --context {}: {}", options.batch, options.context, problem));
  }
  const std::size_t at = sim::largest(plan.requests, options);
  const sim::DriveRequest& request = plan.requests[at];
  const std::int64_t least = sim::pages_for_one(request, options);
  const auto require = [&](const char* option, std::int64_t pages) {
    if (pages == 0 || pages >= least) return;
    throw UsageError(
        fmt::format("{}: {} pages of {} tokens cannot hold request {} by arrival ({} tokens, {} of them its prompt); "
                    "use {} or more",
                    option, pages, options.page_size, at + 1, request.target, request.input, least));
  };
  require("--pool-pages", options.pool_pages);
  require("--swa-pool-pages", options.swa_pool_pages);
}

int exit_code(const TraceResult& result) {
  const Result& verdict = result.verdict;
  if (!verdict.failures.empty()) return verdict.failures.front().save_error.empty() ? violated : environment;
  if (!verdict.error.empty()) return environment;
  return std::any_of(verdict.rows.begin(), verdict.rows.end(), [](const LawRow& row) { return row.steps > 0; })
             ? held
             : undecided;
}

int run(const TraceText& text) {
  TraceTask task = understand(text);
  std::string content = read_file(task.file);
  if (text.format.empty() || !sim::by_name(text.format, task.format))
    task.format = sim::guess_format(content, task.file);
  const auto requests = sim::read_trace(content, task.file, task.format, text.limit);
  content = std::string();
  task.options.context = text.context.value_or(sim::context_for(requests));
  const sim::DrivePlan plan = sim::plan_drive(requests, task.options);
  task.options.cache = text.cache.empty() ? plan.blocks > 0 : text.cache == "on";
  if (!task.accept_from.empty())
    task.options.accept_lengths =
        sim::read_accept_lengths(read_file(task.accept_from), task.accept_from, task.options.draft_tokens);
  require_possible(task.options, plan);
  task.jobs = std::min(static_cast<std::size_t>(text.jobs), requests.size());
  require_writable(task.out);
  if (!task.json.empty()) write_file(task.json, "");
  for (std::size_t engine = 0; !task.timeline.empty() && engine < task.jobs; ++engine)
    write_file(timeline_file(task, engine), "");
  const TraceResult result = run_trace(task, plan);
  const int code = exit_code(result);
  if (!result.verdict.failures.empty() || result.verdict.error.empty()) {
    fmt::print("{}", print_trace(task, plan, result));
    if (code == held) fmt::print("held: 0 violations in {} steps\n", sim::grouped(result.tally.forwards));
    if (code == undecided) fmt::print("undecided: no law that was asked for could judge any step\n");
    if (!result.verdict.failures.empty()) fmt::print("\n{}", print_trace_failure(task, result));
    std::fflush(stdout);
  }
  // Only now: a report that cannot be written must not keep the verdict to itself.
  if (!task.json.empty()) write_file(task.json, print_trace_json(task, plan, result, code));
  if (result.verdict.failures.empty() && !result.verdict.error.empty()) throw EnvironmentError(result.verdict.error);
  return code;
}

}  // namespace

void add_trace(CLI::App& app, Run& to_run) {
  CLI::App* command = app.add_subcommand(
      "trace",
      "Drive the engine with a real serving trace and judge every step\n"
      "  e.g. pagestorm trace conversation_trace.jsonl --page-size 64 --draft-tokens 4 --accept 3.0");
  auto text = std::make_shared<TraceText>();
  add_options(*command, *text);
  command->callback([&to_run, text] { to_run = [text] { return run(*text); }; });
}

}  // namespace pagestorm::cli
