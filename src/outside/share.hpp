#pragma once
// A region of host memory as another process sees it: the same extent in shared memory.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pagestorm/region.hpp"

namespace pagestorm::outside {

/// Shared memory that stands for one region at a time. It is never touched as a whole: a region may be far larger than
/// what is used of it.
class Share {
 public:
  /// `clean`: what was not carried in reads as zero, so that whoever reads too much reads the same each time.
  explicit Share(bool clean) : clean_(clean) {}
  ~Share();
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  /// Stands for `region` from now on. `anew`: no content is needed any longer. Returns true when the memory is another
  /// one, of which nobody else knows yet. Throws BuilderError when the system refuses.
  bool place(const Region& region, bool anew);

  bool stands_for(const Region& region) const {
    return region.base == region_.base && region.below == region_.below && region.above == region_.above;
  }

  /// Copies parts of the region to the other process, and back.
  void carry_in(std::span<const Window> windows);
  void carry_out(std::span<const Window> windows) const;

  int descriptor() const { return descriptor_; }
  std::int64_t bytes() const { return bytes_; }

  /// How far from the start of the memory the address `at` of the region is.
  std::int64_t offset(const void* at) const { return base_ + (static_cast<const std::byte*>(at) - region_.base); }

 private:
  void reserve(std::int64_t bytes);
  void release();
  bool can_clear() const;
  void clear();

  bool clean_;
  Region region_;
  int descriptor_ = -1;
  std::byte* memory_ = nullptr;
  std::int64_t bytes_ = 0;
  std::int64_t base_ = 0;        ///< where the base of the region is, in bytes from the start
  std::vector<Window> carried_;  ///< since contents were needed, in bytes from the start
};

}  // namespace pagestorm::outside
