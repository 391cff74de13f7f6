#pragma once
// How the functions of this room refuse arguments that mean nothing.

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace pagestorm::sim::fa {

/// Throws std::invalid_argument with the formatted text unless `holds`.
template <class... Args>
void require(bool holds, fmt::format_string<Args...> text, Args&&... args) {
  if (!holds) throw std::invalid_argument(fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace pagestorm::sim::fa
