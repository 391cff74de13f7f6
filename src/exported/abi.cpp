// Pagestorm's own builder behind the C ABI, for engines and their test suites: tensors on the host are worked on by the
// CPU, those on a device by one launch on the stream that is given.

#include "pagestorm/abi.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "core/body.hpp"
#include "core/check.hpp"
#include "host/launch.hpp"
#include "pagestorm/device_launch.hpp"
#include "views.hpp"

namespace {

using pagestorm::Batch;
using pagestorm::Entry;
using pagestorm::Metadata;

constexpr int done = 0;
constexpr int refused = 1;

thread_local std::string last_error;

void run(const pagestorm_batch& in, const pagestorm_metadata& out, Entry entry, void* stream) {
  const Batch batch = pagestorm::exported::batch_of(in, entry);
  const Metadata metadata = pagestorm::exported::metadata_of(out);
  if (const char* problem = pagestorm::core::complaint(batch, metadata)) throw std::invalid_argument(problem);
  if (pagestorm::exported::device_of(in, out) == PAGESTORM_CUDA)
    return pagestorm::launch_on_device(batch, metadata, stream);
  pagestorm::host::launch(
      pagestorm::core::body_of(batch, metadata, pagestorm::core::PlainMemory{}, pagestorm::core::Sound{}));
}

// No exception leaves through C.
int guarded(const pagestorm_batch* batch, const pagestorm_metadata* out, Entry entry, void* stream) noexcept {
  try {
    pagestorm::exported::require(batch != nullptr, "batch", "is missing");
    pagestorm::exported::require(out != nullptr, "out", "is missing");
    run(*batch, *out, entry, stream);
    return done;
  } catch (const std::exception& error) {
    last_error = error.what();
    return refused;
  }
}

}  // namespace

uint32_t pagestorm_abi_version(void) { return PAGESTORM_ABI_VERSION; }

int pagestorm_describe(pagestorm_capabilities* capabilities) {
  // It takes both; which of them the laws are tried on is for who runs them to say.
  const char* device = std::getenv("PAGESTORM_DEVICE");
  pagestorm_capabilities own{};
  own.size = capabilities->size;
  own.device = device != nullptr && std::string_view(device) == "cuda" ? PAGESTORM_CUDA : PAGESTORM_HOST;
  std::strcpy(own.name, "libpagestorm");
  std::memcpy(capabilities, &own, std::min<std::size_t>(capabilities->size, sizeof(own)));
  return done;
}

int pagestorm_apply(const pagestorm_batch* batch, const pagestorm_metadata* out, void* stream) {
  return guarded(batch, out, Entry::apply, stream);
}

int pagestorm_build(const pagestorm_batch* batch, const pagestorm_metadata* out, void* stream) {
  return guarded(batch, out, Entry::build, stream);
}

const char* pagestorm_last_error(void) { return last_error.c_str(); }
