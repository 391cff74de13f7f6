#pragma once
// Writing many elements that lie at even distances. A stride of 1 that the compiler knows lets it write vectors.

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace pagestorm::sim {

/// Writes `value` to `count` elements that are `stride` apart.
template <class Int>
void repeat(Int* to, std::int64_t stride, std::int64_t count, Int value) {
  if (stride == 1)
    std::fill_n(to, count, value);
  else
    for (std::int64_t i = 0; i < count; ++i) to[i * stride] = value;
}

/// Writes first, first + 1, ... to `count` elements that are `stride` apart.
template <class Int>
void count_up(Int* to, std::int64_t stride, std::int64_t count, Int first) {
  using Vector [[gnu::vector_size(16)]] = Int;
  constexpr int size = sizeof(Vector) / sizeof(Int);
  Vector next;
  for (int i = 0; i < size; ++i) next[i] = first + i;
  for (; stride == 1 && count >= 4 * size; to += 4 * size, count -= 4 * size, next += 4 * size)
    for (int i = 0; i < 4; ++i) {
      const Vector values = next + i * size;
      std::memcpy(to + i * size, &values, sizeof(values));
    }
  for (Int value = next[0]; count > 0; to += stride, --count) *to = value++;
}

}  // namespace pagestorm::sim
