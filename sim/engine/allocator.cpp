#include "allocator.hpp"

#include <algorithm>
#include <cassert>

namespace pagestorm::sim {

void PagedAllocator::reset(std::int64_t page_size, std::int64_t pages, std::uint64_t seed, FreeOrder order) {
  assert(page_size >= 1);
  page_size_ = page_size;
  pool_.reset(pages, seed, order);
}

void PagedAllocator::reset(std::int64_t page_size, std::span<const std::int32_t> list, std::int64_t pages,
                           FreeOrder order) {
  assert(page_size >= 1);
  page_size_ = page_size;
  pool_.reset(list, pages, order);
}

std::int64_t PagedAllocator::pages_for(std::int64_t tokens) const {
  return tokens <= 0 ? 0 : (tokens + page_size_ - 1) / page_size_;
}

std::int64_t PagedAllocator::pages_to_extend(std::span<const std::int64_t> prefix_lens,
                                             std::span<const std::int64_t> seq_lens) const {
  assert(prefix_lens.size() == seq_lens.size());
  std::int64_t pages = 0;
  for (std::size_t b = 0; b < seq_lens.size(); ++b) {
    assert(prefix_lens[b] >= 0 && prefix_lens[b] <= seq_lens[b]);
    pages += pages_for(seq_lens[b]) - pages_for(prefix_lens[b]);
  }
  return pages;
}

std::int64_t PagedAllocator::pages_to_decode(std::span<const std::int64_t> seq_lens) const {
  return std::ranges::count_if(seq_lens, [this](std::int64_t length) { return (length - 1) % page_size_ == 0; });
}

std::optional<std::vector<std::int64_t>> PagedAllocator::alloc_extend(std::span<const std::int64_t> prefix_lens,
                                                                      std::span<const std::int64_t> seq_lens,
                                                                      std::span<const std::int64_t> last_locs) {
  assert(last_locs.size() == seq_lens.size());
  const std::int64_t needed = pages_to_extend(prefix_lens, seq_lens);
  if (needed > pool_.free()) return std::nullopt;
  std::int64_t tokens = 0;
  for (std::size_t b = 0; b < seq_lens.size(); ++b) tokens += seq_lens[b] - prefix_lens[b];
  const auto requests = static_cast<std::int64_t>(seq_lens.size());
  const std::vector<std::int32_t> pages = take(needed, tokens / page_size_ + requests + 1);

  std::vector<std::int64_t> slots;
  slots.reserve(static_cast<std::size_t>(tokens));
  auto page = pages.begin();
  for (std::size_t b = 0; b < seq_lens.size(); ++b) {
    std::int64_t position = prefix_lens[b];
    const std::int64_t continued = std::min(seq_lens[b], pages_for(position) * page_size_);
    for (std::int64_t slot = last_locs[b]; position < continued; ++position) slots.push_back(++slot);
    for (; position < seq_lens[b]; ++page) {
      const std::int64_t end = std::min(seq_lens[b], position + page_size_);
      for (std::int64_t slot = *page * page_size_; position < end; ++position) slots.push_back(slot++);
    }
  }
  return slots;
}

std::optional<std::vector<std::int64_t>> PagedAllocator::alloc_decode(std::span<const std::int64_t> seq_lens,
                                                                      std::span<const std::int64_t> last_locs) {
  assert(last_locs.size() == seq_lens.size());
  const std::int64_t needed = pages_to_decode(seq_lens);
  if (needed > pool_.free()) return std::nullopt;
  const std::vector<std::int32_t> pages = take(needed, static_cast<std::int64_t>(seq_lens.size()));

  std::vector<std::int64_t> slots;
  slots.reserve(seq_lens.size());
  auto page = pages.begin();
  for (std::size_t b = 0; b < seq_lens.size(); ++b) {
    assert(seq_lens[b] >= 1);
    const bool crosses = (seq_lens[b] - 1) % page_size_ == 0;
    slots.push_back(crosses ? *page++ * page_size_ : last_locs[b] + 1);
  }
  return slots;
}

Freed PagedAllocator::free(std::span<const std::int64_t> slots) {
  std::vector<std::int64_t> pages;
  pages.reserve(slots.size());
  for (const std::int64_t slot : slots) pages.push_back(page_of(slot));
  if (page_size_ > 1) {
    std::ranges::sort(pages);
    pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  }
  Freed freed;
  for (const std::int64_t page : pages) give(page, freed);
  return freed;
}

Freed PagedAllocator::free_segment(std::span<const std::int64_t> slots, std::int64_t start) {
  assert(start % page_size_ == 0);
  Freed freed;
  for (std::size_t at = 0; at < slots.size(); at += static_cast<std::size_t>(page_size_))
    give(page_of(slots[at]), freed);
  return freed;
}

std::vector<std::int32_t> PagedAllocator::take(std::int64_t pages, std::int64_t expected) {
  pool_.expect(expected);
  std::vector<std::int32_t> taken(static_cast<std::size_t>(pages));
  pool_.take(taken);
  return taken;
}

void PagedAllocator::give(std::int64_t page, Freed& freed) {
  const Given given = pool_.give(page);
  if (given != Given::accepted && freed.ok()) freed = {given, page};
}

}  // namespace pagestorm::sim
