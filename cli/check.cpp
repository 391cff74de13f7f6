// pagestorm check, and fuzz: the same until a time budget ends, with more workers, after every failure.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include "campaign.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "print.hpp"
#include "save.hpp"
#include "sim/report.hpp"

namespace pagestorm::cli {
namespace {

constexpr double default_check_s = 10;
constexpr double default_fuzz_s = 60;

// What an unrestricted run of so many cases must have met: else being green says less than it seems to.
std::vector<std::string> due(const Campaign& campaign, const Result& result) {
  constexpr std::int64_t cases_enough = 5'000;
  if (campaign.fault != Fault::none || result.coverage.scenarios < cases_enough) return {};
  if (campaign.space == sim::Space{.flash = true}) return result.coverage.missed_asks();
  if (campaign.space != sim::Space{}) return {};
  // Scenarios that are fitted to a builder do not come to what it leaves out.
  if (std::ranges::any_of(result.excused, [](const ExcuseRow& row) { return row.cases > 0; })) return {};
  const std::vector<std::string_view> missed = result.coverage.missed();
  return {missed.begin(), missed.end()};
}

std::string closing_line(const Campaign& campaign, const Result& result, int code) {
  const std::string all = sim::grouped(result.cases);
  if (const auto missed = due(campaign, result); code == undecided && result.failures.empty() && !missed.empty())
    return fmt::format("undecided: 0 violations, but {} cases never met: {}\n", all, fmt::join(missed, ", "));
  const char* cut = result.interrupted ? " (interrupted)" : "";
  if (code == held)
    return fmt::format("held: 0 violations in {} cases, {}{}\n", all, show_seconds(result.seconds), cut);
  if (code == undecided && !result.failures.empty())
    return fmt::format("undecided: {} failures that did not come back in {} cases{}\n", result.failures.size(), all,
                       cut);
  if (!result.failures.empty())
    return fmt::format("violated: {} distinct failure{} in {} cases, {}{}\n", result.failures.size(),
                       result.failures.size() == 1 ? "" : "s", all, show_seconds(result.seconds), cut);
  return fmt::format("undecided: nothing was judged in {} cases{}\n", all, cut);
}

int finish(const Campaign& campaign, const Result& result) {
  int code = exit_code_of(result);
  if (code == held && !due(campaign, result).empty()) code = undecided;
  // Where the environment let nothing be played there is nothing to show.
  if (!result.rows.empty() || !result.failures.empty() || result.error.empty()) {
    fmt::print("{}\n", print_header(campaign, result));
    fmt::print("{}{}{}\n", print_table(result), print_not_run(campaign), print_excuses(result));
    // What a run reached matters when it is green, or long; after the first failure it says nothing.
    if (code != violated || campaign.keep_going) fmt::print("{}", print_coverage(result.coverage));
    if (result.excused_far > 0)
      fmt::print("excused   {} scenarios with far offsets: the device has too little memory\n", result.excused_far);
    fmt::print("{}", closing_line(campaign, result, code));
  }
  for (const Failure& failure : result.failures) fmt::print("\n{}", print_failure(failure));
  std::fflush(stdout);
  // Only now: a report that cannot be written must not keep the failures to itself.
  if (!campaign.json.empty()) write_file(campaign.json, print_json(campaign, result, code));
  if (!campaign.junit.empty()) write_file(campaign.junit, print_junit(campaign, result));
  if (!result.error.empty()) throw EnvironmentError(result.error);
  return code;
}

void add_campaign(CLI::App& app, Run& run, const char* name, const char* what, bool keep_going, double default_s) {
  CLI::App* command = app.add_subcommand(name, what);
  auto text = std::make_shared<CampaignText>();
  if (keep_going) text->jobs = std::max(1u, std::thread::hardware_concurrency());
  add_campaign_options(*command, *text);
  command->callback([&run, text, keep_going, default_s] {
    run = [text, keep_going, default_s] {
      Campaign campaign = understand(*text);
      campaign.keep_going = keep_going;
      if (campaign.cases == 0 && campaign.seconds == 0) campaign.seconds = default_s;
      return finish(campaign, run_campaign(campaign));
    };
  });
}

}  // namespace

void add_check(CLI::App& app, Run& run) {
  add_campaign(app, run, "check",
               "Run the laws over random scenarios, to the first failure of each builder [10 s]\n"
               "  e.g. pagestorm check --cases 20000 --seed 1\n"
               "       pagestorm check --page-size 1..256 --seq-len 0..131072 --for 60s",
               false, default_check_s);
}

void add_fuzz(CLI::App& app, Run& run) {
  add_campaign(app, run, "fuzz",
               "The same until the time is over, with all cores; every distinct failure is shrunk and saved [60 s]\n"
               "  e.g. pagestorm fuzz --for 8h --out failures",
               true, default_fuzz_s);
}

}  // namespace pagestorm::cli
