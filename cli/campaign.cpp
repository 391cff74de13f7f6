#include "campaign.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <nlohmann/json.hpp>
#include <thread>

#include "at_once.hpp"
#include "board.hpp"
#include "child.hpp"
#include "clock.hpp"
#include "error.hpp"
#include "interrupts.hpp"
#include "pagestorm/outside_builder.hpp"
#include "progress.hpp"
#include "save.hpp"
#include "sim/report.hpp"
#include "sim/text.hpp"
#include "worker.hpp"

namespace pagestorm::cli {
namespace {

constexpr auto poll = std::chrono::milliseconds(20);

class Supervisor {
 public:
  explicit Supervisor(const Campaign& campaign)
      : campaign_(campaign), board_(static_cast<std::size_t>(campaign.jobs)), progress_(campaign) {}

  Result run() {
    for (std::int64_t i = 0; i < campaign_.jobs; ++i) start(i, i);
    while (!workers_.empty()) {
      std::this_thread::sleep_for(poll);
      watch();
    }
    progress_.end();
    result_.interrupted = interrupts_.any();
    result_.seconds = seconds_since(started_);
    return std::move(result_);
  }

 private:
  struct Seat {
    Child child;
    std::int64_t desk = 0;
    std::int64_t beats = 0;
    std::uint64_t last_beat = nanoseconds_now();
    bool hung = false;
    bool reported = false;
  };

  void start(std::int64_t desk, std::int64_t first) {
    workers_.push_back({.child = Child([&, desk, first](const Child::Say& say) {
                          const Result result = work(campaign_, {first, campaign_.jobs}, board_,
                                                     board_.desk(static_cast<std::size_t>(desk)),
                                                     {[&](const std::string& lines) {
                                                        say(nlohmann::json{{"at_once", lines}}.dump());
                                                      },
                                                      [&](const Failure& f) {
                                                        say(nlohmann::json{{"failure", f}}.dump());
                                                      }});
                          say(nlohmann::json{{"result", result}}.dump());
                        }),
                        .desk = desk});
  }

  void watch() {
    const double elapsed = seconds_since(started_);
    const bool out_of_time = campaign_.seconds > 0 && elapsed >= campaign_.seconds;
    if (out_of_time || interrupts_.any()) board_.stop();
    if (!result_.failures.empty() && !campaign_.keep_going && campaign_.jobs > 1) board_.stop();
    for (auto seat = workers_.begin(); seat != workers_.end();) {
      const auto next = std::next(seat);
      if (settle(*seat)) {
        if (!seat->reported) lost(*seat);
        workers_.erase(seat);
      }
      seat = next;
    }
    progress_.show(board_, elapsed, static_cast<std::int64_t>(result_.failures.size()));
  }

  /// True once the worker has ended and everything that it said was heard.
  bool settle(Seat& seat) {
    const bool ended = seat.child.ended();
    for (const std::string& line : seat.child.read()) hear(seat, line);
    if (ended) return true;
    const std::int64_t beats = board_.desk(static_cast<std::size_t>(seat.desk)).beats;
    if (beats != seat.beats) {
      seat.beats = beats;
      seat.last_beat = nanoseconds_now();
    } else if (beats > 0 && seconds_since(seat.last_beat) > hang_s_) {
      seat.hung = true;
      seat.child.kill();
    }
    return false;
  }

  void hear(Seat& seat, const std::string& line) {
    const nlohmann::json json = nlohmann::json::parse(line);
    Result heard;
    if (json.contains("at_once")) progress_.say(json["at_once"].get<std::string>());
    if (json.contains("failure")) heard.failures.push_back(json["failure"].get<Failure>());
    if (json.contains("result")) {
      heard = json["result"].get<Result>();
      seat.reported = true;
    }
    result_.merge(heard);
  }

