#pragma once
// What this program was built as.

#include <string_view>

namespace pagestorm::cli {

inline constexpr std::string_view version = PAGESTORM_VERSION;

#if defined(__clang__)
inline constexpr std::string_view compiler = "clang " __clang_version__;
#else
inline constexpr std::string_view compiler = "gcc " __VERSION__;
#endif

}  // namespace pagestorm::cli
