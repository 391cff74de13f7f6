#pragma once
// A page allocator that is as unkind as engines' allocators can be.

#include <cstdint>
#include <span>
#include <vector>

namespace pagestorm::sim {

/// Hands out page ids 1 to `pages`; page 0 is the sink. Ids given back come out again at once, fresh ones are scattered,
/// and half of the seeds start from the highest ids. Costs nothing for pages that were never handed out.
class PagePool {
 public:
  void reset(std::int64_t pages, std::uint64_t seed);

  std::int64_t pages() const { return pages_; }
  std::int64_t free() const { return pages_ - fresh_ + static_cast<std::int64_t>(returned_.size()); }

  /// A free page id. Asserts that there is one.
  std::int32_t take() {
    std::int32_t page = 0;
    take(std::span(&page, 1));
    return page;
  }

  /// As many as `to` has room for. Asserts that there are so many.
  void take(std::span<std::int32_t> to);

  /// Gives back a page that take() returned. Asserts its range.
  void give(std::int32_t page);

 private:
  void take_fresh(std::span<std::int32_t> to);
  void next_run();

  std::int64_t pages_ = 0;
  std::int64_t fresh_ = 0;  ///< how many ids were taken for the first time
  bool high_first_ = false;
  std::int64_t base_ = 0;      ///< ids from here on are scattered together
  std::int64_t together_ = 0;  ///< how many
  std::int64_t cursor_ = 0;    ///< where among them
  std::int64_t stride_ = 1;    ///< coprime to their number, and below it
  std::int64_t wanted_stride_ = 1;
  std::vector<std::int32_t> returned_;
};

}  // namespace pagestorm::sim
