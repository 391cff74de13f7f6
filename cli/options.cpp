#include "options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <random>
#include <tuple>

#include "error.hpp"
#include "family_options.hpp"
#include "judge_options.hpp"
#include "pagestorm/builder.hpp"
#include "pagestorm/ids.hpp"
#include "pagestorm/outside_builder.hpp"
#include "props/laws.hpp"
#include "reader_options.hpp"
#include "reruns.hpp"
#include "sim/text.hpp"
#include "stand.hpp"

namespace pagestorm::cli {
namespace {

constexpr std::int64_t length_limit = std::int64_t{1} << 20;
constexpr std::int64_t cases_limit = 1'000'000'000'000;

std::int64_t number_of(std::string_view text, const std::string& option, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError(fmt::format("{}: '{}' is no whole number; use {} to {}", option, text, low, high));
  if (value < low || value > high)
    throw UsageError(fmt::format("{}: {} is out of range; use {} to {}", option, value, low, high));
  return value;
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t at = text.find(by); at != std::string::npos; at = text.find(by, from)) {
    parts.push_back(text.substr(from, at - from));
    from = at + 1;
  }
  parts.push_back(text.substr(from));
  return parts;
}

CLI::Validator filled() {
  return {[](const std::string& value) { return value.empty() ? "no value" : ""; }, ""};
}

}  // namespace

std::pair<std::int64_t, std::int64_t> range_of(const std::string& text, const std::string& option, std::int64_t low,
                                               std::int64_t high) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) {
    const std::int64_t value = number_of(text, option, low, high);
    return {value, value};
  }
  const std::int64_t first = number_of(std::string_view(text).substr(0, dots), option, low, high);
  const std::int64_t last = number_of(std::string_view(text).substr(dots + 2), option, low, high);
  if (first > last) throw UsageError(fmt::format("{}: {} is empty; write the smaller number first", option, text));
  return {first, last};
}

namespace {

void read_page_sizes(const std::string& text, sim::Space& space) {
  if (text.empty()) return;
  if (text.find("..") != std::string::npos && text.find(',') == std::string::npos) {
    std::tie(space.page_size_low, space.page_size_high) = range_of(text, "--page-size", 1, page_size_max);
    return;
  }
  for (const std::string& part : split(text, ',')) {
    const auto [first, last] = range_of(part, "--page-size", 1, page_size_max);
    for (std::int64_t size = first; size <= last; ++size) space.page_sizes.push_back(size);
  }
}

void read_modes(const std::string& text, sim::Space& space) {
  if (text.empty()) return;
  space.modes.fill(false);
  for (const std::string& part : split(text, ',')) {
    Mode mode{};
    if (!sim::by_name(part, mode))
      throw UsageError(
          fmt::format("--mode: '{}' is no mode; use decode, draft-decode, verify, draft-extend, extend or idle", part));
    space.modes[static_cast<std::size_t>(mode)] = true;
  }
}

// Written as in a scenario, and understood by the same parser.
void read_timing(const std::string& text, sim::Space& space) {
  if (text.empty()) return;
  const std::string place = "--timing:2: ";
  try {
    space.timing =
        sim::parse("pagestorm scenario 1\ntiming: " + text + "\nsteps:\n", "--timing").scenario.config.timing;
  } catch (const sim::TextError& error) {
    const std::string what = error.what();
    throw UsageError("--timing: " + (what.starts_with(place) ? what.substr(place.size()) : what));
  }
}

std::string joined_laws() {
  std::vector<std::string_view> names;
  for (const props::LawEntry& entry : props::law_catalogue()) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

double seconds_of(const std::string& text, const std::string& option) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "m" || unit == "min" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc() || scale == 0 || !std::isfinite(value) || value <= 0 || value * scale > 1e7)
    throw UsageError(fmt::format("{}: '{}' is no duration; write 30s, 10m or 8h", option, text));
  return value * scale;
}

