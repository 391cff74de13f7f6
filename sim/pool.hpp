#pragma once
// A page allocator that is as unkind as engines' allocators can be.

#include <cstdint>
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
  std::int32_t take();

  /// Gives back a page that take() returned. Asserts its range.
  void give(std::int32_t page);

 private:
  std::int64_t scattered(std::int64_t index) const;

  std::int64_t pages_ = 0;
  std::int64_t fresh_ = 0;   ///< how many ids were taken for the first time
  std::int64_t stride_ = 1;  ///< coprime to the number of ids that are scattered together
  std::int64_t shift_ = 0;
  bool high_first_ = false;
  std::vector<std::int32_t> returned_;
};

}  // namespace pagestorm::sim
