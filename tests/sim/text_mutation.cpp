// Feeds mutated scenario files to the parser: text_mutation COUNT SEED [FILE...]. Each text must either be refused with
// a TextError that reads as one should, or be accepted, be within every limit, survive print and parse unchanged, and,
// where it is small, break no law when it is played.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "draw_finding.hpp"
#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "sim/player.hpp"
#include "sim/report.hpp"
#include "sim/rng.hpp"
#include "sim/text.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::string_view file_name = "mutant";
constexpr std::size_t longest_text = 1 << 16;
constexpr std::size_t most_seeds = 512;

// Small enough that thousands of them play in seconds.
bool is_small(const Scenario& scenario) {
  const Config& config = scenario.config;
  constexpr std::int64_t most_work = 1 << 16;
  const std::int64_t rows = std::max(Inputs::row_capacity(config), config.requests);
  const std::int64_t cells = rows * std::max(config.columns(), config.page_size);
  return cells <= most_work && static_cast<std::int64_t>(scenario.steps.size()) * cells <= most_work &&
         (config.layout.far == Far::none || rows <= 8);
}

// Plays an accepted finding on the host builder with every law; a violation ends the run, exit 1. False when the
// finding is too large to play.
bool play(const Finding& finding) {
  if (!is_small(finding.scenario)) return false;
  static const auto builder = host_builders().front().make(Fault::none);
  static const auto laws = props::all_laws();
  static Player player(*builder, nullptr, laws);
  const auto violations = player.play(finding.scenario);
  if (violations.empty()) return true;
  const Violation& first = violations.front();
  throw std::logic_error(fmt::format("{} is violated\n{}", first.law, explain(finding.scenario, first)));
}

constexpr std::array<std::string_view, 3> built_in{
    R"(pagestorm scenario 1
law: writes_only_live_cells
builder: host
fault: spills_past_width
note: check --seed 7, case 212
page_size: 64
context: 2048
requests: 2
swa: on
swa_pages: 96
window: 128
draft_tokens: 8
pool_seed: 0x00000000deadbeef
buckets: 1 2 4 8
layout: index=int32 map=int32 input_stride=2 write_room=-8 far=page_table sweep=near
steps:
  admit amount=2044
  verify rows=4 amount=2 odd=negative-length odd_row=1 eager
)",
    R"(# by hand, with everything that people do
pagestorm scenario 1   # schema

context: 0# nothing
page_size:1
note: # is no comment here: # ü 页
requests:	1024
steps:

  # a loop
  extend rows=0 amount=100
  draft rows=0 amount=0
  verify rows=0 amount=3
  draft-extend rows=0   # from where verify stood
  decode eager odd=huge-length
  evict
  puncture who=1 amount=2
  finish who=1
  idle amount=4
)",
    "pagestorm scenario 1\nsteps:\n"};

constexpr std::array<std::string_view, 30> numbers{"0",
                                                   "1",
                                                   "-1",
                                                   "2",
                                                   "4",
                                                   "-8",
                                                   "-9",
                                                   "64",
                                                   "65",
                                                   "1024",
                                                   "1025",
                                                   "4096",
                                                   "4097",
                                                   "1048576",
                                                   "1048577",
                                                   "16777216",
                                                   "16777217",
                                                   "2147483647",
                                                   "2147483648",
                                                   "2147483649",
                                                   "4294967296",
                                                   "0x7fff",
                                                   "007",
                                                   "+1",
                                                   "1e9",
                                                   "",
                                                   "1.5",
                                                   "9223372036854775807",
                                                   "9223372036854775808",
                                                   "-9223372036854775808"};

constexpr std::array<std::string_view, 16> scraps{":",
                                                  "=",
                                                  "#",
                                                  "\n",
                                                  "\r\n",
                                                  "\t",
                                                  " eager",
                                                  "steps:\n",
                                                  "page_size: 64\n",
                                                  "layout: far=none\n",
                                                  " odd=duplicate",
                                                  "\xef\xbb\xbf",
                                                  "\xf0\x9f\x82\xa1",
                                                  "\xed\xa0\x80",
                                                  "\x1b",
                                                  std::string_view("\0", 1)};

constexpr std::string_view digits = "0123456789";

struct Piece {
  std::size_t from;
  std::size_t size;
};

Piece some_piece(Rng& rng, std::string_view text) {
  const std::size_t from = rng.below(text.size() + 1);
  return {from, rng.below(std::min<std::size_t>(text.size() - from, rng.one_in(4) ? 64 : 4) + 1)};
}

Piece some_line(Rng& rng, std::string_view text) {
  const std::size_t at = rng.below(text.size() + 1);
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t from = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = text.find('\n', from);
  return {from, (end == std::string_view::npos ? text.size() : end + 1) - from};
}

void flip(Rng& rng, std::string& text) {
  if (!text.empty()) text[rng.below(text.size())] ^= static_cast<char>(1 << rng.below(8));
}

void erase(Rng& rng, std::string& text, Piece piece) {
  text.erase(piece.from, piece.size);
  // Now and then the whole rest goes: files that were cut short.
  if (rng.one_in(32)) text.resize(std::min(piece.from, text.size()));
}

