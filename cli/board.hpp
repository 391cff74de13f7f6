#pragma once
// Memory that a campaign shares with its workers: what each is doing is known even after it has crashed.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace pagestorm::cli {

/// One worker's line on the board.
struct Desk {
  std::atomic<std::int64_t> case_index{-1};  ///< scenario being played
  std::atomic<std::int64_t> builder{-1};     ///< index of its builder
  std::atomic<std::int64_t> beats{0};        ///< grows while the worker gets anywhere
  std::atomic<std::int64_t> cases{0};        ///< scenarios played
  std::atomic<std::int64_t> steps{0};        ///< steps played
  std::atomic<std::int64_t> failures{0};
};

/// Desks in memory that survives fork(), and the sign to stop.
class Board {
 public:
  explicit Board(std::size_t desks);
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  Desk& desk(std::size_t i) { return desks_[i]; }
  std::size_t size() const { return size_; }
  void stop() { stop_->store(true); }
  bool stopped() const { return stop_->load(std::memory_order_relaxed); }

 private:
  std::size_t size_;
  std::size_t bytes_;
  std::atomic<bool>* stop_;
  Desk* desks_;
};

}  // namespace pagestorm::cli
