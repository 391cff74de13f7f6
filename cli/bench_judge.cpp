#include "bench_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "child.hpp"
#include "device_stand.hpp"
#include "sim/bench_cases.hpp"
#include "sim/report.hpp"

namespace pagestorm::cli {
namespace {

constexpr const char* builder = "cuda-packed";
constexpr std::uint64_t seeds_apart = std::uint64_t{1} << 32;  // between the first seeds of two processes

std::vector<std::string> names_of_image_laws() {
  std::vector<std::string> names;
  for (const ImageLaw law : image_laws) names.emplace_back(name_of(law));
  return names;
}

/// Plays as many scenarios at a time as a pack has seats.
class DeviceSteps {
 public:
  DeviceSteps(std::size_t seats, bool swa, std::uint64_t seed)
      : seats_(seats), swa_(swa), seed_(seed), device_(stands_.all().front(), Fault::none, {.seats = seats}) {}

  std::int64_t lap() {
    const std::int64_t before = device_.pack().steps();
    std::size_t left = seats_;
    device_.pack().play(
        [&]() -> std::optional<sim::PackCase> {
          if (left == 0) return std::nullopt;
          --left;
          sim::PackCase one{0, sim::bench_rows({.swa = swa_}, seed_++)};
          constexpr std::int64_t steps = 1000;
          for (std::int64_t i = 0; i < steps; ++i) one.scenario.steps.push_back(sim::bench_step(i));
          return one;
        },
        [](const sim::PackCase&, const sim::Violation& violation) -> bool {
          throw std::logic_error(violation.law + " is violated: what is timed must be right; see pagestorm check");
        });
    return device_.pack().steps() - before;
  }

 private:
  std::size_t seats_;
  bool swa_;
  std::uint64_t seed_;
  Stands stands_{{builder}, names_of_image_laws(), Fault::none, nullptr};
  DeviceStand device_;
};

/// Many passes that are carried in once.
class DeviceRows {
 public:
  DeviceRows(const sim::BenchRows& shape, std::int64_t passes, std::uint64_t seed)
      : judge_(device_judge(builder, Fault::none)) {
    for (std::int64_t i = 0; i < passes; ++i) {
      const sim::Scenario scenario = sim::bench_rows(shape, seed++);
      scene_.start(scenario.config);
      for (const sim::Step& step : scenario.steps) scene_.apply(step);
      if (scene_.apply(sim::bench_step(0)) != sim::Outcome::batch) throw std::logic_error("a bench step is no pass");
      judge_->seat(static_cast<std::size_t>(i), scene_.seating());
      judge_->add(scene_.pass(static_cast<std::size_t>(i)));
      rows_ += shape.rows;
    }
    judge_->start();
    require_held();
  }

  std::int64_t lap() {
    constexpr int rounds = 100;
    judge_->again(rounds);
    require_held();
    return rows_ * rounds;
  }

 private:
  void require_held() {
    for (const Verdict& verdict : judge_->take())
      if (verdict.laws != 0) throw std::logic_error("a law is violated: what is timed must be right");
  }

  std::unique_ptr<DeviceJudge> judge_;
  sim::Scene scene_;
  std::int64_t rows_ = 0;
};

Work rows_on_device(const sim::BenchRows& shape, std::int64_t passes) {
  return {fmt::format("{} x {} rows of 64 in {}{}", sim::grouped(passes), shape.rows, sim::grouped(shape.width),
                      shape.swa ? ", SWA" : ""),
          [shape, passes](std::uint64_t process) {
            return
                [bench = std::make_shared<DeviceRows>(shape, passes, process * seeds_apart)] { return bench->lap(); };
          }};
}

}  // namespace

std::string device_benches_absent_because() {
  constexpr double patience = 60;
  Child child([](const Child::Say& say) { say(device_judge_absent_because()); });
  const std::vector<std::string> said = child.rest(patience);
  return said.empty() ? "the process that looked for a device ended without a word" : said.front();
}

std::vector<Work> device_steps() {
  std::vector<Work> all;
  for (const bool swa : {false, true})
    for (const std::size_t seats : {1u, 16u, 256u, 1024u})
      all.push_back({fmt::format("step of 8 rows{}, packs of {}", swa ? ", SWA" : "",
                                 sim::grouped(static_cast<std::int64_t>(seats))),
                     [swa, seats](std::uint64_t process) {
                       return [bench = std::make_shared<DeviceSteps>(seats, swa, process * seeds_apart)] {
                         return bench->lap();
                       };
                     }});
  return all;
}

std::vector<Work> device_rows() {
  constexpr std::int64_t pages = 64;
  std::vector<Work> all;
  for (const bool swa : {false, true})
    for (const std::int64_t width : {pages, std::int64_t{1} << 12})
      for (const auto& [rows, passes] : {std::pair{8, 512}, {8, 4096}, {256, 128}})
        all.push_back(
            rows_on_device({.rows = rows, .pages = pages, .uniform = false, .width = width, .swa = swa}, passes));
  return all;
}

}  // namespace pagestorm::cli
