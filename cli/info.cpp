// pagestorm info: what this program has, and what this machine has for it.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "commands.hpp"
#include "declared.hpp"
#include "error.hpp"
#include "outside_options.hpp"
#include "pagestorm/builder.hpp"
#include "pagestorm/device_reader.hpp"
#include "pagestorm/outside_builder.hpp"
#include "props/laws.hpp"
#include "version.hpp"

namespace pagestorm::cli {
namespace {

void print_all() {
  fmt::print("pagestorm {} · {}\n\ndevice\n  {}\n\nbuilders\n", version, compiler, cuda_description());
  for (const BuilderEntry& entry : builders())
    fmt::print("  {:<16}{}\n", entry.name,
               entry.absent_because.empty() ? "present" : fmt::format("absent: {}", entry.absent_because));
  const std::string no_reader = device_reader_absent_because();
  fmt::print("\nreaders\n  {:<16}present\n  {:<16}{}\n", "host", "device",
             no_reader.empty() ? "present" : fmt::format("absent: {}", no_reader));
  fmt::print("\nlaws\n");
  for (const props::LawEntry& entry : props::law_catalogue())
    fmt::print("  {:<42}{}\n", entry.name, entry.make()->what());
  for (const FaultSite site : {FaultSite::builder, FaultSite::engine}) {
    fmt::print("\nfaults of the {}\n", site == FaultSite::builder ? "builder" : "engine");
    for (const FaultEntry& entry : fault_catalogue())
      if (entry.site == site) fmt::print("  {:<36}{}\n", entry.name, entry.what);
  }
}

}  // namespace

void add_info(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("info", "Versions, builders and readers and why one is absent, the device, laws, faults");
  auto faults = std::make_shared<bool>(false);
  auto builder_faults = std::make_shared<bool>(false);
  auto flash_faults = std::make_shared<bool>(false);
  auto laws = std::make_shared<bool>(false);
  command->add_flag("--faults", *faults, "only the names of the faults, one a line");
  command->add_flag("--builder-faults", *builder_faults,
                    "those of the builder alone, without those of the family flash");
  command->add_flag("--flash-faults", *flash_faults, "those that only the family flash can show");
  command->add_flag("--laws", *laws, "only the names of the laws, one a line");
  auto builder = std::make_shared<std::string>();
  command->add_option("--builder", *builder,
                      "what an outside builder declares; a path of a shared library or a command");
  auto limits = std::make_shared<LimitsText>();
  add_limit_options(*command, *limits);
  command->callback([&run, faults, builder_faults, flash_faults, laws, builder, limits] {
    run = [faults, builder_faults, flash_faults, laws, builder, limits] {
      const AskedLimits asked = limits_of(*limits, {*builder});
      if (!builder->empty()) {
        if (!is_outside(*builder))
          throw UsageError(fmt::format(
              "--builder: '{}' declares nothing; name the path of a shared library, or a command in quotes", *builder));
        fmt::print("{}", print_declared(*builder, asked.limits));
        return static_cast<int>(held);
      }
      for (const FaultEntry& entry : fault_catalogue())
        if (*faults || (*flash_faults && needs_flash(entry.fault)) ||
            (*builder_faults && entry.site == FaultSite::builder && !needs_flash(entry.fault)))
          fmt::print("{}\n", entry.name);
      if (*laws)
        for (const props::LawEntry& entry : props::law_catalogue()) fmt::print("{}\n", entry.name);
      if (!*faults && !*builder_faults && !*flash_faults && !*laws) print_all();
      return static_cast<int>(held);
    };
  });
}

}  // namespace pagestorm::cli