  // The board says what a worker was doing when it was lost: its scenario is drawn again and saved.
  void lost(const Seat& seat) {
    Desk& desk = board_.desk(static_cast<std::size_t>(seat.desk));
    const std::int64_t index = desk.case_index;
    const std::vector<std::string> names = playing_builders();
    if (result_.builders.empty()) result_.builders = names;
    result_.cases += desk.cases.exchange(0);
    if (index < 0) {
      result_.error = fmt::format("a worker ended before it played anything, with {}", strsignal(seat.child.signal()));
      return;
    }
    const auto which = static_cast<std::size_t>(std::max<std::int64_t>(0, desk.builder));
    Failure failure{.law = std::string(seat.hung ? sim::ends_in_time : sim::does_not_crash),
                    .builder = which < names.size() ? names[which] : "",
                    .fault = campaign_.fault == Fault::none ? "" : std::string(fault_name(campaign_.fault)),
                    .case_index = index,
                    .found_after_s = seconds_since(started_)};
    const sim::Finding finding{.law = failure.law,
                               .builder = failure.builder,
                               .fault = failure.fault,
                               .note = fmt::format("seed {:#x}, case {}", campaign_.seed, index),
                               .scenario = scenario_of(campaign_, index)};
    failure.steps_before = failure.steps_after = static_cast<std::int64_t>(finding.scenario.steps.size());
    const std::string why = fmt::format("the worker that played this scenario {}",
                                        seat.hung ? fmt::format("got nowhere for {:.0f} s", hang_s_)
                                                  : fmt::format("ended with {}", strsignal(seat.child.signal())));
    failure.explanation = fmt::format("  {}\n\n  why       {}\n", sim::describe(finding.scenario.config), why);
    keep(failure, finding, campaign_.out, campaign_.outside.typed);
    progress_.say(at_once_lines(failure, fmt::format("case {}", sim::grouped(index)), why,
                                failure.file.empty() ? "not saved: " + failure.save_error : failure.replay));
    result_.failures.push_back(failure);
    desk.case_index = -1;
    desk.beats = 0;
    if (campaign_.keep_going && !board_.stopped()) start(seat.desk, index + campaign_.jobs);
  }

  // Present builders in the order in which workers play them. Asked only after a worker was lost, in a process of its
  // own: this one must never touch a device.
  std::vector<std::string> playing_builders() {
    std::vector<std::string> names = campaign_.builders;
    std::stable_partition(names.begin(), names.end(), [](const std::string& name) { return !is_outside(name); });
    if (!names.empty()) return names;
    Child child([](const Child::Say& say) {
      for (const BuilderEntry& entry : builders())
        if (entry.absent_because.empty()) say(entry.name);
    });
    return child.rest(hang_s_);
  }

  // Without a beat for so long, a worker is taken for hung. A minute, unless outside builders may take longer.
  static double hang_s(const OutsideLimits& limits) { return std::max({60.0, 12 * limits.wall_s, 2 * limits.hello_s}); }

  const Campaign& campaign_;
  const double hang_s_ = hang_s(campaign_.outside.limits);
  const Interrupts interrupts_;
  Board board_;
  Progress progress_;
  std::list<Seat> workers_;
  Result result_;
  std::uint64_t started_ = nanoseconds_now();
};

// Without a supervisor: nothing but the time budget stops it, and a crash ends the program.
Result run_in_process(const Campaign& campaign) {
  const std::uint64_t started = nanoseconds_now();
  Board board(1);
  Result result;
  std::jthread timer([&](const std::stop_token& done) {
    while (!done.stop_requested() && !(campaign.seconds > 0 && seconds_since(started) >= campaign.seconds))
      std::this_thread::sleep_for(poll);
    board.stop();
  });
  Progress progress(campaign);
  std::vector<Failure> failures;
  Result played = work(campaign, {0, 1}, board, board.desk(0),
                       {[&](const std::string& lines) { progress.say(lines); },
                        [&](const Failure& failure) { failures.push_back(failure); }});
  timer.request_stop();
  played.failures = std::move(failures);
  result.merge(played);
  result.seconds = seconds_since(started);
  return result;
}

}  // namespace

Result run_campaign(const Campaign& campaign) {
  require_writable(campaign.out);
  for (const std::string& report : {campaign.json, campaign.junit})
    if (!report.empty()) write_file(report, "");
  return campaign.in_process ? run_in_process(campaign) : Supervisor(campaign).run();
}

}  // namespace pagestorm::cli
