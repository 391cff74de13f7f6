#pragma once
// A list of free pages that is as unkind as engines' lists can be.

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "engine/fresh_pages.hpp"
#include "engine/page_set.hpp"

namespace pagestorm::sim {

/// Where pages that come back are put.
enum class FreeOrder : std::uint8_t {
  last_in_first_out,  ///< before all others
  append,             ///< behind all others
  sort_when_short,    ///< aside; when the list is too short they are merged into it and the whole is sorted
};

/// What became of a page that was given back. Only an accepted one changes the pool.
enum class Given : std::uint8_t {
  accepted,
  sink,     ///< page 0, which is nobody's
  outside,  ///< no page of the pool
  not_out,  ///< given back already, or never handed out
};

/// Hands out page ids 1 to `pages` from the front of a list of free ones; page 0 is the sink. Costs nothing for pages
/// that were never handed out.
class PagePool {
 public:
  /// All pages are free, in an order of the seed's (see FreshPages).
  void reset(std::int64_t pages, std::uint64_t seed, FreeOrder order = FreeOrder::last_in_first_out);

  /// The pages of `list` are free, in its order; the others of 1 to `pages` count as handed out. Asserts that each is one
  /// of them and comes once.
  void reset(std::span<const std::int32_t> list, std::int64_t pages, FreeOrder order);

  std::int64_t pages() const { return fresh_.pages(); }

  /// Pages that take() can hand out.
  std::int64_t free() const {
    return fresh_.left() + static_cast<std::int64_t>(list_.size()) + static_cast<std::int64_t>(aside_.size());
  }

  /// Pages that were given back in a group that has not ended.
  std::int64_t held() const { return static_cast<std::int64_t>(group_.size()); }

  /// Whether `page` is a page of the pool that was handed out and not given back since. Constant time.
  bool is_out(std::int64_t page) const {
    return page >= 1 && page <= pages() && !back_.contains(page) && !fresh_.contains(page);
  }

  /// A free page id. Asserts that there is one.
  std::int32_t take() {
    std::int32_t page = 0;
    take(std::span(&page, 1));
    return page;
  }

  /// As many as `to` has room for. Asserts that there are so many.
  void take(std::span<std::int32_t> to);

  /// Tells that up to `wanted` pages may be taken at once: with sort_when_short, a shorter list is merged and sorted now.
  void expect(std::int64_t wanted);

  /// Gives back a page that take() returned.
  Given give(std::int64_t page);

  /// From here on pages given back are held; end_group() gives them back together. Groups do not nest (asserted).
  void begin_group();
  void end_group();

 private:
  void put(std::int32_t page);
  void take_last(std::span<std::int32_t> to);
  void take_first(std::span<std::int32_t> to);

  FreeOrder order_ = FreeOrder::last_in_first_out;
  FreshPages fresh_;
  std::deque<std::int32_t> list_;  ///< with last_in_first_out its back is the front of all, else fresh pages go first
  std::vector<std::int32_t> aside_;
  std::vector<std::int32_t> group_;
  bool grouping_ = false;
  PageSet back_;  ///< free pages that are not fresh, and held ones
};

}  // namespace pagestorm::sim
