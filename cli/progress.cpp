#include "progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "sim/report.hpp"

namespace pagestorm::cli {

void Progress::show(Board& board, double elapsed_s, std::int64_t failures) {
  if (elapsed_s < next_s_) return;
  next_s_ = elapsed_s + (terminal_ ? 0.25 : 10);
  std::int64_t cases = 0;
  std::int64_t steps = 0;
  for (std::size_t i = 0; i < board.size(); ++i) {
    cases += board.desk(i).cases;
    steps += board.desk(i).steps;
  }
  const auto rate = static_cast<std::int64_t>(static_cast<double>(cases) / elapsed_s);
  const std::string of = campaign_.seconds > 0 ? fmt::format(" of {}", show_seconds(campaign_.seconds)) : "";
  const std::string line =
      fmt::format("{}{} · {} cases · {} a second · {} steps · {} failures", show_seconds(elapsed_s), of,
                  sim::grouped(cases), sim::grouped(rate), sim::grouped(steps), failures);
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", line, terminal_ ? "" : "\n");
  std::fflush(stderr);
  shown_ = true;
}

void Progress::say(const std::string& lines) {
  end();
  fmt::print(stderr, "{}\n", lines);
  std::fflush(stderr);
  shown_ = false;
}

void Progress::end() const {
  if (terminal_ && shown_) fmt::print(stderr, "\r\033[K");
}

}  // namespace pagestorm::cli
