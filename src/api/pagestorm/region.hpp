#pragma once
// Memory that views point into, and parts of it.

#include <cstddef>
#include <cstdint>

namespace pagestorm {

/// One allocation of host memory. Views point into it; `below` bytes before `base` belong to it too.
struct Region {
  std::byte* base = nullptr;
  std::int64_t below = 0;
  std::int64_t above = 0;
};

/// A part of a region, in bytes from its base.
struct Window {
  std::int64_t first = 0;
  std::int64_t bytes = 0;
};

}  // namespace pagestorm
