#include "memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace pagestorm::sim {
namespace {

constexpr std::int64_t granule = std::int64_t{1} << 16;
constexpr std::int64_t large_pages_from = std::int64_t{8} << 20;
constexpr std::int64_t large_pages_to = std::int64_t{64} << 20;

std::int64_t rounded(std::int64_t bytes) { return (bytes + granule - 1) / granule * granule; }

}  // namespace

Memory::~Memory() { release(); }

Memory::Memory(Memory&& other) noexcept { *this = std::move(other); }

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(below_, other.below_);
  std::swap(above_, other.above_);
  std::swap(reserved_below_, other.reserved_below_);
  std::swap(reserved_above_, other.reserved_above_);
  return *this;
}

bool Memory::reserve(std::int64_t below, std::int64_t above) {
  below_ = below;
  above_ = above;
  if (base_ != nullptr && below <= reserved_below_ && above <= reserved_above_) return false;
  release();
  reserved_below_ = rounded(below);
  reserved_above_ = rounded(above + granule);
  void* start = mmap(nullptr, static_cast<std::size_t>(reserved_below_ + reserved_above_), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    throw std::runtime_error("cannot reserve " + std::to_string((below + above) >> 20) +
                             " MiB of address space: " + std::strerror(errno));
  // Random look-ups in millions of slots would miss the TLB each time. A larger reservation is used sparsely, and a large
  // page costs all of itself when touched.
  const std::int64_t reserved = reserved_below_ + reserved_above_;
  if (reserved >= large_pages_from && reserved <= large_pages_to)
    madvise(start, static_cast<std::size_t>(reserved), MADV_HUGEPAGE);
  base_ = static_cast<std::byte*>(start) + reserved_below_;
  return true;
}

void Memory::forget() {
  if (base_ != nullptr)
    madvise(base_ - reserved_below_, static_cast<std::size_t>(reserved_below_ + reserved_above_), MADV_DONTNEED);
}

void Memory::release() {
  if (base_ != nullptr) munmap(base_ - reserved_below_, static_cast<std::size_t>(reserved_below_ + reserved_above_));
  base_ = nullptr;
}

}  // namespace pagestorm::sim
