#include "library.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace pagestorm::outside {
namespace {

template <class Function>
Function find(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

template <class Function>
Function require(void* library, const char* name, const char* remedy = "export it with C linkage") {
  const auto function = find<Function>(library, name);
  if (function == nullptr) throw std::runtime_error(std::string("the symbol ") + name + " is missing; " + remedy);
  return function;
}

void describe(void* handle, Library& library) {
  library.capabilities.size = sizeof library.capabilities;
  const int refused = require<decltype(&pagestorm_describe)>(handle, "pagestorm_describe")(&library.capabilities);
  if (refused == 0) return;
  const char* why = library.last_error == nullptr ? nullptr : library.last_error();
  throw std::runtime_error("pagestorm_describe returned " + std::to_string(refused) +
                           (why == nullptr ? "" : std::string(": ") + why));
}

}  // namespace

Library load_library(const char* path) {
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(std::string("cannot be loaded: ") + dlerror());
  Library library;
  library.version = require<decltype(&pagestorm_abi_version)>(handle, "pagestorm_abi_version")();
  if (library.version != PAGESTORM_ABI_VERSION) return library;
  library.last_error = find<decltype(&pagestorm_last_error)>(handle, "pagestorm_last_error");
  library.apply = require<decltype(&pagestorm_apply)>(handle, "pagestorm_apply");
  describe(handle, library);
  if ((library.capabilities.without & PAGESTORM_NO_BUILD) == 0)
    library.build = require<decltype(&pagestorm_build)>(handle, "pagestorm_build",
                                                        "export it with C linkage, or declare PAGESTORM_NO_BUILD");
  return library;
}

}  // namespace pagestorm::outside
