// pagestorm conform: the contract, clause by clause, on one builder.

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>

#include "campaign.hpp"
#include "commands.hpp"
#include "conform_page.hpp"
#include "error.hpp"
#include "print.hpp"
#include "props/laws.hpp"
#include "save.hpp"

namespace pagestorm::cli {
namespace {

constexpr double default_s = 30;

// Laws about the engine judge no builder, and those of the FlashAttention family no clause of C1 to C13.
std::vector<std::string> laws_of_builders() {
  std::vector<std::string> names;
  for (const props::LawEntry& entry : props::law_catalogue())
    if (!entry.flash_only() && !entry.make()->is_about_engine()) names.emplace_back(entry.name);
  return names;
}

Campaign campaign_of(const CampaignText& text) {
  Campaign campaign = understand(text);
  if (fault_at(FaultSite::engine, campaign.fault) != Fault::none || needs_flash(campaign.fault))
    throw UsageError(
        fmt::format("--fault: '{}' breaks no clause of C1 to C13; see it with `pagestorm check --fault {}`", text.fault,
                    text.fault));
  campaign.laws = laws_of_builders();
  campaign.by_clauses = campaign.keep_going = true;
  if (campaign.cases == 0 && campaign.seconds == 0) campaign.seconds = default_s;
  return campaign;
}

int finish(const Campaign& campaign, const Result& result) {
  const int code = exit_code_of(result);
  if (!result.rows.empty() || !result.failures.empty() || result.error.empty())
    fmt::print("{}", print_page(campaign, result, isatty(STDOUT_FILENO) == 1));
  std::fflush(stdout);
  if (!campaign.json.empty()) write_file(campaign.json, print_page_json(campaign, result, code));
  if (!campaign.junit.empty()) write_file(campaign.junit, print_page_junit(campaign, result));
  if (!result.error.empty()) throw EnvironmentError(result.error);
  return code;
}

}  // namespace

void add_conform(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("conform",
                         "One page: each clause of the contract held, violated, excused or not tried [30 s]\n"
                         "  e.g. pagestorm conform --builder host --cases 500\n"
                         "       pagestorm conform --builder host --fault spills_past_width");
  auto text = std::make_shared<CampaignText>();
  text->builders.resize(1);
  const CLI::Validator filled([](const std::string& value) { return value.empty() ? "no value" : ""; }, "");
  command->add_option("--builder", text->builders.front(), "builder under test")->required()->check(filled);
  command->add_option("--fault", text->fault, "switch on one thing wrong in the builder")->check(filled);
  command->add_option("--cases", text->cases, "scenarios to play")->check(CLI::Range(1, 1'000'000'000));
  command->add_option("--for,--seconds", text->duration, "time to spend: 30s, 10m")->check(filled);
  command->add_option("--seed", text->seed, "64-bit seed, or a commit hash [drawn, and printed]")->check(filled);
  command->add_option("--jobs", text->jobs, "worker processes, 1 to 256")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_flag("--in-process", text->in_process, "play in this process, for debuggers and sanitizers");
  command->add_option("--out", text->out, "folder for failures")->check(filled)->capture_default_str();
  command->add_option("--json", text->json, "write every figure to this file")->check(filled);
  command->add_option("--junit", text->junit, "write a JUnit report to this file: one test case a clause")
      ->check(filled);
  add_limit_options(*command, text->limits);
  command->callback([&run, text] {
    run = [text] {
      const Campaign campaign = campaign_of(*text);
      return finish(campaign, run_campaign(campaign));
    };
  });
}

}  // namespace pagestorm::cli
