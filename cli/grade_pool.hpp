#pragma once
// Hunts in processes of their own: a builder that crashes or hangs takes its own hunt with it and no other.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <vector>

#include "board.hpp"
#include "clock.hpp"
#include "grade_hunt.hpp"
#include "interrupts.hpp"

namespace pagestorm::cli {

/// What came of one task.
struct Hunted {
  std::vector<Hunt> hunts;  ///< by seed; fewer than asked for where the task was cut short
  std::string lost;         ///< why its process ended before its time; empty = it did not
};

/// Runs tasks until they are done, the time is over, or somebody asks it to stop (Interrupts).
class HuntPool {
 public:
  /// What is counted between two beats of a process: time, or what it computes, which a busy machine does not stretch.
  enum class Count : std::uint8_t { clock, work };

  /// `seconds` 0 = no limit. Without a beat for `hang_s`, a process is taken for hung.
  HuntPool(std::int64_t jobs, double seconds, double hang_s = 60, Count count = Count::clock);
  ~HuntPool();
  HuntPool(const HuntPool&) = delete;
  HuntPool& operator=(const HuntPool&) = delete;

  /// Told of each task that was begun, by its number, as soon as it has ended.
  using OnEnd = std::function<void(std::size_t task, Hunted hunted)>;

  /// Throws EnvironmentError when hunting is not possible at all.
  void run(const std::vector<HuntTask>& tasks, const OnEnd& on_end);

  bool stopped() const { return board_.stopped(); }
  bool interrupted() const { return interrupts_.any(); }
  double elapsed() const { return seconds_since(started_); }

 private:
  struct Seat;
  void start(const std::vector<HuntTask>& tasks, std::size_t task, std::size_t desk);
  bool settle(Seat& seat);
  double counted(const Seat& seat) const;
  void hear(Seat& seat, const std::string& line);
  void watch_time();

  const Interrupts interrupts_;
  Board board_;
  double seconds_;
  double hang_s_;
  Count count_;
  std::uint64_t started_ = nanoseconds_now();
  std::list<Seat> seats_;
  std::vector<std::size_t> free_desks_;
};

}  // namespace pagestorm::cli
