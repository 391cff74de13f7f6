#pragma once
// Who touched each resource when: the memory of the happens-before check.

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
  std::size_t index = 0;  ///< into the many
  Touch before;
};

/// Remembers what a later access might collide with, and asks little of accesses that cannot: who knows the last write of
/// a kind of resource need not look at each.
class Shadow {
 public:
  /// Forgets everything.
  void start();

  /// Notes an access to a row by `touch`, which runs when `clock` is known, and returns an earlier one that conflicts with
  /// it and that nothing orders before it: the latest in the queue if there are several. `host` is what the host knows:
  /// all that is still to be enqueued comes after that.
  std::optional<Touch> note_row(std::int32_t row, const Span& span, const Touch& touch, const VectorClock& clock,
                                const VectorClock& host);

  /// The same for the whole of many resources of one kind, which is not Kind::row. Adds to `met`.
  void note(Kind kind, std::span<const std::int32_t> ids, const Touch& touch, const VectorClock& clock,
            const VectorClock& host, std::vector<Met>& met);

 private:
  using Ticks = std::array<std::uint32_t, actor_count>;

  /// The last write of a resource: what went before is ordered before it, or was reported.
  struct Written {
    std::uint32_t life = 0;  ///< the scenario that it is of
    Touch touch;
    std::int64_t index = -1;  ///< of the resource in the write that is being noted
  };
  struct ReadSet {
    Touch touch;
    std::vector<std::int32_t> ids;
  };
  struct Side {
    std::vector<Written> written;  ///< by id
    std::vector<ReadSet> reads;    ///< those that a write may still collide with
    std::vector<ReadSet> spare;
    Ticks last_write{};
    Ticks last_read{};
  };
  struct Stretch {
    Span span;
    Touch touch;
  };
  struct Row {
    std::uint32_t life = 0;
    std::vector<Stretch> touches;
  };

  Written& written(Side& side, std::int32_t id) const;
  void meet_writes(Side& side, std::span<const std::int32_t> ids, const Touch& touch, const VectorClock& clock,
                   std::vector<Met>& met) const;
  void meet_reads(Side& side, std::span<const std::int32_t> ids, const Touch& touch, const VectorClock& clock,
                  std::vector<Met>& met) const;
  static void keep_read(Side& side, std::span<const std::int32_t> ids, const Touch& touch, const VectorClock& host);
  static void forget_settled(Row& row, const VectorClock& host);

  std::uint32_t life_ = 0;
  std::array<Side, kind_count> sides_;
  std::vector<Row> rows_;
};

}  // namespace pagestorm::sim::time
