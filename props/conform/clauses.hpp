#pragma once
// The clauses of docs/contract.md, C1 to C13, as a page of conformance shows them, and when each is tried.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/law.hpp"

namespace pagestorm::props {

/// One clause.
struct ClauseEntry {
  std::string_view id;     ///< "C5.2"
  std::string_view title;  ///< in a few words
  std::string_view tried;  ///< which forward passes try it
  std::string_view laws;   ///< which laws see it broken, by spaces
};

inline constexpr std::size_t clause_count = 55;

/// Every clause, in the order of the contract.
std::span<const ClauseEntry, clause_count> clause_catalogue();

/// Its place there. Throws std::invalid_argument when there is none of that name.
std::size_t clause_index(std::string_view id);

/// How many forward passes tried each clause.
using ClauseTally = std::array<std::int64_t, clause_count>;

/// Counts one forward pass, which the builder was given, for every clause that it tries.
void note_tried(sim::Moment& moment, ClauseTally& tally);

}  // namespace pagestorm::props
