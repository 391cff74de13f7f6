// pagestorm new-builder: a folder with a builder to begin from.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "commands.hpp"
#include "error.hpp"
#include "save.hpp"
#include "skeleton.hpp"

namespace pagestorm::cli {
namespace {

namespace fs = std::filesystem;

// Nothing is written before it is known that nothing would be lost.
void require_free(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    throw UsageError(fmt::format("{}: is a file; name a new folder", folder.string()));
  for (const SkeletonFile& file : skeleton_files())
    if (fs::exists(folder / file.path, error))
      throw UsageError(
          fmt::format("{}: exists already, and is not written over; name a new folder", (folder / file.path).string()));
}

int write_skeleton(const std::string& dir) {
  const fs::path folder = dir;
  require_free(folder);
  for (const SkeletonFile& file : skeleton_files()) {
    const fs::path path = folder / file.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error)
      throw EnvironmentError(
          fmt::format("{}: cannot be made a folder: {}", path.parent_path().string(), error.message()));
    write_file(path.string(), std::string(file.text));
    fmt::print("wrote     {}\n", path.string());
  }
  fmt::print("build     cd {} && meson setup build && ninja -C build\n", dir);
  fmt::print("judge     pagestorm conform --builder {}\n", (folder / "build/libmine.so").string());
  return held;
}

}  // namespace

void add_new_builder(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("new-builder",
                                         "Write a folder with a builder of your own to begin from\n"
                                         "  e.g. pagestorm new-builder mine");
  auto dir = std::make_shared<std::string>();
  const CLI::Validator filled([](const std::string& value) { return value.empty() ? "no value" : ""; }, "");
  command->add_option("DIR", *dir, "new folder")->required()->check(filled);
  command->callback([&run, dir] { run = [dir] { return write_skeleton(*dir); }; });
}

}  // namespace pagestorm::cli