std::uint64_t seed_of(const std::string& text, const std::string& option) {
  std::string_view digits = text;
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    digits.remove_prefix(2);
    base = 16;
  } else if (digits.size() == 40) {
    digits = digits.substr(0, 16);  // a commit hash
    base = 16;
  }
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed, base);
  if (error != std::errc() || end != digits.data() + digits.size())
    throw UsageError(
        fmt::format("{}: '{}' is no seed; use a number below 2^64, 0x and hex digits, or a commit hash", option, text));
  return seed;
}

std::vector<std::string> law_names(const std::vector<std::string>& asked) {
  const auto& catalogue = props::law_catalogue();
  for (const std::string& name : asked)
    if (std::none_of(catalogue.begin(), catalogue.end(), [&](const auto& entry) { return entry.name == name; }))
      throw UsageError(fmt::format("--law: there is no law '{}'; use one of {}", name, joined_laws()));
  std::vector<std::string> names;
  for (const props::LawEntry& entry : catalogue)
    if (asked.empty() || std::find(asked.begin(), asked.end(), entry.name) != asked.end())
      names.emplace_back(entry.name);
  return names;
}

Fault fault_of(const std::string& name) {
  if (name.empty()) return Fault::none;
  if (const auto fault = fault_by_name(name)) return *fault;
  throw UsageError(fmt::format("--fault: there is no fault '{}'; `pagestorm info` lists them", name));
}

namespace {

void require_own_builders(const std::vector<std::string>& names, const char* others) {
  constexpr std::string_view known[] = {"host",        "host-shuffled", "host-audited",
                                        "cuda-stream", "cuda-graph",    "cuda-packed"};
  for (const std::string& name : names)
    if (std::find(std::begin(known), std::end(known), name) == std::end(known))
      throw UsageError(fmt::format("--builder: there is no builder '{}'; use one of {}{}", name,
                                   fmt::join(std::begin(known), std::end(known), ", "), others));
}

}  // namespace

void require_known_builders(const std::vector<std::string>& names, bool outside) {
  std::vector<std::string> own;
  for (const std::string& name : names) {
    if (!outside || !is_outside(name))
      own.push_back(name);
    else
      outside_entry(name);
  }
  require_own_builders(own, outside ? ", or a path such as ./libmine.so or a command such as 'python3 mine.py'" : "");
}

void require_no_fault_outside(const std::vector<std::string>& builders, Fault fault) {
  if (fault_at(FaultSite::builder, fault) == Fault::none) return;
  for (const std::string& spec : builders)
    if (is_outside(spec))
      throw UsageError(fmt::format("--fault: {} has no faults to switch on; name a fault of the engine", spec));
}

