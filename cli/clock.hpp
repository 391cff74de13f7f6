#pragma once
// Time, for reports only: no verdict depends on it.

#include <chrono>
#include <cstdint>

namespace pagestorm::cli {

inline std::uint64_t nanoseconds_now() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

inline double seconds_since(std::uint64_t start) { return static_cast<double>(nanoseconds_now() - start) * 1e-9; }

}  // namespace pagestorm::cli
