#include "trace_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <list>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "child.hpp"
#include "clock.hpp"
#include "error.hpp"
#include "options.hpp"
#include "sim/report.hpp"
#include "trace_engine.hpp"
#include "trace_json.hpp"

namespace pagestorm::cli {
namespace {

constexpr auto pause = std::chrono::milliseconds(20);

class TraceSupervisor {
 public:
  TraceSupervisor(const TraceTask& task, const sim::DrivePlan& plan)
      : total_(static_cast<std::int64_t>(plan.requests.size())), terminal_(isatty(STDERR_FILENO) == 1) {
    result_.engine_pages_peaks.resize(task.jobs);
    for (std::size_t i = 0; i < task.jobs; ++i)
      engines_.emplace_back(i, Child([&task, &plan, i](const Child::Say& say) { drive_engine(task, plan, i, say); }));
  }

  TraceResult run() {
    while (!engines_.empty()) {
      std::this_thread::sleep_for(pause);
      for (auto engine = engines_.begin(); engine != engines_.end();) engine = watch(engine);
      show();
    }
    if (terminal_ && shown_) fmt::print(stderr, "\r\033[K");
    result_.verdict.seconds = seconds_since(started_);
    return std::move(result_);
  }

 private:
  struct Seat {
    Seat(std::size_t i, Child c) : index(i), child(std::move(c)) {}
    std::size_t index;
    Child child;
    EngineProgress progress;
    bool reported = false;
  };

  std::list<Seat>::iterator watch(std::list<Seat>::iterator seat) {
    const bool ended = seat->child.ended();
    for (const std::string& line : seat->child.read()) hear(*seat, line);
    const bool given_up = (violated_ && *violated_ != seat->index) || !result_.verdict.error.empty();
    if (given_up) seat->child.kill();
    if (!ended) return std::next(seat);
    if (!seat->reported && !given_up)
      result_.verdict.error = fmt::format("engine {} ended without a result: {}; try --builder host-audited",
                                          seat->index + 1, strsignal(seat->child.signal()));
    add(done_, seat->progress);
    return engines_.erase(seat);
  }

  void hear(Seat& seat, const std::string& line) {
    const nlohmann::json json = nlohmann::json::parse(line);
    if (json.contains("progress")) seat.progress = json["progress"].get<EngineProgress>();
    // The first violation decides; the other engines stop.
    if (json.contains("violated") && !violated_) violated_ = seat.index;
    if (json.contains("at_once") && violated_ == seat.index) say(json["at_once"].get<std::string>());
    if (!json.contains("result") || (violated_ && *violated_ != seat.index)) return;
    seat.reported = true;
    result_.verdict.merge(json["result"].get<Result>());
    const auto tally = json["tally"].get<sim::DriveTally>();
    result_.tally += tally;
    result_.engine_pages_peaks[seat.index] = tally.pages_peak;
    if (violated_) result_.failing_step = tally.steps;
  }

  static void add(EngineProgress& to, const EngineProgress& more) {
    to.requests += more.requests;
    to.forwards += more.forwards;
    to.rows += more.rows;
  }

  void say(const std::string& lines) {
    fmt::print(stderr, "{}{}\n", terminal_ && shown_ ? "\r\033[K" : "", lines);
    std::fflush(stderr);
    shown_ = false;
  }

  void show() {
    const double elapsed = seconds_since(started_);
    if (elapsed < next_s_) return;
    next_s_ = elapsed + (terminal_ ? 0.25 : 10);
    EngineProgress sum = done_;
    for (const Seat& seat : engines_) add(sum, seat.progress);
    const auto rate = [elapsed](std::int64_t n) {
      return sim::grouped(static_cast<std::int64_t>(static_cast<double>(n) / elapsed));
    };
    fmt::print(stderr, "{}{} · {} of {} requests · {} steps a second · {} rows a second{}{}",
               terminal_ ? "\r\033[K" : "", show_seconds(elapsed), sim::grouped(sum.requests), sim::grouped(total_),
               rate(sum.forwards), rate(sum.rows), violated_ ? " · violated, shrinking" : "", terminal_ ? "" : "\n");
    std::fflush(stderr);
    shown_ = true;
  }

  std::int64_t total_;
  bool terminal_;
  std::list<Seat> engines_;
  std::optional<std::size_t> violated_;  ///< the engine that met a violation first
  EngineProgress done_;
  TraceResult result_;
  double next_s_ = terminal_ ? 0.2 : 10;
  bool shown_ = false;
  std::uint64_t started_ = nanoseconds_now();
};

}  // namespace

std::string timeline_file(const TraceTask& task, std::size_t engine) {
  if (task.jobs == 1) return task.timeline;
  const std::filesystem::path path(task.timeline);
  const std::string name = fmt::format("{}-{}{}", path.stem().string(), engine + 1, path.extension().string());
  return (path.parent_path() / name).string();
}

TraceResult run_trace(const TraceTask& task, const sim::DrivePlan& plan) { return TraceSupervisor(task, plan).run(); }

}  // namespace pagestorm::cli
