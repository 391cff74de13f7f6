// pagestorm replay: saved scenarios again, on any builder.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "clock.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "finding_fault.hpp"
#include "options.hpp"
#include "pagestorm/outside_builder.hpp"
#include "replay_play.hpp"
#include "save.hpp"
#include "sim/report.hpp"
#include "sim/text.hpp"

namespace pagestorm::cli {
namespace {

constexpr double hang_s = 600;  // a scenario of a hundred thousand steps takes minutes
constexpr auto poll = std::chrono::milliseconds(1);

struct ReplayText {
  std::vector<std::string> files, builders;
  ReplayHow how;
  bool with_fault = false;
  bool steps = false;
  LimitsText limits;
};

// Read before anything plays: a malformed file among many is known at once.
ReplayTask task_of(const std::string& file, const ReplayText& text) {
  ReplayTask task{.file = file, .finding = sim::parse(read_file(file), file), .builders = text.builders};
  const std::string& named = task.finding.builder;
  task.fault = text.with_fault ? fault_of(task.finding, file) : Fault::none;
  require_no_fault_outside(task.builders, task.fault);
  if (!task.builders.empty() || named.empty()) return task;
  if (is_outside(named))
    throw UsageError(fmt::format("{}: names the outside builder '{}', which a file alone does not start; add --builder",
                                 file, named));
  task.builders = {named};
  try {
    require_known_builders(task.builders);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: names a builder that does not exist: {}", file, error.what()));
  }
  return task;
}

void print_head(const ReplayTask& task, bool steps) {
  fmt::print("{}\n", task.file);
  if (!task.finding.note.empty()) fmt::print("  {}\n", task.finding.note);
  if (!steps) return;
  fmt::print("  {}\n", sim::describe(task.finding.scenario.config));
  const std::vector<std::string> lines = sim::describe_steps(task.finding.scenario);
  for (std::size_t i = 0; i < lines.size(); ++i) fmt::print("  {:>3}  {}\n", i + 1, lines[i]);
}

// The process that plays, and what it said and nobody has read yet. A replayed scenario may crash its builder.
class Playing {
 public:
  Playing(const std::vector<ReplayTask>& tasks, std::size_t first, const ReplayHow& how)
      : child_([&](const Child::Say& say) { play_tasks(tasks, first, how, say); }) {}

  /// What it says of its next task; nothing when it has ended before, or said nothing for too long.
  std::optional<std::string> next() {
    const std::uint64_t start = nanoseconds_now();
    for (bool last = false;; std::this_thread::sleep_for(poll)) {
      for (std::string& line : child_.read()) said_.push_back(std::move(line));
      if (!said_.empty()) break;
      if (last) return std::nullopt;
      if (seconds_since(start) > hang_s) child_.kill();
      last = child_.ended();
    }
    std::string line = std::move(said_.front());
    said_.pop_front();
    return line;
  }

  int signal() const { return child_.signal(); }

 private:
  Child child_;
  std::deque<std::string> said_;
};

void print_lost(const ReplayTask& task, int signal) {
  const std::string who = task.builders.empty() ? "a builder" : fmt::format("{}", fmt::join(task.builders, " or "));
  if (signal == SIGKILL)
    fmt::print("ends_in_time is VIOLATED by {}: not done after {:.0f} s\n", who, hang_s);
  else
    fmt::print("does_not_crash is VIOLATED by {}: it ended with {}\n", who, strsignal(signal));
}

int replay(const ReplayText& text) {
  std::vector<ReplayTask> tasks;
  for (const std::string& file : text.files) tasks.push_back(task_of(file, text));
  std::optional<Playing> playing;
  int code = held;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    print_head(tasks[i], text.steps);
    if (!playing) playing.emplace(tasks, i, text.how);
    const std::optional<std::string> said = playing->next();
    int one = violated;
    if (said) {
      const nlohmann::json verdict = nlohmann::json::parse(*said);
      if (verdict.contains("error")) throw EnvironmentError(verdict["error"].get<std::string>());
      fmt::print("{}", verdict["lines"].get<std::string>());
      one = verdict["code"].get<int>();
    } else {
      print_lost(tasks[i], playing->signal());
      playing.reset();
    }
    code = one == violated || code == held ? one : code;
  }
  return code;
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
  command->add_option("--law", text->how.laws, "law to judge by, more than one allowed [all]")->allow_extra_args(false);
  command->add_flag("--with-fault", text->with_fault, "switch on the fault that the file names");
  command->add_flag("--steps", text->steps, "print the scenario step by step");
  command->add_flag("--hash", text->how.hash,
                    "print what each run comes to as a number: the same for every right builder");
  add_limit_options(*command, text->limits);
  command->callback([&run, text] {
    run = [text] {
      require_known_builders(text->builders, true);
      text->how.limits = limits_of(text->limits, text->builders).limits;
      text->how.laws = law_names(text->how.laws);
      return replay(*text);
    };
  });
}

}  // namespace pagestorm::cli
