#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "kernel_file.hpp"
#include "pagestorm/builder.hpp"
#include "served.hpp"

namespace pagestorm::outside {
namespace {

std::string read(const KernelFile& file, const KernelLaunch& launch) {
  std::ifstream stream(launch.module, std::ios::binary);
  std::stringstream bytes;
  bytes << stream.rdbuf();
  if (!stream)
    throw std::invalid_argument(fmt::format("{}:{}: module: {} cannot be read", file.path, launch.line, launch.module));
  return bytes.str();
}

/// The launches of one operation, and the numbers of their kernels.
struct Sequence {
  std::vector<KernelLaunch> launches;
  std::vector<std::size_t> kernels;

  void load(const KernelFile& file, DeviceGuest& guest) {
    for (const KernelLaunch& launch : launches) {
      const std::string module = read(file, launch);
      try {
        kernels.push_back(guest.load(module, launch.kernel));
      } catch (const BuilderError& error) {
        throw std::invalid_argument(fmt::format("{}:{}: kernel: {} in {}: {}", file.path, launch.line, launch.kernel,
                                                launch.module, error.what()));
      }
    }
  }

  void run(const KernelFile& file, const pagestorm_wire_call& call, DeviceGuest& guest) const {
    for (std::size_t i = 0; i < launches.size(); ++i)
      if (is_wanted(file, launches[i], call.batch, call.out))
        guest.launch(kernels[i], shape_of(file, launches[i], call.batch, call.out),
                     arguments_of(file, launches[i], call.batch, call.out));
  }
};

}  // namespace

Served served_kernels(const char* path) {
  const KernelFile file = read_kernel_file(path);
  try_out(file);
  Served served{.capabilities = file.capabilities, .guest = device_guest()};
  Sequence apply{file.apply, {}};
  Sequence build{file.build, {}};
  apply.load(file, *served.guest);
  build.load(file, *served.guest);
  served.run = [file, apply, build, guest = served.guest.get()](const pagestorm_wire_call& call, std::string& why) {
    try {
      (call.kind == PAGESTORM_WIRE_BUILD ? build : apply).run(file, call, *guest);
      return 0;
    } catch (const std::invalid_argument& error) {
      why = error.what();
      return 1;
    }
  };
  return served;
}

}  // namespace pagestorm::outside
