#pragma once
// Who touched each resource last: the memory of the happens-before check.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

/// An earlier access that one of many collides with.
struct Met {
  std::size_t index = 0;
  Touch before;
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

  /// The same for the whole of many resources of one kind, which is not Kind::row. Adds to `met`.
  void note(Kind kind, std::span<const std::int32_t> ids, const Touch& touch, const VectorClock& clock,
            std::vector<Met>& met);

 private:
  /// What is kept of a touch of a cell; who it is by, the place says.
  struct Mark {
    std::uint32_t operation : 31 = 0;
    std::uint32_t again : 1 = 0;
    std::uint32_t tick = 0;
  };
  struct Cell {
    std::uint32_t life = 0;  ///< the scenario that it is of
    Actor writer = Actor::host;
    std::uint8_t readers = 0;  ///< a bit for each actor that has read since the last write
    Mark write;
    std::array<Mark, actor_count> reads;
  };
  static_assert(sizeof(Cell) == 64, "one line of the cache");
  struct Stretch {
    Span span;
    Touch touch;
  };
  struct Row {
    std::uint32_t life = 0;
    std::vector<Stretch> touches;
  };

  std::vector<Cell>& cells(Kind kind, std::int32_t most);
  Row& row(std::int32_t id);
  std::optional<Touch> collide(Cell& cell, const Touch& touch, const VectorClock& clock) const;
  static std::optional<Touch> collide(Row& row, const Span& span, const Touch& touch, const VectorClock& clock);
  static void forget_settled(Row& row, const VectorClock& host);

  std::uint32_t life_ = 0;
  std::array<std::vector<Cell>, kind_count> cells_;
  std::vector<Row> rows_;
};

}  // namespace pagestorm::sim::time