// A copy of one line somewhere else: duplicates, and fields on the wrong side of "steps:".
void copy_line(Rng& rng, std::string& text, std::string_view from) {
  const Piece line = some_line(rng, from);
  const std::string copy(from.substr(line.from, line.size));
  text.insert(some_line(rng, text).from, copy);
}

void splice(Rng& rng, std::string& text, std::string_view other) {
  text = text.substr(0, some_line(rng, text).from) + std::string(other.substr(some_line(rng, other).from));
}

void replace_number(Rng& rng, std::string& text) {
  const std::size_t from = text.find_first_of(digits, rng.below(text.size() + 1));
  if (from == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_not_of(digits, from), text.size());
  text.replace(from, end - from, rng.pick<std::string_view>(numbers));
}

void mutate(Rng& rng, std::string& text, std::string_view other) {
  switch (rng.below(9)) {
    case 0: return flip(rng, text);
    case 1: return erase(rng, text, some_piece(rng, text));
    case 2: return erase(rng, text, some_line(rng, text));
    case 3: return copy_line(rng, text, std::string(text));
    case 4: return copy_line(rng, text, other);
    case 5: return splice(rng, text, other);
    case 6: text.insert(rng.below(text.size() + 1), rng.pick<std::string_view>(scraps)); return;
    default: return replace_number(rng, text);
  }
}

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

// "mutant:LINE: field: problem; remedy" on one line of UTF-8 that no terminal obeys.
void require_good_message(std::string_view message) {
  require(message.starts_with("mutant:"), "a message does not start with its file");
  message.remove_prefix(file_name.size() + 1);
  require(message.substr(0, message.find(':')).find_first_not_of(digits) == std::string_view::npos, "no line number");
  require(message.find("; ") != std::string_view::npos || message.ends_with('?'), "a message has no remedy");
  require(message.size() < 1000, "a message is too long");
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  require(std::none_of(message.begin(), message.end(), control), "a message has a control character");
}

enum class Fate { rejected, accepted, played };

Fate feed(const std::string& text) {
  Finding finding;
  try {
    finding = parse(text, file_name);
  } catch (const TextError& error) {
    require_good_message(error.what());
    return Fate::rejected;
  }
  require(complaint(finding.scenario.config).empty(), "a configuration beyond the limits was accepted");
  require(parse(print(finding), file_name) == finding, "an accepted finding does not survive print and parse");
  return play(finding) ? Fate::played : Fate::accepted;
}

struct Tally {
  std::int64_t accepted = 0;
  std::int64_t rejected = 0;
  std::int64_t played = 0;
};

std::string draw_text_of(Rng& rng, const std::vector<std::string>& seeds) {
  std::string text = rng.pick<std::string>(seeds);
  const std::string& other = rng.pick<std::string>(seeds);
  for (std::int64_t i = rng.between(1, 4); i > 0; --i) mutate(rng, text, other);
  text.resize(std::min(text.size(), longest_text));
  return text;
}

bool run(std::int64_t count, std::uint64_t seed, std::vector<std::string> seeds) {
  Rng rng(seed);
  for (int i = 0; i < 8; ++i) seeds.push_back(print(draw_finding(rng)));
  const std::size_t originals = seeds.size();
  Tally tally;
  for (std::int64_t i = 0; i < count; ++i) {
    std::string text = draw_text_of(rng, seeds);
    try {
      const Fate fate = feed(text);
      const bool accepted = fate != Fate::rejected;
      ++(accepted ? tally.accepted : tally.rejected);
      tally.played += fate == Fate::played ? 1 : 0;
      // Accepted mutants breed on, so that mutations add up.
      if (accepted && seeds.size() < originals + most_seeds) {
        seeds.push_back(std::move(text));
      } else if (accepted) {
        seeds[originals + rng.below(most_seeds)] = std::move(text);
      }
    } catch (const std::exception& error) {
      fmt::print("text {} of seed {}: {}\n----\n{}\n----\n", i, seed, error.what(), text);
      return false;
    }
  }
  fmt::print("{} texts: {} accepted, of them {} played, {} rejected\n", count, tally.accepted, tally.played,
             tally.rejected);
  return true;
}

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && stop == text.data() + text.size();
}

int main_of(std::span<char*> args) {
  std::int64_t count = 0;
  std::uint64_t seed = 0;
  if (args.size() < 3 || !read_number(args[1], count) || !read_number(args[2], seed)) {
    fmt::print(stderr, "usage: text_mutation COUNT SEED [FILE...]\n");
    return 2;
  }
  std::vector<std::string> seeds(built_in.begin(), built_in.end());
  for (const char* name : args.subspan(3)) {
    std::ifstream file(name, std::ios::binary);
    if (!file) {
      fmt::print(stderr, "{}: cannot be read; name a scenario file\n", name);
      return 2;
    }
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  // Seeds are fed unchanged first; files may be malformed.
  for (const std::string& text : seeds) feed(text);
  return run(count, seed, std::move(seeds)) ? 0 : 1;
}

}  // namespace
}  // namespace pagestorm::sim

int main(int argc, char** argv) {
  try {
    return pagestorm::sim::main_of(std::span(argv, static_cast<std::size_t>(argc)));
  } catch (const std::exception& error) {
    fmt::print(stderr, "a seed text: {}\n", error.what());
    return 1;
  }
}
