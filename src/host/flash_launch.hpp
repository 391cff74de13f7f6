#pragma once
// Runs an operation of the FlashAttention family on the CPU: in the natural order, backwards, or as lanes in a drawn order.

#include <cstdint>
#include <utility>
#include <vector>

#include "core/flash_body.hpp"
#include "launch.hpp"

namespace pagestorm::host {

/// What a row has, as a body says it.
template <class Body>
using ShareOf = decltype(std::declval<const Body&>().share(0));

/// A member of a row, and what all rows before that have.
template <class Share>
struct FlashTask {
  std::int64_t row = 0;
  std::int64_t member = 0;
  Share before;
};
template <class Body>
using FlashTasks = std::vector<FlashTask<ShareOf<Body>>>;

/// Every expanded row of the batch, in order.
template <class Body>
FlashTasks<Body> flash_tasks(const Body& body) {
  FlashTasks<Body> tasks;
  ShareOf<Body> before;
  for (std::int64_t row = 0; row < body.in.rows; ++row) {
    const ShareOf<Body> own = body.share(row);
    // Of hostile lengths a row may have far more blocks than there is room for: one says so.
    for (std::int64_t m = 0; m < own.rows && before.rows + m <= body.room(); ++m) tasks.push_back({row, m, before});
    before.add(own);
  }
  return tasks;
}

/// Lengths and cumulative lengths, in order.
template <class Body>
void flash_scan(const Body& body, const FlashTasks<Body>& tasks) {
  body.store_sum_zero();
  std::int64_t sum_q = 0;
  std::int64_t sum_k = 0;
  for (const auto& task : tasks) {
    const auto own = body.row_of(task.row, task.member, task.before);
    body.store_row(task.before.rows + task.member, own, sum_q += own.queries, sum_k += own.keys);
  }
  for (std::int64_t row = 0; row < body.in.rows; ++row) body.store_whole(row);
  body.store_rest(static_cast<std::int64_t>(tasks.size()), sum_q, sum_k, {});
}

template <class Body>
void flash_launch(const Body& body) {
  const auto tasks = flash_tasks(body);
  flash_scan(body, tasks);
  for (const auto& task : tasks) body.fill(task.row, task.member, task.before, {});
}

/// Every expanded row by `lanes` lanes, last to first.
template <class Body>
void flash_launch_backwards(const Body& body, std::int64_t lanes) {
  const auto tasks = flash_tasks(body);
  for (auto task = tasks.rbegin(); task != tasks.rend(); ++task)
    for (std::int64_t lane = lanes; lane-- > 0;) body.fill(task->row, task->member, task->before, {lane, lanes});
  flash_scan(body, tasks);
}

/// All lanes of all expanded rows in the order that the draws give.
template <class Body>
void flash_launch_shuffled(const Body& body, Draws& draws) {
  std::size_t drawn = 0;
  const auto lanes = static_cast<std::int64_t>(1 + draws[drawn++] % 7);
  const auto tasks = flash_tasks(body);
  const std::size_t scan = tasks.size();
  std::vector<std::pair<std::size_t, std::int64_t>> order{{scan, 0}};
  for (std::size_t task = 0; task < tasks.size(); ++task)
    for (std::int64_t lane = 0; lane < lanes; ++lane) order.emplace_back(task, lane);
  for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[draws[drawn++] % left]);
  for (const auto& [task, lane] : order) {
    if (task == scan)
      flash_scan(body, tasks);
    else
      body.fill(tasks[task].row, tasks[task].member, tasks[task].before, {lane, lanes});
  }
}

}  // namespace pagestorm::host
