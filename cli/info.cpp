// pagestorm info: what this program has, and what this machine has for it.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "commands.hpp"
#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "version.hpp"

namespace pagestorm::cli {
namespace {

void print_all() {
  fmt::print("pagestorm {} · {}\n\ndevice\n  {}\n\nbuilders\n", version, compiler, cuda_description());
  for (const BuilderEntry& entry : builders())
    fmt::print("  {:<16}{}\n", entry.name,
               entry.absent_because.empty() ? "present" : fmt::format("absent: {}", entry.absent_because));
  fmt::print("\nlaws\n");
  for (const props::LawEntry& entry : props::law_catalogue())
    fmt::print("  {:<30}{}\n", entry.name, entry.make()->what());
  fmt::print("\nfaults\n");
  for (const FaultEntry& entry : fault_catalogue()) fmt::print("  {:<36}{}\n", entry.name, entry.what);
}

}  // namespace

void add_info(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("info", "Versions, builders and why one is absent, the device, laws, faults");
  auto faults = std::make_shared<bool>(false);
  auto laws = std::make_shared<bool>(false);
  command->add_flag("--faults", *faults, "only the names of the faults, one a line");
  command->add_flag("--laws", *laws, "only the names of the laws, one a line");
  command->callback([&run, faults, laws] {
    run = [faults, laws] {
      if (*faults)
        for (const FaultEntry& entry : fault_catalogue()) fmt::print("{}\n", entry.name);
      if (*laws)
        for (const props::LawEntry& entry : props::law_catalogue()) fmt::print("{}\n", entry.name);
      if (!*faults && !*laws) print_all();
      return static_cast<int>(held);
    };
  });
}

}  // namespace pagestorm::cli
