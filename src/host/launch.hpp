#pragma once
// Runs a body on the CPU: in the natural order, as lanes, or as lanes in a seeded order.

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "core/body.hpp"

namespace pagestorm::host {

/// Lengths and cumulative lengths, in row order.
template <class Body>
void scan(const Body& body) {
  if (!body.plan.sums) return;
  body.store_sum_zero();
  std::int64_t sum_q = 0;
  std::int64_t sum_k = 0;
  for (std::int64_t row = 0; row < body.in.rows; ++row) {
    const auto own = body.lengths(row);
    body.store_lengths(row, own, sum_q += own.queries, sum_k += own.keys);
  }
}

/// Every row by one lane, first to last.
template <class Body>
void launch(const Body& body) {
  scan(body);
  for (std::int64_t row = 0; row < body.in.rows; ++row) body.fill_row(row, {0, 1});
  if (body.translates()) body.translate({0, 1});
}

/// Every row by `lanes` lanes, last to first.
template <class Body>
void launch_backwards(const Body& body, std::int64_t lanes) {
  if (body.translates())
    for (std::int64_t lane = lanes; lane-- > 0;) body.translate({lane, lanes});
  for (std::int64_t row = body.in.rows; row-- > 0;)
    for (std::int64_t lane = lanes; lane-- > 0;) body.fill_row(row, {lane, lanes});
  scan(body);
}

/// What a generator draws, remembered: it takes longer to start than a small call to run.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : chance_(seed) {}

  std::uint64_t operator[](std::size_t i) {
    while (drawn_.size() <= i) drawn_.push_back(chance_());
    return drawn_[i];
  }

 private:
  std::mt19937_64 chance_;
  std::vector<std::uint64_t> drawn_;
};

/// All lanes of all rows in the order that the draws give.
template <class Body>
void launch_shuffled(const Body& body, Draws& draws) {
  std::size_t drawn = 0;
  const auto lanes = static_cast<std::int64_t>(1 + draws[drawn++] % 7);
  constexpr std::int64_t scan_task = -1;
  constexpr std::int64_t translate_task = -2;
  std::vector<std::pair<std::int64_t, std::int64_t>> tasks{{scan_task, 0}};
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    if (body.translates()) tasks.emplace_back(translate_task, lane);
    for (std::int64_t row = 0; row < body.in.rows; ++row) tasks.emplace_back(row, lane);
  }
  for (std::size_t left = tasks.size(); left > 1; --left) std::swap(tasks[left - 1], tasks[draws[drawn++] % left]);
  for (const auto& [task, lane] : tasks) {
    if (task == scan_task)
      scan(body);
    else if (task == translate_task)
      body.translate({lane, lanes});
    else
      body.fill_row(task, {lane, lanes});
  }
}

}  // namespace pagestorm::host
