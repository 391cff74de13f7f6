#include "tables.hpp"

#include <algorithm>
#include <utility>

namespace pagestorm::sim::time {

void TableBuffers::start(const Timing& timing, const TimeRules& rules) {
  timing_ = timing;
  rules_ = rules;
  buffers_.clear();
  current_ = held_ = replaced_ = -1;
  turns_ = 0;
}

std::int32_t TableBuffers::acquire(Queue& queue, Actor writer, bool in_graph) {
  const bool by_turns = timing_.tables == Tables::reused || timing_.tables == Tables::ring;
  current_ = in_graph ? -1 : by_turns ? take_turn(queue, writer) : take_fresh(queue, writer);
  return in_graph ? graph_buffer : current_;
}

std::int32_t TableBuffers::take_turn(Queue& queue, Actor writer) {
  buffers_.resize(static_cast<std::size_t>(timing_.slots));
  const std::int64_t slot = turns_++ % timing_.slots;
  const bool waits = timing_.tables == Tables::ring && rules_.awaits_readers_of_slot();
  if (waits) queue.wait(writer, buffers_[static_cast<std::size_t>(slot)].read);
  return static_cast<std::int32_t>(slot);
}

// The allocator gives a block of the same stream again as soon as it was dropped: the stream's order protects it. What
// other streams read of it is awaited where their use was recorded. A table is dropped when the next one is in its place.
std::int32_t TableBuffers::take_fresh(Queue& queue, Actor writer) {
  const auto usable = [&](const Buffer& buffer) {
    if (!buffer.dropped || buffer.allocated_on != writer) return false;
    return buffer.read.actor == writer || !rules_.records_streams_of_tables() || queue.done(buffer.read);
  };
  auto found = std::find_if(buffers_.begin(), buffers_.end(), usable);
  if (found == buffers_.end()) found = buffers_.insert(buffers_.end(), Buffer{.allocated_on = writer});
  found->dropped = false;
  replaced_ = std::exchange(held_, static_cast<std::int32_t>(found - buffers_.begin()));
  return held_;
}

void TableBuffers::release(Queue& queue, Actor reader) {
  if (current_ >= 0) queue.record(buffers_[static_cast<std::size_t>(current_)].read, reader, "table read");
  if (replaced_ >= 0) buffers_[static_cast<std::size_t>(std::exchange(replaced_, -1))].dropped = true;
}

}  // namespace pagestorm::sim::time
