// pagestorm draw: the scenarios of a seed as files, played by nobody.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "save.hpp"
#include "sim/text.hpp"
#include "worker.hpp"

namespace pagestorm::cli {
namespace {

constexpr std::int64_t files_limit = 1'000'000;

int draw_files(const CampaignText& text) {
  const Campaign campaign = understand(text);
  require_writable(campaign.out);
  for (std::int64_t i = 0; i < campaign.cases; ++i) {
    const sim::Finding finding{.note = fmt::format("seed {:#x}, case {}", campaign.seed, i),
                               .scenario = scenario_of(campaign, i)};
    write_file((std::filesystem::path(campaign.out) / fmt::format("case-{:06}.scenario", i)).string(),
               sim::print(finding));
  }
  fmt::print("{} scenarios of seed {:#x} in {}\n", campaign.cases, campaign.seed, campaign.out);
  return held;
}

}  // namespace

void add_draw(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("draw",
                                         "Save the scenarios that check would play, without playing them\n"
                                         "  e.g. pagestorm draw --cases 100 --seed 1 --out drawn");
  auto text = std::make_shared<CampaignText>();
  text->cases = 100;
  text->out = "drawn";
  command->add_option("--cases", text->cases, "scenarios to save")
      ->check(CLI::Range(std::int64_t{1}, files_limit))
      ->capture_default_str();
  add_space_options(*command, *text);
  command->add_option("--out", text->out, "folder for the files")->capture_default_str();
  command->callback([&run, text] { run = [text] { return draw_files(*text); }; });
}

}  // namespace pagestorm::cli
