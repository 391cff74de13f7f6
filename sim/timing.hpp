#pragma once
// How an engine overlaps its work: what runs on which stream, and what waits for what.

#include <cstdint>

namespace pagestorm::sim {

/// Where a forward pass has read req_to_token and the map for the last time, and says so: from there on the scheduler may
/// write them. In the order in which a forward pass gets there.
enum class ReadEnd : std::uint8_t {
  pre_replay,   ///< the tables are built before the captured graph is replayed, and nothing else reads
  in_replay,    ///< the first kernels of the graph read
  post_replay,  ///< all of the graph reads
  unknown,      ///< something behind the graph reads; the scheduler waits for the whole forward pass
};

/// Where a forward pass finds its page tables.
enum class Tables : std::uint8_t {
  fresh,     ///< in memory of its own, from a stream-ordered caching allocator
  reused,    ///< in buffers that are used by turns, without an event
  ring,      ///< in buffers that are used by turns; whoever writes waits until its readers are done
  in_graph,  ///< in a buffer of the captured graph, which builds them itself; fresh where nothing is captured
};

/// When the scheduler's stream waits for the reads of the forward pass launched last.
enum class Barrier : std::uint8_t {
  after_launch,  ///< before anything else is done
  loop_top,      ///< before the next batch is prepared: results are processed without it
  coarse,        ///< before anything else is done, and for the whole forward pass
};

/// What drafts, which decides whether the host must know lengths.
enum class Algorithm : std::uint8_t { eagle, mtp, standalone, dflash };

inline constexpr int read_end_count = 4;
inline constexpr int tables_count = 4;
inline constexpr int barrier_count = 3;
inline constexpr int algorithm_count = 4;

struct Timing {
  bool overlap = false;  ///< the host goes on while forward passes run; without it the other fields mean nothing
  ReadEnd read_end = ReadEnd::pre_replay;
  bool graph_events =
      true;  ///< an event recorded inside a captured graph is one; else it is recorded behind the replay
  Tables tables = Tables::fresh;
  std::int64_t slots = 2;    ///< buffers that take turns, 1 to 8
  bool plan_stream = false;  ///< a stream of its own builds the tables of a verify or draft extend
  Barrier barrier = Barrier::after_launch;
  bool staging_reused = false;  ///< one pair of pinned buffers for all batches, else new ones for each
  Algorithm algorithm = Algorithm::eagle;
  bool host_bound = false;  ///< attention takes its bounds from the longest length on the host, else from the context
  std::int64_t lag = 1;     ///< forward passes that may be under way when the host goes on to the next, 1 to 4

  /// Whether speculative passes need the committed lengths on the host: the backend asks for them, and the algorithm does
  /// not do without.
  bool needs_host_lengths() const { return host_bound && algorithm != Algorithm::dflash; }

  bool operator==(const Timing&) const = default;
};

}  // namespace pagestorm::sim
