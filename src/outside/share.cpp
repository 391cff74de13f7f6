#include "share.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "pagestorm/builder.hpp"

namespace pagestorm::outside {
namespace {

constexpr std::int64_t alignment = 4096;                    // the base keeps its place in a page, and views theirs
constexpr std::int64_t huge_bytes = std::int64_t{1} << 28;  // more is given back as soon as it is not needed

constexpr std::size_t windows_remembered = 1 << 16;

std::int64_t rounded(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

Share::~Share() { release(); }

bool Share::place(const Region& region, bool anew) {
  const auto address = reinterpret_cast<std::uintptr_t>(region.base);
  const auto lowest = address - static_cast<std::uintptr_t>(region.below);
  const auto pad = static_cast<std::int64_t>(lowest % alignment);
  const std::int64_t needed = rounded(pad + region.below + region.above);
  const bool too_large = anew && bytes_ >= huge_bytes && needed < huge_bytes;
  const bool moved = needed > bytes_ || too_large || (anew && !can_clear());
  if (moved)
    reserve(std::max(needed, too_large ? 0 : bytes_));
  else if (anew)
    clear();
  region_ = region;
  base_ = pad + region.below;
  return moved;
}

void Share::carry_in(std::span<const Window> windows) {
  for (const Window& window : windows) {
    std::memcpy(memory_ + base_ + window.first, region_.base + window.first, static_cast<std::size_t>(window.bytes));
    if (clean_ && can_clear()) carried_.push_back({base_ + window.first, window.bytes});
  }
}

void Share::carry_out(std::span<const Window> windows) const {
  for (const Window& window : windows)
    std::memcpy(region_.base + window.first, memory_ + base_ + window.first, static_cast<std::size_t>(window.bytes));
}

// After a long scenario new memory is cheaper than to remember every byte.
bool Share::can_clear() const { return carried_.size() < windows_remembered; }

void Share::clear() {
  for (const Window& window : carried_) std::memset(memory_ + window.first, 0, static_cast<std::size_t>(window.bytes));
  carried_.clear();
}

void Share::reserve(std::int64_t bytes) {
  release();
  const auto refuse = [bytes] {
    throw BuilderError("cannot share " + std::to_string(bytes >> 20) +
                       " MiB with an outside builder: " + std::strerror(errno));
  };
  descriptor_ = memfd_create("pagestorm", MFD_CLOEXEC);
  if (descriptor_ < 0 || ftruncate(descriptor_, bytes) != 0) refuse();
  void* start = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                     descriptor_, 0);
  if (start == MAP_FAILED) refuse();
  memory_ = static_cast<std::byte*>(start);
  bytes_ = bytes;
}

void Share::release() {
  if (memory_ != nullptr) munmap(memory_, static_cast<std::size_t>(bytes_));
  if (descriptor_ >= 0) close(descriptor_);
  memory_ = nullptr;
  descriptor_ = -1;
  bytes_ = 0;
  carried_.clear();
}

}  // namespace pagestorm::outside
