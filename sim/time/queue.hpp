#pragma once
// A model of queued work: operations on the host and on streams, events between them, and whether what they touch is
// ordered. Nothing runs here; execute.hpp runs what was queued, in any order that is allowed.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "resource.hpp"
#include "shadow.hpp"
#include "vector_clock.hpp"

namespace pagestorm::sim::time {

/// What was done on an actor when the event was recorded. A fresh event is done.
struct Event {
  std::string_view name = {};
  VectorClock clock = {};
  Actor actor = Actor::host;    ///< where it was recorded
  std::int64_t operation = -1;  ///< the last operation there before it; -1 = none
  std::int64_t place = -1;      ///< when it was recorded; see Operation::place
};

/// One operation in the queue.
struct Operation {
  std::string_view name = {};  ///< outlives the queue
  Actor actor = Actor::host;
  std::uint32_t tick = 0;     ///< its number on its actor
  std::int64_t forward = 0;   ///< the forward pass that it is of; 0 = none
  std::int64_t place = 0;     ///< operations, events, waits and replays are counted as they are enqueued
  VectorClock clock = {};     ///< what is done by the time that it has run
  std::size_t first_set = 0;  ///< what it touches; see Queue::accesses()
  std::size_t sets = 0;
};

/// One actor starts to wait for an event.
struct Waited {
  std::int64_t before = 0;  ///< the number of the next operation in the queue
  Actor actor = Actor::host;
  Event event;
  std::int64_t place = 0;
};

/// A replay of a captured graph: what its stream was given between two places.
struct Replayed {
  Actor stream = Actor::host;
  std::int64_t first = 0;
  std::int64_t end = 0;
};

/// What is wrong with an operation.
enum class Wrong : std::uint8_t {
  unordered,  ///< it conflicts with an earlier one, and nothing orders them
  waits,      ///< the host waits for the device where it should do without
  absent,     ///< the host reads what nobody copies to it
  behind,     ///< the host reads a copy that is older than what the device has published
};

/// Something wrong. Of what is not unordered there is one operation, the later.
struct Hazard {
  Wrong wrong = Wrong::unordered;
  std::int64_t earlier = -1;  ///< operations, by number in the queue
  std::int64_t later = -1;
  Access before = {};  ///< the earlier operation's
  Access after = {};   ///< the later one's
};

/// What a captured graph does with an event that is recorded inside it.
enum class GraphEvents : std::uint8_t {
  inside,  ///< it is recorded there, at each replay
  before,  ///< it is recorded before the replay
  after,   ///< it is recorded after the replay
};

class Queue {
 public:
  /// Starts anew: nothing queued, nobody knows anything.
  void start();

  /// Enqueues an operation; what it touches follows with touch(). A stream runs its operations in this order, each after
  /// all that the host has done and waited for so far. Returns its number.
  std::int64_t run(Actor actor, std::string_view name, std::int64_t forward = 0);

  /// The operation enqueued last reads or writes a resource when it runs. An access whose span is empty is none.
  void touch(const Access& access);

  /// The same for the whole of many resources of one kind, which is not Kind::row.
  void touch(Kind kind, std::span<const std::int32_t> ids, bool writes, bool again = false);

  /// Something besides order is wrong with the operation enqueued last.
  void object(Wrong wrong);

  /// Notes what an actor has been given so far. Within a replay, graph events decide where it is noted.
  void record(Event& event, Actor actor, std::string_view name);

  /// The next operations of `actor` run after the event; the host waits at once. Not noted when the actor knew it.
  void wait(Actor actor, const Event& event);

  /// The host waits for all that a stream has been given.
  void sync(Actor stream);

  /// What is enqueued on `stream` up to end_replay() runs as one replay of a captured graph.
  void begin_replay(Actor stream, GraphEvents events);
  void end_replay();

  /// Whether all that the event stands for is done, as far as the host knows.
  bool done(const Event& event) const { return host().knows(event.actor, event.clock[event.actor]); }

  /// Hazards that touch() met since next_step(), of each pair of operations the first.
  std::span<const Hazard> hazards() const { return hazards_; }

  /// Forgets hazards, and operations of long ago.
  void next_step();

  /// Operations from number first() on; older ones were dropped.
  std::span<const Operation> operations() const { return operations_; }
  std::int64_t first() const { return first_; }
  std::int64_t end() const { return first_ + static_cast<std::int64_t>(operations_.size()); }
  const Operation& operation(std::int64_t number) const {
    return operations_[static_cast<std::size_t>(number - first_)];
  }
  std::vector<Access> accesses(const Operation& operation) const;
  std::span<const Waited> waits() const { return waits_; }
  std::span<const Replayed> replays() const { return replays_; }

 private:
  /// Accesses that differ in their id alone: those of ids_ from first_id on.
  struct AccessSet {
    Access access;
    std::size_t first_id = 0;
    std::size_t ids = 0;
  };
  struct Replay {
    Actor stream;
    GraphEvents events;
    Event before;
    std::int64_t place;
    std::vector<Event*> after;
  };

  VectorClock& clock(Actor actor) { return clocks_[static_cast<std::size_t>(actor)]; }
  const VectorClock& host() const { return clocks_[static_cast<std::size_t>(Actor::host)]; }
  Event mark(Actor actor, std::string_view name);
  Touch touch_of(const Access& access) const;
  void add_set(const Access& access, std::span<const std::int32_t> ids);
  void add_hazard(const Touch& before, const Access& access);
  void drop_old();

  std::array<VectorClock, actor_count> clocks_;
  std::array<std::int64_t, actor_count> last_;
  std::vector<Operation> operations_;
  std::vector<AccessSet> sets_;
  std::vector<std::int32_t> ids_;
  std::size_t ids_kept_ = 0;  ///< when old operations were dropped last
  std::int64_t first_ = 0;
  std::int64_t places_ = 0;
  std::vector<Waited> waits_;
  std::vector<Replayed> replays_;
  std::vector<Hazard> hazards_;
  std::vector<Met> met_;
  std::optional<Replay> replay_;
  Shadow shadow_;
};

}  // namespace pagestorm::sim::time
