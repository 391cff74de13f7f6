#include "cli/python_module.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/source_root.hpp"

namespace pagestorm::cli {
namespace {

namespace fs = std::filesystem;

class PythonFolder : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(top); }

  std::string module_in(const char* folder) const {
    fs::create_directories(top / folder);
    std::ofstream(top / folder / "pagestorm.py") << "\n";
    return (top / folder).string();
  }
  std::string found() const { return python_folder_of((top / "bin" / "pagestorm").string()); }

  const fs::path top = fs::temp_directory_path() / ("pagestorm_python_" + std::to_string(getpid()));
};

TEST_F(PythonFolder, IsWhereAProgramIsInstalledBeforeAllElse) {
  EXPECT_EQ(found(), "");
  const std::string source = module_in("python");
  EXPECT_EQ(found(), source);
  const std::string installed = module_in("share/pagestorm/python");
  EXPECT_EQ(found(), installed);
}

TEST_F(PythonFolder, IsTheSourcesForAProgramInTheBuildFolder) {
  const fs::path source = source_root();
  EXPECT_EQ(python_folder_of((source / "build" / "pagestorm").string()), (source / "python").string());
}

TEST(OfferPythonModule, KeepsWhatWasOfferedBefore) {
  setenv("PYTHONPATH", "/somewhere", 1);
  offer_python_module();
  const std::string path = std::getenv("PYTHONPATH");
  EXPECT_EQ(path.substr(path.size() - 10), "/somewhere");
  unsetenv("PYTHONPATH");
}

}  // namespace
}  // namespace pagestorm::cli
