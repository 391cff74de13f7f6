#pragma once
// One element of an input vector, whatever its integer type.

#include <cstdint>

#include "pagestorm/views.hpp"

namespace pagestorm::sim {

inline std::int64_t element(const IntVector& vector, std::int64_t i) {
  return vector.type == IntType::int32 ? static_cast<const std::int32_t*>(vector.data)[i * vector.stride]
                                       : static_cast<const std::int64_t*>(vector.data)[i * vector.stride];
}

}  // namespace pagestorm::sim
