#pragma once
// The fields of scenario files: names, members and ranges, in the order in which they are printed. Printing, parsing
// and complaint() all go by these tables.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "scenario.hpp"

namespace pagestorm::sim::text_form {

/// The values that a field may have.
struct Domain {
  std::string_view noun;                    ///< what a value is, with article
  std::int64_t low = 0;                     ///< of numbers
  std::int64_t high = 0;                    ///< of numbers
  std::array<std::string_view, 2> words{};  ///< of false and true; empty: the bare field name means true
};

/// What is special about how a field is written.
enum class Habit : std::uint8_t { none, always_printed, to_line_end };

/// One field; `member` points into the structure that holds its value.
template <class... Members>
struct Field {
  std::string_view name;
  std::variant<Members...> member;
  Domain domain{};
  Habit habit = Habit::none;
};

using HeaderField = Field<std::string Finding::*, std::int64_t Config::*, bool Config::*, std::uint64_t Config::*,
                          std::vector<std::int64_t> Config::*, Timing Config::*, Layout Config::*>;
using TimingField = Field<std::int64_t Timing::*, bool Timing::*, ReadEnd Timing::*, Tables Timing::*,
                          Barrier Timing::*, Algorithm Timing::*>;
using LayoutField = Field<IntType Layout::*, std::int64_t Layout::*, Far Layout::*, bool Layout::*>;
using StepField = Field<std::int64_t Step::*, Odd Step::*, bool Step::*>;

inline constexpr std::int64_t max_elements = std::int64_t{1} << 28;  ///< tokens of a pool, elements of req_to_token
inline constexpr std::int64_t max_step_number = std::int64_t{1} << 31;
inline constexpr std::size_t max_steps = 100'000;
inline constexpr std::size_t max_text = std::size_t{64} << 20;

inline constexpr HeaderField header_fields[] = {
    {"law", &Finding::law, {"a name"}},
    {"builder", &Finding::builder, {"a name"}},
    {"fault", &Finding::fault, {"a name"}},
    {"note", &Finding::note, {"a line of text"}, Habit::to_line_end},
    {"page_size", &Config::page_size, {"a page size", 1, 4096}, Habit::always_printed},
    {"context", &Config::context, {"a context length", 0, 1 << 20}, Habit::always_printed},
    {"requests", &Config::requests, {"a number of requests", 1, 1024}},
    {"pages", &Config::pages, {"a number of pages", 1, 1 << 24}},
    {"swa", &Config::swa, {"a switch", 0, 1, {"off", "on"}}},
    {"swa_pages", &Config::swa_pages, {"a number of pages", 1, 1 << 24}},
    {"window", &Config::window, {"a window", 1, 1 << 20}},
    {"draft_tokens", &Config::draft_tokens, {"a number of draft tokens", 1, 64}},
    {"draft_steps", &Config::draft_steps, {"a number of draft steps", 1, 64}},
    {"block_window", &Config::block_window, {"a window", 0, 1 << 20}},
    {"pool_seed", &Config::pool_seed, {"a seed"}},
    {"buckets", &Config::buckets, {"a batch size", 1, 1024}},
    {"cache", &Config::cache, {"a switch", 0, 1, {"off", "on"}}},
    {"branch", &Config::branch, {"a number of tokens", 1, 1 << 20}},
    {"retract", &Config::retract, {"a switch", 0, 1, {"off", "on"}}},
    {"family", &Config::flash, {"a family of backends", 0, 1, {"paged", "flash"}}},
    {"top_k", &Config::top_k, {"a number of branches", 1, 8}},
    {"chunk", &Config::chunk, {"a chunk", 0, 1 << 20}},
    {"mask", &Config::whole_mask, {"a layout of tree masks", 0, 1, {"drafts", "whole"}}},
    {"timing", &Config::timing, {"what overlaps"}},
    {"layout", &Config::layout, {"a layout"}},
};

inline constexpr TimingField timing_fields[] = {
    {"overlap", &Timing::overlap, {"a word"}},
    {"read_end", &Timing::read_end, {"a point of a forward pass"}},
    {"graph_events", &Timing::graph_events, {"a switch", 0, 1, {"off", "on"}}},
    {"tables", &Timing::tables, {"a place of tables"}},
    {"slots", &Timing::slots, {"a number of buffers", 1, 8}},
    {"plan_stream", &Timing::plan_stream, {"a word"}},
    {"barrier", &Timing::barrier, {"a barrier"}},
    {"staging", &Timing::staging_reused, {"a policy", 0, 1, {"fresh", "reused"}}},
    {"algorithm", &Timing::algorithm, {"an algorithm"}},
    {"bound", &Timing::host_bound, {"a bound", 0, 1, {"static", "host"}}},
    {"lag", &Timing::lag, {"a lag", 1, 4}},
};

inline constexpr LayoutField layout_fields[] = {
    {"index", &Layout::index_type, {"an integer type"}},
    {"length", &Layout::length_type, {"an integer type"}},
    {"location", &Layout::location_type, {"an integer type"}},
    {"map", &Layout::map_type, {"an integer type"}},
    {"input_stride", &Layout::input_stride, {"a stride", 1, 4}},
    {"output_stride", &Layout::output_stride, {"a stride", 1, 4}},
    {"slots_stride", &Layout::slots_stride, {"a stride", 1, 4}},
    {"slots_padding", &Layout::slots_padding, {"a padding", 0, 4096}},
    {"table_stride", &Layout::table_stride, {"a stride", 1, 4}},
    {"table_padding", &Layout::table_padding, {"a padding", 0, 4096}},
    {"swa_table_stride", &Layout::swa_table_stride, {"a stride", 1, 4}},
    {"swa_table_padding", &Layout::swa_table_padding, {"a padding", 0, 4096}},
    {"write_room", &Layout::write_room, {"a write room", -8, 4096}},
    {"far", &Layout::far, {"a matrix"}},
    {"sweep", &Layout::sweep, {"a sweep", 0, 1, {"near", "whole"}}},
};

inline constexpr StepField step_fields[] = {
    {"who", &Step::who, {"a request", 0, max_step_number}},
    {"rows", &Step::rows, {"a number of rows", 0, max_step_number}},
    {"amount", &Step::amount, {"an amount", 0, max_step_number}},
    {"family", &Step::family, {"a family of prompts", 0, 8}},
    {"odd", &Step::odd, {"an oddity"}},
    {"odd_row", &Step::odd_row, {"a row", 0, max_step_number}},
    {"eager", &Step::eager, {"a word"}},
};

/// The value of a header field; `F` is Finding or const Finding.
template <class F, class T>
auto& value_of(F& finding, T Finding::*member) {
  return finding.*member;
}

template <class F, class T>
auto& value_of(F& finding, T Config::*member) {
  return finding.scenario.config.*member;
}

/// The value of a field of a layout or step.
template <class S, class T>
requires(!std::is_same_v<std::remove_const_t<S>, Finding>) auto& value_of(S& owner, T std::remove_const_t<S>::*member) {
  return owner.*member;
}

/// True for a boolean that is written as its bare name.
constexpr bool is_bare(const Domain& domain, bool) { return domain.words[1].empty(); }

template <class T>
constexpr bool is_bare(const Domain&, const T&) {
  return false;
}

/// "VALUE is not a page size; use 1 to 4096"
std::string out_of_range(std::string_view value, const Domain& domain);

/// What is wrong with a bucket that follows one that is no smaller.
std::string not_ascending(std::int64_t before, std::int64_t bucket);

}  // namespace pagestorm::sim::text_form
