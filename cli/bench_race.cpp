#include "bench_race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <list>
#include <nlohmann/json.hpp>

#include "child.hpp"
#include "clock.hpp"
#include "error.hpp"

namespace pagestorm::cli {
namespace {

constexpr double patience = 300;  // seconds that a process may take beyond the time to measure

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// In a process of its own: one lap to warm up, then laps until the time is over.
void run_laps(const Work& work, double seconds, std::uint64_t process, const Child::Say& say) {
  const std::function<std::int64_t()> lap = work.start(process);
  lap();
  const std::uint64_t start = nanoseconds_now();
  const double cpu_start = cpu_seconds();
  std::int64_t units = 0;
  do units += lap();
  while (seconds_since(start) < seconds);
  const nlohmann::json json{{"units", units}, {"seconds", seconds_since(start)}, {"cpu", cpu_seconds() - cpu_start}};
  say(json.dump());
}

Rate rate_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.front(), values.back()};
}

}  // namespace

Pace run_race(const Work& work, const Race& race) {
  std::vector<double> a_second, cpu;
  std::uint64_t process = 0;
  for (int repeat = 0; repeat < race.repeats; ++repeat) {
    std::list<Child> children;
    for (int job = 0; job < race.jobs; ++job)
      children.emplace_back(
          [&work, &race, number = process++](const Child::Say& say) { run_laps(work, race.seconds, number, say); });
    double speed = 0, units = 0, cpu_time = 0;
    for (Child& child : children) {
      const std::vector<std::string> lines = child.rest(race.seconds + patience);
      if (lines.empty())
        throw EnvironmentError(fmt::format("{}: a process ended without a result: {}", work.name,
                                           child.signal() == 0 ? "it exited" : strsignal(child.signal())));
      const nlohmann::json json = nlohmann::json::parse(lines.front());
      speed += json["units"].get<double>() / json["seconds"].get<double>();
      units += json["units"].get<double>();
      cpu_time += json["cpu"].get<double>();
    }
    a_second.push_back(speed);
    cpu.push_back(cpu_time / units * 1e9);
  }
  return {work.name, race.jobs, rate_of(a_second), rate_of(cpu)};
}

void to_json(nlohmann::json& json, const Pace& pace) {
  const auto rate = [](const Rate& r) {
    return nlohmann::json{{"median", r.median}, {"least", r.least}, {"most", r.most}};
  };
  json = {{"name", pace.name},
          {"processes", pace.jobs},
          {"a_second", rate(pace.a_second)},
          {"cpu_ns", rate(pace.cpu_nanoseconds)}};
}

}  // namespace pagestorm::cli