std::string show_seconds(double seconds) {
  if (seconds < 1) return fmt::format("{:.2f} s", seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

void add_space_options(CLI::App& command, CampaignText& text) {
  command.add_option("--seed", text.seed, "64-bit seed, or a commit hash [drawn, and printed]")->check(filled());
  command.add_option("--page-size", text.page_size, "page sizes: 64, 1,16,64 or 1..256 [1..4096]")->check(filled());
  command.add_option("--seq-len", text.seq_len, "tokens of a request, at most the context: 0..131072 [0..4096]")
      ->check(filled());
  command.add_option("--rows", text.rows, "requests at most, 1 to 1024")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      .add_option("--mode", text.modes, "modes, by comma: decode,draft-decode,verify,draft-extend,extend,idle [all]")
      ->check(filled());
  command.add_option("--family", text.family, "backends that tables are made for: paged, or flash besides")
      ->check(CLI::IsMember({"paged", "flash"}))
      ->capture_default_str();
  command.add_option("--top-k", text.top_k, "branches of a draft, of the family flash: 4 or 1..8 [1..8]")
      ->check(filled());
  command.add_option("--draft-tokens", text.draft_tokens, "draft tokens of a verify: 8 or 1..64 [drawn]")
      ->check(filled());
  command.add_option("--swa", text.swa, "hybrid models: on, off or both")
      ->check(CLI::IsMember({"on", "off", "both"}))
      ->capture_default_str();
  command
      .add_option("--timing", text.timing, "what overlaps, as in a scenario: \"overlap tables=ring slots=2\" [drawn]")
      ->check(filled());
  command.add_flag("--near", text.near, "no layouts with offsets past 2^31 elements");
  command.add_flag("--clean", text.clean, "no rows and slots that no engine means to send");
}

void add_campaign_options(CLI::App& command, CampaignText& text) {
  // One value each time, so that what follows is not taken for another.
  command
      .add_option(
          "--builder", text.builders,
          "builder under test, by name, path of a shared library or command, more than one allowed [all present]")
      ->allow_extra_args(false);
  command.add_option("--law", text.laws, "law to judge by, more than one allowed [all]")->allow_extra_args(false);
  command.add_option("--fault", text.fault, "switch on one thing wrong in the builders; `pagestorm info` lists them")
      ->check(filled());
  command.add_option("--cases", text.cases, "scenarios to play on every builder")
      ->check(CLI::Range(std::int64_t{1}, cases_limit));
  command.add_option("--for", text.duration, "time to spend: 30s, 10m, 8h")->check(filled());
  add_space_options(command, text);
  command
      .add_option("--judge", text.judge, "judge by laws on the host, or by those that need images alone on a device")
      ->check(CLI::IsMember({"host", "device", "both"}))
      ->capture_default_str();
  command.add_option("--reader", text.reader, "read KV slots on the host, by kernels on a device, or compare both")
      ->check(CLI::IsMember({"host", "device", "both"}))
      ->capture_default_str();
  add_reruns_option(command, text);
  command.add_option("--jobs", text.jobs, "worker processes, 1 to 256")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command.add_flag("--in-process", text.in_process,
                   "play in this process, for debuggers and sanitizers: a crash ends it");
  command.add_option("--out", text.out, "folder for failures")->check(filled())->capture_default_str();
  command.add_option("--json", text.json, "write every figure to this file")->check(filled());
  command.add_option("--junit", text.junit, "write a JUnit report to this file")->check(filled());
  add_limit_options(command, text.limits);
}

Campaign understand(const CampaignText& text) {
  Campaign campaign;
  require_known_builders(text.builders, true);
  for (const std::string& name : text.builders)
    if (std::find(campaign.builders.begin(), campaign.builders.end(), name) == campaign.builders.end())
      campaign.builders.push_back(name);
  campaign.laws = law_names(text.laws);
  campaign.fault = fault_of(text.fault);
  require_no_fault_outside(text.builders, campaign.fault);
  campaign.outside = limits_of(text.limits, text.builders);
  read_judge(text, campaign);
  read_reader(text, campaign);
  campaign.reruns = reruns_of(text.reruns);
  campaign.cases = text.cases;
  if (!text.duration.empty()) campaign.seconds = seconds_of(text.duration, "--for");
  campaign.seed = text.seed.empty() ? (std::uint64_t{std::random_device{}()} << 32 | std::random_device{}())
                                    : seed_of(text.seed, "--seed");
  campaign.jobs = text.in_process ? 1 : text.jobs;
  campaign.in_process = text.in_process;
  read_page_sizes(text.page_size, campaign.space);
  if (!text.seq_len.empty())
    std::tie(campaign.space.length_low, campaign.space.length_high) =
        range_of(text.seq_len, "--seq-len", 0, length_limit);
  campaign.space.rows_high = text.rows;
  read_modes(text.modes, campaign.space);
  read_timing(text.timing, campaign.space);
  read_family(text, campaign);
  if (text.swa != "both") campaign.space.swa = text.swa == "on";
  campaign.space.far = !text.near;
  campaign.space.odd = !text.clean;
  campaign.out = text.out;
  campaign.json = text.json;
  campaign.junit = text.junit;
  return campaign;
}

}  // namespace pagestorm::cli
