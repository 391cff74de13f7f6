// pagestorm: property tests and simulation for the code that tells attention where the KV cache is.

#include <fmt/format.h>

#include <exception>

#include "commands.hpp"
#include "error.hpp"
#include "pagestorm/builder.hpp"
#include "sim/text.hpp"
#include "sim/trace.hpp"

namespace pagestorm::cli {
namespace {

int complain(const std::exception& error, int code) {
  fmt::print(stderr, "pagestorm: {}\n", error.what());
  return code;
}

int perform(const Run& run) {
  try {
    return run();
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

}  // namespace
}  // namespace pagestorm::cli

int main(int argc, char** argv) {
  using namespace pagestorm::cli;
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
  add_replay(app, run);
  add_trace(app, run);
  add_info(app, run);
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
