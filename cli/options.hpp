#pragma once
// What a campaign is asked to do, and how that is typed.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "outside_options.hpp"
#include "pagestorm/fault.hpp"
#include "sim/swarm.hpp"

namespace CLI {
class App;
}

namespace pagestorm::cli {

/// Where steps are judged.
enum class JudgedBy : std::uint8_t {
  host,    ///< all laws, image by image
  device,  ///< the image laws where the images are; the host's only where one is broken
  both,    ///< the image laws on both sides, every time
};

/// As typed: "host", "device", "both".
std::string_view name_of(JudgedBy judge);

/// Where KV slots are read by the law that reads them.
enum class ReadBy : std::uint8_t {
  host,    ///< by the law itself
  device,  ///< by kernels, through the tables that a device has
  both,    ///< by both, compared pass by pass: readers_agree
};

/// As typed: "host", "device", "both".
std::string_view name_of(ReadBy reader);

/// How many of the laws that run a builder again judge a pass.
enum class Reruns {
  by_cost,  ///< all of them on builders of this program, one on a builder in a process of its own
  all,
  one,  ///< drawn for each pass
};

/// As typed: "by-cost", "all", "one".
std::string_view name_of(Reruns reruns);

/// A random campaign: check or fuzz.
struct Campaign {
  std::vector<std::string> builders;  ///< empty = all that are present
  std::vector<std::string> laws;      ///< never empty
  JudgedBy judge = JudgedBy::host;
  ReadBy reader = ReadBy::host;
  Reruns reruns = Reruns::by_cost;
  std::vector<std::string> not_run;  ///< laws that nobody left out by name, but that the judge cannot judge by
  Fault fault = Fault::none;
  std::int64_t cases = 0;  ///< scenarios; 0 = no limit
  double seconds = 0;      ///< 0 = no limit
  std::uint64_t seed = 0;
  std::int64_t jobs = 1;
  bool in_process = false;  ///< play in this process, for debuggers and sanitizers
  bool keep_going = false;  ///< after a violation, look for others
  bool by_clauses = false;  ///< judge clause by clause, on one builder
  AskedLimits outside;      ///< of outside builders
  sim::Space space;
  std::string out = "failures";
  std::string json;   ///< file, or empty
  std::string junit;  ///< file, or empty
};

/// Typed values, before they are understood.
struct CampaignText {
  std::vector<std::string> builders, laws;
  std::string fault, duration, seed, page_size, seq_len, modes, timing, top_k, draft_tokens,
      family = "paged", swa = "both", judge = "host", reader = "host", reruns = "by-cost", out = "failures", json,
      junit;
  std::int64_t cases = 0;
  std::int64_t jobs = 1;
  std::int64_t rows = 16;
  bool near = false;
  bool clean = false;
  bool in_process = false;
  LimitsText limits;
};

/// Adds what decides which scenarios are drawn.
void add_space_options(CLI::App& command, CampaignText& text);

/// Adds the options of a campaign to a subcommand: those, what judges, and where reports go.
void add_campaign_options(CLI::App& command, CampaignText& text);

/// Understands what was typed. Throws UsageError that names the option and what it takes.
Campaign understand(const CampaignText& text);

/// "8" or "1..64" as its first and last number, each from `low` to `high`. Throws UsageError.
std::pair<std::int64_t, std::int64_t> range_of(const std::string& text, const std::string& option, std::int64_t low,
                                               std::int64_t high);

/// "30s", "10m", "2h", "90" in seconds, above 0. Throws UsageError.
double seconds_of(const std::string& text, const std::string& option);

/// "7", "0x5eed" or 40 hex digits of a commit. Throws UsageError.
std::uint64_t seed_of(const std::string& text, const std::string& option);

/// Names of all laws, or those asked for, in the order of the catalogue. Throws UsageError for an unknown one.
std::vector<std::string> law_names(const std::vector<std::string>& asked);

/// Throws UsageError for a fault that does not exist; Fault::none for an empty name.
Fault fault_of(const std::string& name);

/// Throws UsageError for a builder that no build of this program has; with `outside`, unless it is an outside builder.
void require_known_builders(const std::vector<std::string>& names, bool outside = false);

/// Throws UsageError when a fault is asked of an outside builder: it has none of ours.
void require_no_fault_outside(const std::vector<std::string>& builders, Fault fault);

/// Seconds as "0.04 s", "12 s", "4 min 12 s".
std::string show_seconds(double seconds);

}  // namespace pagestorm::cli
