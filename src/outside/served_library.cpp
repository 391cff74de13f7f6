#include "library.hpp"
#include "served.hpp"

namespace pagestorm::outside {

Served served_library(const char* path) {
  const Library library = load_library(path);
  Served served{.version = library.version, .capabilities = library.capabilities};
  if (library.version != PAGESTORM_ABI_VERSION) return served;
  if (library.capabilities.device == PAGESTORM_CUDA) served.guest = device_guest();
  served.run = [library, stream = served.guest ? served.guest->stream() : nullptr](const pagestorm_wire_call& call,
                                                                                   std::string& why) {
    const auto entry = call.kind == PAGESTORM_WIRE_BUILD ? library.build : library.apply;
    const int result = entry == nullptr ? -1 : entry(&call.batch, &call.out, stream);
    const char* text = result != 0 && library.last_error != nullptr ? library.last_error() : nullptr;
    why = text == nullptr ? "" : text;
    return result;
  };
  return served;
}

}  // namespace pagestorm::outside
