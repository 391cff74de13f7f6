#pragma once
// A shared library with the functions of pagestorm/abi.h.

#include <string>

#include "pagestorm/abi.h"

namespace pagestorm::outside {

/// What a loaded library exports.
struct Library {
  decltype(&pagestorm_apply) apply = nullptr;
  decltype(&pagestorm_build) build = nullptr;            ///< may be null
  decltype(&pagestorm_last_error) last_error = nullptr;  ///< may be null
  std::uint32_t version = 0;
  pagestorm_capabilities capabilities = {};  ///< described where the version is ours
};

/// Loads it, for as long as the process lives. Throws std::runtime_error that says what it lacks.
Library load_library(const char* path);

}  // namespace pagestorm::outside
