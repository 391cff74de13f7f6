#pragma once
// The shared libraries of builders/, as builders under test.

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "tests/cli/run.hpp"

namespace pagestorm::outside {

/// The spec of one of them.
inline std::string library(const std::string& name) {
  const char* folder = std::getenv("PAGESTORM_OUTSIDE");
  if (folder == nullptr) throw std::runtime_error("PAGESTORM_OUTSIDE is not set; run the tests with meson test");
  return std::string(folder) + "/" + name + ".so";
}

/// A script beside their sources.
inline std::string script(const std::string& name) {
  return std::string(std::getenv("PAGESTORM_SOURCE")) + "/tests/outside/builders/" + name;
}

/// A check of it, with further arguments.
inline cli::Ran check(const std::string& name, const cli::TempDir& folder, cli::Args more = {"--cases", "300"}) {
  cli::Args args{"check", "--builder", library(name), "--seed", "1", "--out", folder / "failures"};
  args.insert(args.end(), more.begin(), more.end());
  return cli::run(args);
}

}  // namespace pagestorm::outside
