#pragma once
// Regions as the process of a shared library sees them.

#include <cstddef>
#include <cstdint>
#include <map>

#include "pagestorm/wire.h"

namespace pagestorm::outside {

/// Shared memory by its number. Around each region lie pages that nobody may touch.
class MappedRegions {
 public:
  /// Maps what `descriptor` is, and closes it. Throws std::runtime_error.
  void add(const pagestorm_wire_region& region, int descriptor);

  void forget(std::uint32_t number);

  /// Makes addresses of the views of a call, whose inputs can only be read from then on. Throws std::runtime_error for a
  /// region that is not known.
  void locate(pagestorm_wire_call& call);

 private:
  struct Mapping {
    std::byte* start = nullptr;
    std::size_t bytes = 0;
    bool read_only = false;
  };

  Mapping& find(std::uint32_t number);

  std::map<std::uint32_t, Mapping> mappings_;
};

}  // namespace pagestorm::outside
