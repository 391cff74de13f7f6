#pragma once
// What a trace asks of an engine: how long each request is, how long it gets, and how much of it is cached already.

#include <cstdint>
#include <span>
#include <vector>

#include "scenario.hpp"
#include "trace.hpp"
#include "trace_accept.hpp"

namespace pagestorm::sim {

/// How a trace is driven.
struct DriveOptions {
  std::int64_t page_size = 64;
  std::int64_t context = 4096;    ///< longer requests are cut
  std::int64_t batch = 64;        ///< request rows of an engine
  std::int64_t draft_tokens = 4;  ///< N; 1 = no speculation, plain decode
  std::int64_t draft_steps = 3;   ///< T
  double accept = 3;              ///< mean tokens accepted a verify and row, bonus token included, 1 to N
  AcceptLengths accept_lengths;   ///< in place of the mean, unless empty
  bool cache = false;             ///< a prefix cache, which finds by itself what it has
  std::int64_t pool_pages = 0;    ///< of the full pool; 0 = as many as can be
  std::int64_t swa_pool_pages = 0;
  bool swa = false;
  std::int64_t window = 4096;
  std::int64_t chunk = 8192;        ///< tokens of one prefill step at most
  bool flash = false;               ///< the family flash; what follows is its own
  std::int64_t top_k = 1;           ///< branches of a draft
  std::int64_t local_chunk = 0;     ///< tokens of a chunk of local attention; 0 = none
  bool whole_mask = false;          ///< lines of a tree mask have a column for each token of the prefix
  std::uint64_t seed = 0;           ///< of page orders and acceptance
  bool saturated = false;           ///< every request has arrived from the start
  double step_seconds = 0.01;       ///< virtual time that one forward pass takes
  bool timeline = false;            ///< keep a timeline
  std::int64_t timeline_every = 0;  ///< forward passes; 0 = so that it stays short
};

/// One request as an engine plays it.
struct DriveRequest {
  double arrival_s = 0;
  std::int64_t cached = 0;                ///< tokens that a prefix cache would have already, if it never forgot
  std::int64_t input = 0;                 ///< tokens to prefill up to
  std::int64_t target = 0;                ///< length from which on it is finished
  std::vector<std::int64_t> blocks = {};  ///< ids of its prefix blocks; none for a prompt like nobody's
};

/// A trace, ready to be driven.
struct DrivePlan {
  std::vector<DriveRequest> requests;  ///< by arrival
  std::int64_t tokens_in = 0;          ///< as the trace has them
  std::int64_t tokens_out = 0;
  std::int64_t clipped = 0;  ///< requests longer than the context
  std::int64_t tokens_cached = 0;
  std::int64_t blocks = 0;      ///< prefix blocks; 0 when the format has none
  std::int64_t blocks_hit = 0;  ///< of them seen in an earlier request
  std::int64_t repeated = 0;    ///< requests of which all blocks were seen: their last token must run all the same
};

/// Tokens of a prefix block.
inline constexpr std::int64_t block_tokens = 512;

/// The smallest power of two, 4096 to 2^20, that holds the longest request; 2^20 when none does.
std::int64_t context_for(std::span<const TraceRequest> requests);

/// Cuts requests to the context, and finds what an unbounded prefix cache would have. Where arrivals agree, the order
/// of the trace decides.
DrivePlan plan_drive(std::span<const TraceRequest> requests, const DriveOptions& options);

/// Every `of`-th request from number `first` on: the share of one of several engines.
std::vector<DriveRequest> share_of(const DrivePlan& plan, std::size_t first, std::size_t of);

/// Pages that a request comes to need when it has the engine for itself.
std::int64_t pages_for_one(const DriveRequest& request, const DriveOptions& options);

/// The request that needs most pages for itself; the first of several. Asserts that there is one.
std::size_t largest(std::span<const DriveRequest> requests, const DriveOptions& options);

/// The engine: its pools hold a full batch at the context limit and, with a prefix cache, as much more as the ranges of
/// scenarios allow, unless the options say how much.
Config config_of(const DriveOptions& options);

}  // namespace pagestorm::sim
