#pragma once
// What differs between modes, decided once: the only switch on the mode in the system under test.

#include <cstdint>

#include "hd.hpp"
#include "pagestorm/batch.hpp"

namespace pagestorm::core {

/// Where a row's number of queries comes from.
enum class Queries : std::uint8_t {
  fixed,    ///< the same number for every row
  given,    ///< extend_seq_lens
  as_keys,  ///< the whole row is new: cu_seqlens_q equals cu_seqlens_k
};

/// How long the cache of a row counts as, and how many queries it has (docs/contract.md, "Modes").
struct Plan {
  std::int64_t length_offset = 0;  ///< added to the length of a row
  bool adds_queries = false;       ///< so are its queries
  Queries queries = Queries::fixed;
  std::int64_t fixed_queries = 1;
  bool sums = true;  ///< lengths, cumulative lengths and write slots are wanted, not only tables
};

inline Plan plan(const Batch& batch) {
  if (batch.entry == Entry::build) return {.sums = false};
  switch (batch.mode) {
    case Mode::idle:
    case Mode::decode: return {};
    case Mode::draft_decode: return {.length_offset = std::int64_t{batch.draft_step} + 1};
    case Mode::target_verify: return {.length_offset = batch.tokens_per_row, .fixed_queries = batch.tokens_per_row};
    case Mode::draft_extend: return {.fixed_queries = batch.tokens_per_row};
    case Mode::extend: return {.queries = batch.has_cached_prefix ? Queries::given : Queries::as_keys};
    case Mode::ragged_verify: return {.adds_queries = true, .queries = Queries::given};
  }
  return {};
}

}  // namespace pagestorm::core
