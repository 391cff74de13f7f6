#pragma once
// What a process serves: a shared library, or kernels that come as files.

#include <functional>
#include <memory>
#include <string>

#include "pagestorm/device_guest.hpp"
#include "pagestorm/wire.h"

namespace pagestorm::outside {

/// A builder in this process.
struct Served {
  std::uint32_t version = PAGESTORM_ABI_VERSION;
  pagestorm_capabilities capabilities = {};  ///< described where the version is ours
  std::unique_ptr<DeviceGuest> guest;        ///< where its memory is a device's

  /// Makes a call whose views are addresses here; on a device, enqueues it. Returns 0, or what it refused with, and why.
  std::function<int(const pagestorm_wire_call& call, std::string& why)> run;
};

/// Throw std::runtime_error or std::invalid_argument that say what is wrong.
Served served_library(const char* path);
Served served_kernels(const char* path);

}  // namespace pagestorm::outside
