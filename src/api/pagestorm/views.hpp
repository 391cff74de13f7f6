#pragma once
// Non-owning views of device or host memory. Every stride is explicit and counted in elements.

#include <cstdint>

namespace pagestorm {

/// Element type of an integer input, known only at run time.
enum class IntType : std::uint8_t { int32, int64 };

/// A strided vector of inputs whose integer type is known at run time. Absent when data is null.
struct IntVector {
  const void* data = nullptr;
  std::int64_t size = 0;
  std::int64_t stride = 1;
  IntType type = IntType::int32;
};

/// A strided vector of `size` elements.
template <class T>
struct Vector {
  T* data = nullptr;
  std::int64_t size = 0;
  std::int64_t stride = 1;
};

/// A strided matrix. Absent when data is null; rows or cols may be 0.
template <class T>
struct Matrix {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t row_stride = 0;
  std::int64_t col_stride = 1;
};

}  // namespace pagestorm
