#include "outside_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>

#include "error.hpp"
#include "options.hpp"

namespace pagestorm::cli {
namespace {

constexpr double seconds_high = 300;
constexpr std::int64_t mebibytes_high = 1 << 20;
constexpr const char* no_limit = ", or 0 for no limit";

/// One limit: where it was typed, and what it may be.
struct Asked {
  const char* option;
  const std::string& text;
};

double limit_of(const Asked& asked, double low, bool may_be_endless) {
  if (may_be_endless && asked.text == "0") return 0;
  const double seconds = seconds_of(asked.text, asked.option);
  if (seconds < low || seconds > seconds_high)
    throw UsageError(fmt::format("{}: {} is out of range; use {}s to {}s{}", asked.option, asked.text, low,
                                 seconds_high, may_be_endless ? no_limit : ""));
  return seconds;
}

std::int64_t bytes_of(const Asked& asked) {
  std::int64_t value = 0;
  const char* last = asked.text.data() + asked.text.size();
  const auto [end, error] = std::from_chars(asked.text.data(), last, value);
  if (error != std::errc() || end != last || value < 0 || value > mebibytes_high)
    throw UsageError(
        fmt::format("{}: '{}' is no size; use 1 to {} MiB{}", asked.option, asked.text, mebibytes_high, no_limit));
  return value << 20;
}

}  // namespace

void add_limit_options(CLI::App& command, LimitsText& text) {
  const CLI::Validator filled([](const std::string& value) { return value.empty() ? "no value" : ""; }, "");
  const auto add = [&](const char* name, std::string& value, const char* what) {
    command.add_option(name, value, what)->check(filled)->group("Outside builders");
  };
  add("--start-time", text.start_time, "time to say what it is, 0.1s to 300s [30s]");
  add("--call-work", text.call_work, "processor time of a call, 0.01s to 300s; 0 = no limit [2s]");
  add("--call-time", text.call_time, "time of a call by the clock, 0.01s to 300s [5s]");
  add("--builder-memory", text.memory, "MiB of its own, on the host, 1 to 1048576; 0 = no limit [4096]");
}

AskedLimits limits_of(const LimitsText& text, const std::vector<std::string>& builders) {
  AskedLimits asked;
  const bool any_outside = std::any_of(builders.begin(), builders.end(), is_outside);
  const auto read = [&](const char* option, const std::string& value, const auto& understand) {
    if (value.empty()) return;
    if (!any_outside)
      throw UsageError(fmt::format(
          "{}: limits outside builders alone; name one with --builder, as a path or a command, or leave it out",
          option));
    understand(Asked{option, value});
    asked.typed += fmt::format(" {} {}", option, value);
  };
  OutsideLimits& limits = asked.limits;
  read("--start-time", text.start_time, [&](const Asked& a) { limits.hello_s = limit_of(a, 0.1, false); });
  read("--call-work", text.call_work, [&](const Asked& a) { limits.work_s = limit_of(a, 0.01, true); });
  read("--call-time", text.call_time, [&](const Asked& a) { limits.wall_s = limit_of(a, 0.01, false); });
  read("--builder-memory", text.memory, [&](const Asked& a) { limits.memory_bytes = bytes_of(a); });
  return asked;
}

}  // namespace pagestorm::cli
