#pragma once
// Queued work as plain data, and running it on real streams: who saw which write, under delays put where one likes.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pagestorm {

/// One operation touches one cell. What a cell holds is the generation written last; 0 = none.
struct StreamTouch {
  std::int32_t cell = 0;
  std::int32_t generation = 0;  ///< that it writes, from 1; 0 = it reads
};

/// Touches [first, first + count) of the work, reads before writes; it writes a cell once at most.
struct StreamOperation {
  std::int32_t actor = 0;
  std::int32_t first = 0;
  std::int32_t count = 0;
};

enum class StreamItemKind : std::uint8_t {
  operation,     ///< `number` is an operation
  record,        ///< `number` is an event, recorded on `actor`; a stream
  wait,          ///< `actor` goes on behind event `number`; the host waits at once
  begin_replay,  ///< up to end_replay all items are of this stream, and run as one replay of a captured graph
  end_replay,
};

/// One thing that the host does or enqueues.
struct StreamItem {
  StreamItemKind kind = StreamItemKind::operation;
  std::int32_t actor = 0;
  std::int32_t number = 0;
};

/// Everything that is done, in the order of the host's program. Actor 0 is the host; each other is a stream.
struct StreamWork {
  std::int32_t actors = 1;
  std::int32_t events = 0;  ///< each is recorded once at most
  std::int32_t cells = 0;
  std::int32_t pinned_cells = 0;  ///< cells below this lie in pinned memory: the host touches these alone
  std::vector<StreamItem> items;
  std::vector<StreamOperation> operations;
  std::vector<StreamTouch> touches;
};

/// One operation takes longer: it starts so much later, and so much passes between its halves. Each half touches all its
/// cells; memory has two halves, too, so that a read across a write is seen to be torn.
struct StreamDelay {
  std::int32_t operation = 0;
  std::int32_t before_us = 0;
  std::int32_t between_us = 0;
};

inline constexpr std::int32_t stream_delay_us_max = 10'000;  ///< of one delay
inline constexpr std::int32_t stream_actors_max = 8;

/// What each touch saw, by its number; 0 for writes.
struct StreamSights {
  std::vector<std::int32_t> first;   ///< by the first half of the operation
  std::vector<std::int32_t> second;  ///< by the second half
};

/// Runs queued work, each time from memory that holds generation 0.
class StreamRunner {
 public:
  virtual ~StreamRunner() = default;

  /// Takes the work that run() runs. Throws std::invalid_argument for what complaint() names
  /// (stream_complaint.hpp).
  virtual void prepare(const StreamWork& work) = 0;

  /// Runs it once to its end. Operations without a delay take no longer than they must. Throws std::invalid_argument for
  /// delays of an operation that is not there, or outside of 0 to stream_delay_us_max.
  virtual StreamSights run(std::span<const StreamDelay> delays) = 0;
};

/// Why queued work cannot be run on a device here; empty when it can.
std::string device_streams_absent_because();

/// Real streams, events, graphs and pinned memory of this process's device; a kernel or a copy for each half of an
/// operation. Nothing on the device waits for the host or for a value, so that no work can hang. Throws BuilderError when
/// none can work here.
std::unique_ptr<StreamRunner> device_streams();

}  // namespace pagestorm
