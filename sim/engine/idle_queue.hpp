#pragma once
// Which of many nodes has been idle longest, when nodes are used, and stop and start being idle, all the time.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace pagestorm::sim {

/// A heap of nodes by last use. It is told when a node becomes idle, and finds out the rest when it is asked: an entry may
/// be older than the node's last use, never younger. Last uses are 1 or more.
class IdleQueue {
 public:
  void clear() {
    heap_.clear();
    entered_.clear();
  }

  /// Node `id` is idle and was used last at `last_use`.
  void enter(std::int32_t id, std::uint64_t last_use) {
    const auto at = static_cast<std::size_t>(id);
    if (at >= entered_.size()) entered_.resize(at + 1, 0);
    if (entered_[at] != 0 && entered_[at] <= last_use) return;
    entered_[at] = last_use;
    heap_.emplace_back(last_use, id);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  /// The idle node that was used least recently. `last_use(id)` is 0 for a node that is not idle.
  template <class LastUse>
  std::optional<std::int32_t> oldest(LastUse last_use) {
    while (!heap_.empty()) {
      const auto [age, id] = heap_.front();
      std::uint64_t& entered = entered_[static_cast<std::size_t>(id)];
      const std::uint64_t now = last_use(id);
      if (entered == age && now == age) return id;
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      heap_.pop_back();
      if (entered != age) continue;  // another entry speaks for the node
      entered = 0;
      if (now != 0) enter(id, now);
    }
    return std::nullopt;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::int32_t>> heap_;
  std::vector<std::uint64_t> entered_;  ///< by node: the last use in its entry; 0 = it has none
};

}  // namespace pagestorm::sim
