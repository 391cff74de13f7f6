#pragma once
// The full-to-SWA map of an engine: which slot of the SWA pool stands behind a slot of the full pool.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pagestorm/views.hpp"

namespace pagestorm::sim {

/// Writes the map in memory of the caller's, which reads as zero where nothing was mapped, and remembers where to clear
/// it: what a scenario leaves behind costs what it used, not what it might have used.
class SlotMap {
 public:
  /// Starts over memory for every slot of pages 0 to `pages`, of `page_size` tokens each: elements of `type`, `stride`
  /// elements apart, from `base` on. All of it must read as zero.
  void lay_out(std::byte* base, IntType type, std::int64_t stride, std::int64_t pages, std::int64_t page_size);

  /// Maps every slot of full pages to the same offset of their SWA pages; SWA page 0 takes a mapping away.
  void map_pages(std::span<const std::int32_t> pages, std::span<const std::int32_t> swa_pages);

  /// Takes the mappings of the first `slots` slots of a page away, and of no others.
  void unmap_slots(std::int64_t page, std::int64_t slots);

  /// What a slot is mapped to.
  std::int64_t at(std::int64_t slot) const {
    return type_ == IntType::int64 ? reinterpret_cast<const std::int64_t*>(base_)[slot * stride_]
                                   : reinterpret_cast<const std::int32_t*>(base_)[slot * stride_];
  }

  /// Makes zero again what was mapped since lay_out(), in the same memory.
  void clear();

  /// Bytes from the first slot of a page to that of the next.
  std::int64_t page_bytes() const;

 private:
  template <class Int>
  void write(std::span<const std::int32_t> pages, std::span<const std::int32_t> swa_pages);
  void mark(std::span<const std::int32_t> pages);

  std::byte* base_ = nullptr;
  IntType type_ = IntType::int32;
  std::int64_t stride_ = 1;
  std::int64_t pages_ = 0;
  std::int64_t page_size_ = 1;
  int block_shift_ = 0;                  ///< a block is 2^this pages
  std::int64_t blocks_ = 0;              ///< of the map
  std::vector<std::int32_t> marked_;     ///< blocks of which a page may have been mapped, each once
  std::vector<std::uint8_t> is_marked_;  ///< by block; grows, and is cleared block by block
};

}  // namespace pagestorm::sim
