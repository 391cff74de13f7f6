// pagestorm: property tests and simulation for the code that tells attention where the KV cache is.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "error.hpp"
#include "pagestorm/builder.hpp"
#include "pagestorm/outside_builder.hpp"
#include "python_module.hpp"
#include "sim/text.hpp"
#include "sim/trace.hpp"

namespace pagestorm::cli {
namespace {

int complain(const std::exception& error, int code) {
  fmt::print(stderr, "pagestorm: {}\n", error.what());
  return code;
}

// What was printed has arrived only once it is flushed: a full disk must not look like success.
int flushed(int code) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw EnvironmentError("standard output cannot be written; what was printed is not complete");
  return code;
}

int perform(const Run& run) {
  try {
    return flushed(run());
  } catch (const UsageError& error) {
    return complain(error, usage);
  } catch (const sim::TextError& error) {
    return complain(error, usage);
  } catch (const sim::TraceError& error) {
    return complain(error, usage);
  } catch (const std::exception& error) {
    return complain(error, environment);
  }
}

// CLI11 says no more than that a subcommand is required.
std::string complaint_about_subcommand(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (argc < 2) return fmt::format("name a subcommand: {}", fmt::join(names, ", "));
  const std::string_view first = argv[1];
  if (first == "-h" || first == "--help") return "";
  if (first.starts_with('-')) return fmt::format("{}: name a subcommand first: {}", first, fmt::join(names, ", "));
  if (std::find(names.begin(), names.end(), first) != names.end()) return "";
  return fmt::format("there is no subcommand '{}'; use one of {}", first, fmt::join(names, ", "));
}

}  // namespace
}  // namespace pagestorm::cli

int main(int argc, char** argv) {
  using namespace pagestorm::cli;
  // Not for people: how an outside builder's process is started, before anything else costs time there.
  if (argc == 3 && std::string_view(argv[1]) == "serve-builder") return pagestorm::serve_builder(argv[2]);
  // A limit on file sizes is an error of write() like any other, so that what cannot be saved is printed.
  std::signal(SIGXFSZ, SIG_IGN);
  offer_python_module();
  CLI::App app{
      "Drives randomized decode, verify and draft-extend batches through a KV page-table builder\n"
      "and metadata applier, and judges every step.",
      "pagestorm"};
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 held, 1 violated, 2 usage or malformed file, 3 environment, 4 undecided.\n"
      "Start with:  pagestorm check --for 10s\n"
      "See it fail: pagestorm check --fault spills_past_width");
  Run run;
  add_check(app, run);
  add_fuzz(app, run);
  add_draw(app, run);
  add_replay(app, run);
  add_trace(app, run);
  add_grade(app, run);
  add_streams(app, run);
  add_bench(app, run);
  add_info(app, run);
  if (const std::string wrong = complaint_about_subcommand(app, argc, argv); !wrong.empty()) {
    fmt::print(stderr, "pagestorm: {}\n", wrong);
    return usage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "pagestorm: {}\nRun with --help for what can be typed.\n", error.what());
    return usage;
  }
  return perform(run);
}
