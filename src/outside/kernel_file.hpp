#pragma once
// A kernel that comes as a file, and how it is launched (docs/triton.md).

#include <array>
#include <string>
#include <vector>

#include "pagestorm/abi.h"
#include "pagestorm/device_guest.hpp"

namespace pagestorm::outside {

/// One launch of a call, as expressions of its shapes.
struct KernelLaunch {
  std::string module;  ///< path of a cubin, a fatbin or PTX
  std::string kernel;  ///< name in it
  std::array<std::string, 3> grid = {"1", "1", "1"};
  std::array<std::string, 3> block = {"1", "1", "1"};
  std::string shared_bytes = "0";
  std::string when = "1";              ///< 0: this launch is left out
  std::vector<std::string> arguments;  ///< a tensor, or an expression and ":i32", ":i64" or ":ptr"
  int line = 0;                        ///< of the file
};

/// A kernel file, understood.
struct KernelFile {
  std::string path;
  pagestorm_capabilities capabilities = {};
  std::vector<KernelLaunch> apply, build;
};

/// Reads it. Throws std::invalid_argument that names file, line and field.
KernelFile read_kernel_file(const std::string& path);

/// Evaluates every expression of the file for a call whose numbers are all 1. Throws like read_kernel_file().
void try_out(const KernelFile& file);

/// The launch of a call. Throws std::invalid_argument that names file, line and what is wrong.
KernelShape shape_of(const KernelFile& file, const KernelLaunch& launch, const pagestorm_batch& batch,
                     const pagestorm_metadata& out);
std::vector<KernelArgument> arguments_of(const KernelFile& file, const KernelLaunch& launch,
                                         const pagestorm_batch& batch, const pagestorm_metadata& out);
bool is_wanted(const KernelFile& file, const KernelLaunch& launch, const pagestorm_batch& batch,
               const pagestorm_metadata& out);

}  // namespace pagestorm::outside
