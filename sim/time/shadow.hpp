#pragma once
// Who touched each resource last: the memory of the happens-before check.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "resource.hpp"
#include "vector_clock.hpp"

namespace pagestorm::sim::time {

/// An access as the shadow remembers it.
struct Touch {
  std::uint32_t operation = 0;  ///< its number in the queue
  std::uint32_t tick = 0;       ///< of its actor; 0 = no access
  std::int32_t owner = -1;
  Actor actor = Actor::host;
  bool writes = false;
  bool again = false;
};

/// For each resource, the accesses that a later one might collide with. A resource keeps its last write and the last read
/// of each actor: what went before is ordered before those, or was reported. A row keeps them by position.
class Shadow {
 public:
  /// Forgets everything.
  void start();

  /// Notes an access by `touch`, which runs when `clock` is known, and returns an earlier one that conflicts with it and
  /// that nothing orders before it: the latest in the queue if there are several. `host` is what the host knows: all
  /// that is still to be enqueued comes after that.
  std::optional<Touch> note(const Access& access, const Touch& touch, const VectorClock& clock,
                            const VectorClock& host);

 private:
  struct Cell {
    std::uint32_t life = 0;  ///< the scenario that it is of
    Touch write;
    std::array<Touch, actor_count> reads;
  };
  struct Stretch {
    Span span;
    Touch touch;
  };
  struct Row {
    std::uint32_t life = 0;
    std::vector<Stretch> touches;
  };

  Cell& cell(const Resource& resource);
  Row& row(std::int32_t id);
  static std::optional<Touch> collide(Cell& cell, const Touch& touch, const VectorClock& clock);
  static std::optional<Touch> collide(Row& row, const Span& span, const Touch& touch, const VectorClock& clock);
  static void forget_settled(Row& row, const VectorClock& host);

  std::uint32_t life_ = 0;
  std::array<std::vector<Cell>, kind_count> cells_;
  std::vector<Row> rows_;
};

}  // namespace pagestorm::sim::time
