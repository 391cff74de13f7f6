#include "grade_pool.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "child.hpp"
#include "error.hpp"
#include "mutant_hunt.hpp"

namespace pagestorm::cli {
namespace {

constexpr auto poll = std::chrono::milliseconds(2);

}  // namespace

struct HuntPool::Seat {
  Child child;
  std::size_t task = 0;
  std::size_t desk = 0;
  std::int64_t beats = 0;
  double last_beat = 0;  ///< as counted()
  bool hung = false;
  bool done = false;
  Hunted hunted;
};

HuntPool::HuntPool(std::int64_t jobs, double seconds, double hang_s, Count count)
    : board_(static_cast<std::size_t>(jobs)), seconds_(seconds), hang_s_(hang_s), count_(count) {
  for (std::size_t desk = board_.size(); desk > 0; --desk) free_desks_.push_back(desk - 1);
}

HuntPool::~HuntPool() = default;

void HuntPool::run(const std::vector<HuntTask>& tasks, const OnEnd& on_end) {
  std::size_t next = 0;
  for (;;) {
    watch_time();
    while (next < tasks.size() && !free_desks_.empty() && !board_.stopped()) {
      start(tasks, next++, free_desks_.back());
      free_desks_.pop_back();
    }
    if (seats_.empty()) return;
    std::this_thread::sleep_for(poll);
    for (auto seat = seats_.begin(); seat != seats_.end();) {
      const auto after = std::next(seat);
      if (settle(*seat)) {
        on_end(seat->task, std::move(seat->hunted));
        free_desks_.push_back(seat->desk);
        seats_.erase(seat);
      }
      seat = after;
    }
  }
}

void HuntPool::watch_time() {
  if (interrupted() || (seconds_ > 0 && elapsed() >= seconds_)) board_.stop();
}

void HuntPool::start(const std::vector<HuntTask>& tasks, std::size_t task, std::size_t desk) {
  board_.desk(desk).beats = 0;
  Child child([&, task, desk](const Child::Say& say) {
    try {
      const auto tell = [&](const Hunt& one) { say(nlohmann::json{{"hunt", one}}.dump()); };
      (tasks[task].mutant > 0 ? hunt_mutant : hunt)(tasks[task], board_, board_.desk(desk), tell);
      say(nlohmann::json{{"done", true}}.dump());
    } catch (const std::exception& error) {
      say(nlohmann::json{{"error", error.what()}}.dump());
    }
  });
  seats_.push_back({.child = std::move(child), .task = task, .desk = desk});
}

double HuntPool::counted(const Seat& seat) const {
  return count_ == Count::work ? seat.child.cpu_seconds() : elapsed();
}

// True once the process has ended and everything that it said was heard.
bool HuntPool::settle(Seat& seat) {
  const bool ended = seat.child.ended();
  for (const std::string& line : seat.child.read()) hear(seat, line);
  const std::int64_t beats = board_.desk(seat.desk).beats;
  if (beats != seat.beats) {
    seat.beats = beats;
    seat.last_beat = counted(seat);
  } else if (!ended && beats > 0 && counted(seat) - seat.last_beat > hang_s_) {
    seat.hung = true;
    seat.child.kill();
  }
  if (ended && !seat.done)
    seat.hunted.lost = seat.hung ? fmt::format("got nowhere for {:.0f} s", hang_s_)
                                 : fmt::format("ended with {}", strsignal(seat.child.signal()));
  return ended;
}

void HuntPool::hear(Seat& seat, const std::string& line) {
  const nlohmann::json json = nlohmann::json::parse(line);
  if (json.contains("hunt")) seat.hunted.hunts.push_back(json["hunt"].get<Hunt>());
  if (json.contains("done")) seat.done = true;
  if (json.contains("error")) throw EnvironmentError(json["error"].get<std::string>());
}

}  // namespace pagestorm::cli
