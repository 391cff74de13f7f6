// pagestorm replay: saved scenarios again, on any builder.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "child.hpp"
#include "commands.hpp"
#include "device_stand.hpp"
#include "error.hpp"
#include "finding_fault.hpp"
#include "judge_options.hpp"
#include "options.hpp"
#include "pagestorm/outside_builder.hpp"
#include "props/laws.hpp"
#include "run_hash.hpp"
#include "save.hpp"
#include "sim/report.hpp"
#include "sim/text.hpp"
#include "stand.hpp"

namespace pagestorm::cli {
namespace {

constexpr double hang_s = 600;  // a scenario of a hundred thousand steps takes minutes

struct ReplayText {
  std::vector<std::string> files, builders, laws;
  bool with_fault = false;
  bool steps = false;
  bool hash = false;
};

void print_steps(const sim::Finding& finding) {
  fmt::print("  {}\n", sim::describe(finding.scenario.config));
  const std::vector<std::string> lines = sim::describe_steps(finding.scenario);
  for (std::size_t i = 0; i < lines.size(); ++i) fmt::print("  {:>3}  {}\n", i + 1, lines[i]);
}

// A file about two judges is played before both, on the image laws of those asked for.
nlohmann::json compare_judges(const sim::Finding& finding, const ReplayText& text, Fault fault) {
  CampaignText asked{.builders = text.builders, .judge = "both"};
  Campaign campaign{.builders = text.builders, .laws = law_names({})};
  read_judge(asked, campaign);
  Stands stands(campaign.builders, campaign.laws, fault, nullptr);
  nlohmann::json verdict{{"code", held}};
  std::string lines;
  for (Stand& stand : stands.all()) {
    DeviceStand device(stand, fault, {.seats = 1, .compare = true});
    const std::vector<sim::Violation> violations = compared(device, finding.scenario);
    if (violations.empty()) {
      lines += fmt::format("held on {}\n", stand.builder->name());
      continue;
    }
    lines += fmt::format("{} is VIOLATED by {}\n\n{}", violations.front().law, stand.builder->name(),
                         sim::explain(finding.scenario, violations.front()));
    verdict["code"] = violated;
  }
  verdict["lines"] = lines;
  return verdict;
}

std::string hash_line(Stand& stand, const sim::Scenario& scenario, const std::vector<std::string>& laws, Fault fault,
                      const Reading& reading) {
  const auto peer = host_builders().front().make(Fault::none);
  HashingPlayer player(*stand.builder, peer.get(), laws, fault, reading);
  return fmt::format("run hash {:#018x} on {}\n", player.hash_of(scenario), stand.builder->name());
}

// Plays one scenario on the builders asked for; the lines that it prints, and its verdict, go to the parent.
void play(const sim::Finding& finding, const ReplayText& text, Fault fault, const Child::Say& say) {
  nlohmann::json verdict{{"code", held}};
  try {
    if (finding.law == sim::judges_agree) return say(compare_judges(finding, text, fault).dump());
    // A file about two readers is played before both.
    const ReadBy reader = finding.law == props::readers_agree_name ? ReadBy::both : ReadBy::host;
    Stands stands(text.builders, text.laws, fault, nullptr, reader);
    std::string lines;
    std::int64_t judged = 0;
    for (Stand& stand : stands.all()) {
      if (text.hash) lines += hash_line(stand, finding.scenario, text.laws, fault, stands.reading());
      const auto violations = stand.player->play(finding.scenario);
      for (const sim::LawTally& tally : stand.player->tallies()) judged += tally.steps;
      if (violations.empty()) {
        lines += fmt::format("held on {}\n", stand.builder->name());
        continue;
      }
      // The law of the file first: other laws may be violated by the same step.
      const sim::Violation* own = of_law(violations, finding.law);
      const sim::Violation& shown = own != nullptr ? *own : violations.front();
      lines += fmt::format("{} is VIOLATED by {}{}\n\n{}", shown.law, stand.builder->name(),
                           fault == Fault::none ? "" : fmt::format(" + {}", fault_name(fault)),
                           sim::explain(finding.scenario, shown));
      for (const sim::Violation& other : violations)
        if (&other != &shown) lines += fmt::format("  also      {}\n", other.law);
      verdict["code"] = violated;
    }
    if (judged == 0 && verdict["code"] == held) {
      lines += "undecided: no step of this scenario could be judged\n";
      verdict["code"] = undecided;
    }
    verdict["lines"] = lines;
  } catch (const std::exception& error) {
    verdict = {{"code", environment}, {"error", error.what()}};
  }
  say(verdict.dump());
}

// A replayed scenario may crash its builder, so it plays in a process of its own.
int replay_file(const std::string& file, const ReplayText& text) {
  const sim::Finding finding = sim::parse(read_file(file), file);
  const Fault fault = text.with_fault ? fault_of(finding, file) : Fault::none;
  require_no_fault_outside(text.builders, fault);
  ReplayText chosen = text;
  if (chosen.builders.empty() && is_outside(finding.builder))
    throw UsageError(fmt::format("{}: names the outside builder '{}', which a file alone does not start; add --builder",
                                 file, finding.builder));
  if (chosen.builders.empty() && !finding.builder.empty()) {
    chosen.builders = {finding.builder};
    try {
      require_known_builders(chosen.builders);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: names a builder that does not exist: {}", file, error.what()));
    }
  }
  fmt::print("{}\n", file);
  if (!finding.note.empty()) fmt::print("  {}\n", finding.note);
  if (text.steps) print_steps(finding);
  Child child([&](const Child::Say& say) { play(finding, chosen, fault, say); });
  const std::vector<std::string> said = child.rest(hang_s);
  if (said.empty()) {
    const std::string who =
        chosen.builders.empty() ? "a builder" : fmt::format("{}", fmt::join(chosen.builders, " or "));
    if (child.signal() == SIGKILL)
      fmt::print("ends_in_time is VIOLATED by {}: not done after {:.0f} s\n", who, hang_s);
    else
      fmt::print("does_not_crash is VIOLATED by {}: it ended with {}\n", who, strsignal(child.signal()));
    return violated;
  }
  const nlohmann::json verdict = nlohmann::json::parse(said.back());
  if (verdict.contains("error")) throw EnvironmentError(verdict["error"].get<std::string>());
  fmt::print("{}", verdict["lines"].get<std::string>());
  return verdict["code"].get<int>();
}

}  // namespace

void add_replay(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("replay",
                                         "Play saved scenarios again; exits 1 when one still fails\n"
                                         "  e.g. pagestorm replay failures/*.scenario --builder host-audited");
  auto text = std::make_shared<ReplayText>();
  command->add_option("FILE", text->files, "scenario files")->required();
  command
      ->add_option(
          "--builder", text->builders,
          "builder to play on, by name, path of a shared library or command, more than one allowed [the file's]")
      ->allow_extra_args(false);
  command->add_option("--law", text->laws, "law to judge by, more than one allowed [all]")->allow_extra_args(false);
  command->add_flag("--with-fault", text->with_fault, "switch on the fault that the file names");
  command->add_flag("--steps", text->steps, "print the scenario step by step");
  command->add_flag("--hash", text->hash, "print what each run comes to as a number: the same for every right builder");
  command->callback([&run, text] {
    run = [text] {
      require_known_builders(text->builders, true);
      text->laws = law_names(text->laws);
      int code = held;
      for (const std::string& file : text->files) {
        const int one = replay_file(file, *text);
        code = one == violated || code == held ? one : code;
      }
      return code;
    };
  });
}

}  // namespace pagestorm::cli
