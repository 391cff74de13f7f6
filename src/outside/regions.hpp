#pragma once
// Regions as the process of an outside builder sees them, by their numbers.

#include <cstddef>
#include <cstdint>
#include <map>

#include "pagestorm/device_guest.hpp"
#include "pagestorm/wire.h"

namespace pagestorm::outside {

/// Memory that Pagestorm made known.
class Regions {
 public:
  virtual ~Regions() = default;

  /// Opens it; `descriptor` is used up. Throws std::runtime_error.
  virtual void add(const pagestorm_wire_region& region, int descriptor) = 0;
  virtual void forget(std::uint32_t number) = 0;

  /// Where a region of inputs or an image starts. Throws std::runtime_error for one that is not known.
  virtual std::byte* inputs(std::uint32_t number) = 0;
  virtual std::byte* image(std::uint32_t number) = 0;
};

/// Shared memory. Around each region lie pages that nobody may touch; inputs can only be read.
class MappedRegions final : public Regions {
 public:
  void add(const pagestorm_wire_region& region, int descriptor) override;
  void forget(std::uint32_t number) override;
  std::byte* inputs(std::uint32_t number) override;
  std::byte* image(std::uint32_t number) override;

 private:
  struct Mapping {
    std::byte* start = nullptr;
    std::size_t bytes = 0;
    bool read_only = false;
  };
  std::map<std::uint32_t, Mapping> mappings_;
};

/// Memory of a device, opened by `guest`, which must outlive it.
class DeviceRegions final : public Regions {
 public:
  explicit DeviceRegions(DeviceGuest& guest) : guest_(guest) {}
  void add(const pagestorm_wire_region& region, int descriptor) override;
  void forget(std::uint32_t number) override;
  std::byte* inputs(std::uint32_t number) override;
  std::byte* image(std::uint32_t number) override { return inputs(number); }

 private:
  DeviceGuest& guest_;
  std::map<std::uint32_t, std::byte*> starts_;
};

/// Makes addresses of the views of a call. Throws std::runtime_error for a region that is not known.
void locate(pagestorm_wire_call& call, Regions& regions);

}  // namespace pagestorm::outside
