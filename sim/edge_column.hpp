#pragma once
// Inputs of calls that no engine makes: in either integer type, with strides, and something odd between elements.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pagestorm/batch.hpp"

namespace pagestorm::sim {

using Numbers = std::vector<std::int64_t>;

/// An input vector in the type and with the stride that were drawn. Between and after its elements stand a slot, a length
/// or a row of their own. Values are cut to the range of a narrow type.
struct Column {
  std::vector<std::int32_t> narrow;
  std::vector<std::int64_t> wide;
  IntVector view;

  void lay_out(const Numbers& values, bool is_wide, std::int64_t stride) {
    constexpr std::int32_t beyond = 77;
    narrow.assign(is_wide ? 0 : values.size() * static_cast<std::size_t>(stride) + 1, beyond);
    wide.assign(is_wide ? values.size() * static_cast<std::size_t>(stride) + 1 : 0, -beyond);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t at = i * static_cast<std::size_t>(stride);
      if (is_wide)
        wide[at] = values[i];
      else
        narrow[at] = static_cast<std::int32_t>(std::clamp<std::int64_t>(values[i], INT32_MIN, INT32_MAX));
    }
    const void* data = is_wide ? static_cast<const void*>(wide.data()) : narrow.data();
    view = {data, static_cast<std::int64_t>(values.size()), stride, is_wide ? IntType::int64 : IntType::int32};
  }
};

}  // namespace pagestorm::sim
