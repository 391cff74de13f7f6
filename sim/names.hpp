#pragma once
// The names of scenario files, by enumeration; name_of and by_name of scenario.hpp look them up here.

#include <array>
#include <string_view>

#include "scenario.hpp"

namespace pagestorm::sim {

/// The names of enumeration E, in the order of its values.
template <class E>
inline constexpr std::array<std::string_view, 0> names{};

template <>
inline constexpr auto names<Mode> = std::to_array<std::string_view>({"idle", "decode", "draft-decode", "verify",
                                                                     "draft-extend", "extend", "ragged-verify"});

template <>
inline constexpr auto names<IntType> = std::to_array<std::string_view>({"int32", "int64"});

template <>
inline constexpr auto names<StepKind> = std::to_array<std::string_view>(
    {"admit", "extend", "decode", "draft", "verify", "draft-extend", "idle", "evict", "finish", "puncture", "arrive",
     "share", "reclaim", "tombstone", "retract", "readmit", "block", "ragged"});

template <>
inline constexpr auto names<Odd> = std::to_array<std::string_view>({"none", "duplicate", "row-zero", "outside-pool",
                                                                    "before-pool", "negative-length", "zero-length",
                                                                    "huge-length", "negative-slot"});

template <>
inline constexpr auto names<Far> = std::to_array<std::string_view>({"none", "req_to_token", "page_table",
                                                                    "swa_page_table"});

template <>
inline constexpr auto names<ReadEnd> = std::to_array<std::string_view>({"pre-replay", "in-replay", "post-replay",
                                                                        "unknown"});

template <>
inline constexpr auto names<Tables> = std::to_array<std::string_view>({"fresh", "reused", "ring", "in-graph"});

template <>
inline constexpr auto names<Barrier> = std::to_array<std::string_view>({"after-launch", "loop-top", "coarse"});

template <>
inline constexpr auto names<Algorithm> = std::to_array<std::string_view>({"eagle", "mtp", "standalone", "dflash"});

static_assert(names<Mode>.size() == mode_count);
static_assert(names<StepKind>.size() == step_kind_count);
static_assert(names<Odd>.size() == odd_count);
static_assert(names<ReadEnd>.size() == read_end_count);
static_assert(names<Tables>.size() == tables_count);
static_assert(names<Barrier>.size() == barrier_count);
static_assert(names<Algorithm>.size() == algorithm_count);

}  // namespace pagestorm::sim
