#pragma once
// The iterations of an overlapped engine as queued work: who reads and writes what on which stream, and what waits for
// what. One step of the world at a time.

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "../timing.hpp"
#include "queue.hpp"
#include "rules.hpp"
#include "step_work.hpp"
#include "tables.hpp"

namespace pagestorm::sim::time {

/// Enqueues steps and keeps what they left to wait for.
class Plan {
 public:
  /// Starts anew. `fault` bends what is waited for when it is one of time's.
  void start(const Timing& timing, Fault fault);

  /// Enqueues what a step did and, if it has one, its forward pass.
  void play(const StepWork& work);

  /// Forward passes launched so far.
  std::int64_t forwards() const { return forwards_; }

  const Queue& queue() const { return queue_; }

  /// What the last step met.
  std::span<const Hazard> hazards() const { return queue_.hazards(); }

 private:
  // what the scheduler does: plan_schedule.cpp
  void schedule(const StepWork& work);
  void fence(const StepWork& work);
  void write_rows(const StepWork& work, bool issued);
  void load(const StepWork& work);
  void seed(const StepWork& work);
  void free_window(const StepWork& work);

  // what a forward pass does: plan_forward.cpp
  std::int32_t turn(std::int64_t ago = 0) const;
  void launch(const StepWork& work);
  void stage();
  void bound(const StepWork& work);
  void gather(const StepWork& work);
  void build(const StepWork& work, std::int32_t table);
  void compute(const StepWork& work, std::int32_t table);
  void publish(const StepWork& work);
  void copy_out(const StepWork& work);
  void take_results();
  void pass_point(int point);
  void read_shared(const StepWork& work);
  void read(Kind kind, std::span<const std::int32_t> ids);
  void write(Kind kind, std::span<const std::int32_t> ids);

  Timing timing_;
  TimeRules rules_;
  Queue queue_;
  TableBuffers tables_;
  std::int64_t forwards_ = 0;
  /// How often the committed length of a row was published, and how often of these it had come to the host.
  struct Relayed {
    std::int64_t published = 0;
    std::int64_t copied = 0;
  };
  Relayed& relayed(std::int32_t row);

  std::vector<Relayed> relayed_;    ///< by request row, since it was given out
  Actor builder_ = Actor::forward;  ///< the stream that builds the tables of the forward pass being launched
  bool fenced_ = true;              ///< the scheduler's stream has waited for the last forward pass
  Event read_done_, read_done_before_;
  Event done_;                ///< the last forward pass, all of it
  Event published_, loaded_;  ///< committed lengths; pages from elsewhere
  Event staged_, mirrored_;   ///< copies from and to pinned memory
  Event planned_, scheduled_;
  std::deque<Event> results_;  ///< of forward passes whose results the host has not taken, the oldest first
};

}  // namespace pagestorm::sim::time
