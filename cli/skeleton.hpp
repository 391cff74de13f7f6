#pragma once
// The files that `pagestorm new-builder` writes. They lie in cli/skeleton and become part of the program when it is built.

#include <span>
#include <string_view>

namespace pagestorm::cli {

struct SkeletonFile {
  std::string_view path;  ///< within the new folder
  std::string_view text;
};

std::span<const SkeletonFile> skeleton_files();

}  // namespace pagestorm::cli
