#pragma once
// Pages that nobody has had yet, in an order that no reader would guess.

#include <cstdint>
#include <span>

namespace pagestorm::sim {

/// Page ids 1 to `pages`, scattered by the seed; half of the seeds start from the highest ids. They are computed when
/// they are wanted: a pool costs nothing for pages that were never handed out.
class FreshPages {
 public:
  /// All of `pages` are fresh.
  void reset(std::int64_t pages, std::uint64_t seed);

  /// None of `pages` is fresh.
  void exhaust(std::int64_t pages);

  std::int64_t pages() const { return pages_; }
  std::int64_t left() const { return pages_ - taken_; }

  /// Whether take() has yet to hand out `page`, an id from 1 to pages(). Constant time.
  bool contains(std::int64_t page) const;

  /// As many as `to` has room for. Asserts that there are so many.
  void take(std::span<std::int32_t> to);

 private:
  void take_together(std::span<std::int32_t> to);
  void scatter_next();

  std::int64_t pages_ = 0;
  std::int64_t taken_ = 0;
  bool high_first_ = false;
  std::int64_t base_ = 0;      ///< ids from here on are scattered together
  std::int64_t together_ = 0;  ///< how many
  std::int64_t cursor_ = 0;    ///< where among them
  std::int64_t stride_ = 1;    ///< coprime to their number, and below it
  std::int64_t inverse_ = 0;   ///< times stride_ is 1, modulo their number
  std::int64_t wanted_stride_ = 1;
};

}  // namespace pagestorm::sim
