#include "save.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "error.hpp"
#include "pagestorm/outside_builder.hpp"
#include "sim/text.hpp"
#include "sim/text_scan.hpp"

namespace pagestorm::cli {
namespace {

namespace fs = std::filesystem;

std::uint64_t fnv1a(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

void create_folder(const std::string& dir) {
  std::error_code error;
  fs::create_directories(dir, error);
  if (error || !fs::is_directory(dir))
    throw EnvironmentError(fmt::format("{}: cannot be made a folder ({}); name another one with --out", dir,
                                       error ? error.message() : "a file is in the way"));
}

// As a shell takes it for one word, and the program not for an option.
std::string quoted(const std::string& path) {
  const std::string word = path.starts_with('-') ? "./" + path : path;
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:,=@%";
  if (word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string command_for(const std::string& files, const sim::Finding& finding, const std::string& limits) {
  return fmt::format("pagestorm replay {}{}{}{}", files,
                     finding.builder.empty() ? "" : " --builder " + quoted(finding.builder),
                     finding.fault.empty() ? "" : " --with-fault", is_outside(finding.builder) ? limits : "");
}

// Writes and flushes to the device: a full disk must be noticed here, not after the program has gone.
void write_through(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  std::size_t done = 0;
  int failed = file < 0 ? errno : 0;
  while (failed == 0 && done < text.size()) {
    const ssize_t some = write(file, text.data() + done, text.size() - done);
    if (some < 0 && errno != EINTR) failed = errno;
    if (some > 0) done += static_cast<std::size_t>(some);
  }
  if (failed == 0 && fsync(file) != 0 && errno != EINVAL && errno != EROFS) failed = errno;
  if (file >= 0 && close(file) != 0 && failed == 0) failed = errno;
  if (failed != 0) throw EnvironmentError(fmt::format("{}: cannot be written: {}", path, std::strerror(failed)));
}

}  // namespace

void write_file(const std::string& path, const std::string& text) {
  // Devices and pipes cannot be replaced by renaming.
  if (std::error_code error; fs::exists(path, error) && !fs::is_regular_file(path, error))
    return write_through(path, text);
  const std::string partial = fmt::format("{}.{}.partial", path, getpid());
  try {
    write_through(partial, text);
  } catch (...) {
    unlink(partial.c_str());
    throw;
  }
  if (rename(partial.c_str(), path.c_str()) != 0) {
    const int failed = errno;
    unlink(partial.c_str());
    throw EnvironmentError(fmt::format("{}: cannot be written: {}", path, std::strerror(failed)));
  }
}

std::string save_finding(const sim::Finding& finding, const std::string& dir) {
  create_folder(dir);
  const std::string text = sim::print(finding);
  const std::string path =
      (fs::path(dir) / fmt::format("{}-{:08x}.scenario", finding.law, fnv1a(text) & 0xffffffffu)).string();
  write_file(path, text);
  return path;
}

void keep(Failure& failure, const sim::Finding& finding, const std::string& dir, const std::string& limits) {
  failure.scenario = sim::print({.scenario = finding.scenario});
  try {
    failure.file = save_finding(finding, dir);
    failure.replay = replay_command(failure.file, finding, limits);
  } catch (const EnvironmentError& error) {
    failure.save_error = error.what();
    failure.unsaved = sim::print(finding);
  }
}

void keep_run(Failure& failure, const sim::Finding& finding, const std::vector<sim::Scenario>& run,
              const std::string& limits) {
  if (failure.file.empty()) return;
  const fs::path folder = fs::path(failure.file).replace_extension(".run");
  try {
    create_folder(folder);
    for (std::size_t i = 0; i < run.size(); ++i) {
      sim::Finding one = finding;
      one.scenario = run[i];
      if (i + 1 < run.size()) one.law.clear();
      one.note += fmt::format(": play {} of {}", i + 1, run.size());
      write_file((folder / fmt::format("{:04}.scenario", i + 1)).string(), sim::print(one));
    }
    failure.replay = command_for(quoted(folder.string()) + "/*.scenario", finding, limits);
  } catch (const EnvironmentError& error) {
    failure.explanation += fmt::format("            these could not be saved: {}\n", error.what());
  }
}

void require_writable(const std::string& dir) {
  // Paths travel in JSON, and stand in messages.
  for (std::string_view rest = dir; !rest.empty();) {
    const std::size_t bytes = sim::text_form::character_size(rest);
    if (bytes == 0) throw UsageError("--out: the name of the folder is no UTF-8; use another one");
    rest.remove_prefix(bytes);
  }
  create_folder(dir);
  const std::string probe = (fs::path(dir) / fmt::format(".writable-{}", getpid())).string();
  write_file(probe, "pagestorm can save failures here\n");
  unlink(probe.c_str());
}

std::string read_file(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw EnvironmentError(fmt::format("{}: is a folder; name a file", path));
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  int failed = file < 0 ? errno : 0;
  std::string text;
  std::vector<char> buffer(1 << 20);
  while (failed == 0) {
    const ssize_t some = read(file, buffer.data(), buffer.size());
    if (some == 0) break;
    if (some > 0)
      text.append(buffer.data(), static_cast<std::size_t>(some));
    else if (errno != EINTR)
      failed = errno;
  }
  if (file >= 0) close(file);
  if (failed != 0) throw EnvironmentError(fmt::format("{}: cannot be read: {}", path, std::strerror(failed)));
  return text;
}

void require_writable_file(const std::string& path) {
  std::error_code error;
  write_file(path, fs::is_regular_file(path, error) ? read_file(path) : "");
}

std::string replay_command(const std::string& path, const sim::Finding& finding, const std::string& limits) {
  return command_for(quoted(path), finding, limits);
}

}  // namespace pagestorm::cli
