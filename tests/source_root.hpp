#pragma once
// Where the tests' data lies.

#include <cstdlib>
#include <filesystem>

namespace pagestorm {

/// The folder that holds tests/: PAGESTORM_SOURCE, which meson test sets, or else the folder that was built from.
inline std::filesystem::path source_root() {
  const char* const folder = std::getenv("PAGESTORM_SOURCE");
  return folder ? folder : PAGESTORM_BUILT_FROM;
}

}  // namespace pagestorm
