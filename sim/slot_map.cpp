#include "slot_map.hpp"

#include <algorithm>
#include <cstring>

#include "pagestorm/ids.hpp"
#include "runs.hpp"

namespace pagestorm::sim {

std::int64_t SlotMap::page_bytes() const { return page_size_ * stride_ * (type_ == IntType::int64 ? 8 : 4); }

void SlotMap::lay_out(std::byte* base, IntType type, std::int64_t stride, std::int64_t pages, std::int64_t page_size) {
  constexpr std::int64_t block_target = 512;  // bytes that are cleared together
  base_ = base;
  type_ = type;
  stride_ = stride;
  pages_ = pages;
  page_size_ = page_size;
  block_shift_ = 0;
  while (page_bytes() << (block_shift_ + 1) <= block_target) ++block_shift_;
  blocks_ = (pages >> block_shift_) + 1;
  if (std::ssize(is_marked_) < blocks_) is_marked_.resize(static_cast<std::size_t>(blocks_));
}

void SlotMap::map_pages(std::span<const std::int32_t> pages, std::span<const std::int32_t> swa_pages) {
  if (type_ == IntType::int64)
    write<std::int64_t>(pages, swa_pages);
  else
    write<std::int32_t>(pages, swa_pages);
  if (std::ssize(marked_) < blocks_ && !pages.empty()) mark(pages);
}

void SlotMap::unmap_slots(std::int64_t page, std::int64_t slots) {
  for (std::int64_t slot = page * page_size_; slot < page * page_size_ + slots; ++slot)
    if (type_ == IntType::int64)
      reinterpret_cast<std::int64_t*>(base_)[slot * stride_] = 0;
    else
      reinterpret_cast<std::int32_t*>(base_)[slot * stride_] = 0;
}

template <class Int>
void SlotMap::write(std::span<const std::int32_t> pages, std::span<const std::int32_t> swa_pages) {
  Int* map = reinterpret_cast<Int*>(base_);
  if (page_size_ == 1 && stride_ == 1) {  // the sink's offset is 0, too
    for (std::size_t i = 0; i < pages.size(); ++i) map[pages[i]] = swa_pages[i];
    return;
  }
  const std::int64_t size = page_size_;
  const std::int64_t stride = stride_;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    Int* to = map + pages[i] * size * stride;
    if (swa_pages[i] == sink)
      repeat(to, stride, size, Int{0});
    else
      count_up(to, stride, size, static_cast<Int>(swa_pages[i] * size));
  }
}

// Pages that lie close together mark the blocks between them, too: that costs less than to ask for each page.
void SlotMap::mark(std::span<const std::int32_t> pages) {
  const auto mark_block = [this](std::int32_t block) {
    auto& is_marked = is_marked_[static_cast<std::size_t>(block)];
    if (is_marked == 0) marked_.push_back(block);
    is_marked = 1;
  };
  std::int32_t lowest = pages[0];
  std::int32_t highest = pages[0];
  for (const std::int32_t page : pages) {
    lowest = std::min(lowest, page);
    highest = std::max(highest, page);
  }
  const std::int32_t first = lowest >> block_shift_;
  const std::int32_t last = highest >> block_shift_;
  if (last - first < std::ssize(pages))
    for (std::int32_t block = first; block <= last; ++block) mark_block(block);
  else
    for (const std::int32_t page : pages) mark_block(page >> block_shift_);
}

void SlotMap::clear() {
  const std::int64_t bytes = (pages_ + 1) * page_bytes();
  const std::int64_t block_bytes = page_bytes() << block_shift_;
  const bool all = std::ssize(marked_) == blocks_;
  if (all && blocks_ > 0) std::memset(base_, 0, static_cast<std::size_t>(bytes));
  for (const std::int32_t block : marked_) {
    is_marked_[static_cast<std::size_t>(block)] = 0;
    const std::int64_t first = block * block_bytes;
    if (!all) std::memset(base_ + first, 0, static_cast<std::size_t>(std::min(block_bytes, bytes - first)));
  }
  marked_.clear();
}

}  // namespace pagestorm::sim
