#pragma once
// Which buffer the page tables of a forward pass lie in, and what must be waited for before it is written.

#include <cstdint>
#include <vector>

#include "../timing.hpp"
#include "queue.hpp"
#include "rules.hpp"

namespace pagestorm::sim::time {

/// Hands out page-table buffers, as the policy says.
class TableBuffers {
 public:
  void start(const Timing& timing, const TimeRules& rules);

  /// The buffer of the next forward pass, to be written on `writer`; enqueues what must be waited for. `in_graph` asks
  /// for the buffer of the captured graph.
  std::int32_t acquire(Queue& queue, Actor writer, bool in_graph);

  /// The forward pass that acquire() was called for last has been enqueued on `reader`, with all that reads its buffer.
  void release(Queue& queue, Actor reader);

 private:
  /// A block of the caching allocator, or a slot of a ring.
  struct Buffer {
    Actor allocated_on = Actor::forward;
    bool dropped = true;  ///< no table is in it
    Event read = {};      ///< its readers are done
  };

  std::int32_t take_fresh(Queue& queue, Actor writer);
  std::int32_t take_turn(Queue& queue, Actor writer);

  static constexpr std::int32_t graph_buffer = 1 << 10;  // an id that no other buffer gets

  Timing timing_;
  TimeRules rules_;
  std::vector<Buffer> buffers_;
  std::int32_t current_ = -1;   ///< index of the buffer acquired last; -1 = the graph's
  std::int32_t held_ = -1;      ///< the fresh one that holds the latest tables
  std::int32_t replaced_ = -1;  ///< the one that held them before, until the forward pass is enqueued
  std::int64_t turns_ = 0;
};

}  // namespace pagestorm::sim::time
