#pragma once
// What the host benches play: the same seeds give the same work on every machine.

#include <cstdint>

#include "scenario.hpp"

namespace pagestorm::sim {

/// A whole case: 1 to 16 requests of 0 to 4,096 tokens, page size 1, 16, 32, 64, 128 or 256, SWA, and one decode.
Scenario bench_case(std::uint64_t seed);

/// How many requests a bench of steps has, and how long they are.
struct BenchRows {
  std::int64_t rows = 8;
  std::int64_t page_size = 16;
  std::int64_t pages = 64;  ///< of a request, at most
  bool uniform = true;      ///< lengths from 0 on instead of the longest alone
  std::int64_t width = 0;   ///< columns of the tables; 0 = as many as the longest request has pages
  bool swa = true;
};

/// Requests that are there, and no forward pass yet.
Scenario bench_rows(const BenchRows& shape, std::uint64_t seed);

/// Step number `i` of speculative loops over all of them in which no draft token is ever accepted: no length changes.
Step bench_step(std::int64_t i);

/// An engine under way: 8 requests of up to 1,024 tokens at page size 16, SWA, a prefix cache, and enough pages.
Scenario bench_storm(std::uint64_t seed);

/// Step number `i` of that engine for ever: speculative loops that accept about 1 to 3 tokens a row, now and then a decode, and
/// once in 32 steps a request ends and another arrives, is prefilled and shares its pages.
Step bench_storm_step(std::int64_t i);

}  // namespace pagestorm::sim
