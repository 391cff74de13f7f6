#pragma once
// Runs queued operations in any order that is allowed, over memory that knows which write each value is from.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "queue.hpp"

namespace pagestorm::sim::time {

/// Which of the operations that may run does.
enum class Pace : std::uint8_t {
  early,  ///< the one that was enqueued first: nothing waits for more than it must, so the order is the queue's
  late,   ///< the one that was enqueued last: everything else has to wait as long as allowed
  drawn,  ///< any, by a seed
};

struct Order {
  Pace pace = Pace::early;
  std::uint64_t seed = 0;                      ///< of a drawn order
  std::optional<std::int64_t> delayed = {};    ///< this operation starts as late as allowed
  std::optional<std::int64_t> stretched = {};  ///< this operation ends as late as allowed
};

/// A stretch of a resource, and which write of the queue's it is from, counted from 1; 0 = older than the queue.
struct Part {
  Span span;
  std::int64_t generation = 0;

  bool operator==(const Part&) const = default;
};

using Picture = std::vector<Part>;  ///< neighbours differ in generation; what is older is left out

/// What a read saw that it was not meant to see.
struct Sight {
  std::int64_t operation = 0;
  Access access;
  Picture meant;   ///< in the order of the queue
  Picture first;   ///< by the first half of the operation
  Picture second;  ///< by the second half

  bool torn() const { return first != second; }
};

/// Generations of all that the queue's operations write, by operation and access; 0 for reads. The order of the queue
/// counts, for each resource.
std::vector<std::vector<std::int64_t>> number_writes(const Queue& queue);

/// Runs all operations that the queue still has, each in two halves, and returns the reads that saw something else than
/// in the order of the queue. There are none in any order when nothing conflicts without being ordered.
std::vector<Sight> execute(const Queue& queue, const Order& order);

/// "generation 2", "nothing", "generations 1 and 2".
std::string show(const Picture& picture);

/// "generation 1 and then generation 2; meant: generation 1".
std::string show(const Sight& sight);

}  // namespace pagestorm::sim::time
