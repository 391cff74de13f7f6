#pragma once
// The paged allocator: slots for tokens, whole pages at a time. With a page size of 1 it is the token allocator.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../pool.hpp"

namespace pagestorm::sim {

/// What came of freeing slots: the first page that the pool refused, and why; accepted when it took them all.
struct Freed {
  Given given = Given::accepted;
  std::int64_t page = 0;

  bool ok() const { return given == Given::accepted; }
};

/// Slots of pages of one pool: slot s lies in page s div page_size. Lengths are in tokens, slots and lengths are 0 or
/// more where nothing else is said.
class PagedAllocator {
 public:
  void reset(std::int64_t page_size, std::int64_t pages, std::uint64_t seed, FreeOrder order);

  /// The pages of `list` are free, in this order; the others of 1 to `pages` count as handed out.
  void reset(std::int64_t page_size, std::span<const std::int32_t> list, std::int64_t pages, FreeOrder order);

  std::int64_t page_size() const { return page_size_; }
  const PagePool& pool() const { return pool_; }
  PagePool& pool() { return pool_; }

  /// How many pages hold `tokens` tokens; 0 for a negative number.
  std::int64_t pages_for(std::int64_t tokens) const;

  /// How many pages alloc_extend() takes.
  std::int64_t pages_to_extend(std::span<const std::int64_t> prefix_lens, std::span<const std::int64_t> seq_lens) const;

  /// How many pages alloc_decode() takes.
  std::int64_t pages_to_decode(std::span<const std::int64_t> seq_lens) const;

  /// Slots for the positions [prefix_lens[b], seq_lens[b]) of each request b, one request after the other; nothing, and
  /// nothing is changed, when pages are short. last_locs[b] is the slot of the last token of the prefix, -1 if there is
  /// none. A page that the prefix fills in part is continued behind that slot; then come whole pages from the front of
  /// the free list. That last_locs[b] is where the prefix ends in its page is taken on trust.
  std::optional<std::vector<std::int64_t>> alloc_extend(std::span<const std::int64_t> prefix_lens,
                                                        std::span<const std::int64_t> seq_lens,
                                                        std::span<const std::int64_t> last_locs);

  /// The slot of the last token of each request: seq_lens[b], above 0, counts it, last_locs[b] is the slot before it.
  /// The same as alloc_extend() by one token each.
  std::optional<std::vector<std::int64_t>> alloc_decode(std::span<const std::int64_t> seq_lens,
                                                        std::span<const std::int64_t> last_locs);

  /// Gives back the whole page of every slot: each page once, in rising order. With a page size of 1 the slots are given
  /// back one by one, in their order. Pages that the pool refuses are left out; the first is reported.
  Freed free(std::span<const std::int64_t> slots);

  /// Gives back the pages of neighbouring positions of one row, from position `start` on, by the first slot in each;
  /// the last page may be held in part. Asserts that `start` begins a page. As quick as there are pages.
  Freed free_segment(std::span<const std::int64_t> slots, std::int64_t start);

 private:
  std::int64_t page_of(std::int64_t slot) const { return slot < 0 ? -1 : slot / page_size_; }
  std::vector<std::int32_t> take(std::int64_t pages, std::int64_t expected);
  void give(std::int64_t page, Freed& freed);

  std::int64_t page_size_ = 1;
  PagePool pool_;
};

}  // namespace pagestorm::sim
