#include "python_module.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace pagestorm::cli {

namespace fs = std::filesystem;

std::string python_folder_of(const std::string& program) {
  const fs::path above = fs::path(program).parent_path().parent_path();
  for (const fs::path& folder : {above / "share" / "pagestorm" / "python", above / "python"}) {
    std::error_code absent;
    if (fs::is_regular_file(folder / "pagestorm.py", absent)) return folder.string();
  }
  return "";
}

void offer_python_module() {
  std::error_code error;
  const std::string folder = python_folder_of(fs::read_symlink("/proc/self/exe", error).string());
  if (error || folder.empty()) return;
  const char* known = std::getenv("PYTHONPATH");
  const std::string path = known == nullptr || *known == '\0' ? folder : folder + ":" + known;
  setenv("PYTHONPATH", path.c_str(), 1);
}

}  // namespace pagestorm::cli
