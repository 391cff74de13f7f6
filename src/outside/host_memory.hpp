#pragma once
// The memory of calls of a builder on the host: two shares.

#include "pagestorm/call_memory.hpp"
#include "share.hpp"

namespace pagestorm::outside {

class HostMemory final : public CallMemory {
 public:
  bool place(Part part, const Region& region, bool anew) override { return share(part).place(region, anew); }
  bool stands_for(Part part, const Region& region) const override { return share(part).stands_for(region); }
  std::int64_t offset(Part part, const void* at) const override { return share(part).offset(at); }
  std::int32_t device() const override { return PAGESTORM_HOST; }
  void describe(Part part, pagestorm_wire_region& packet) const override {
    packet.device = PAGESTORM_HOST;
    packet.bytes = share(part).bytes();
  }
  int descriptor(Part part) const override { return share(part).descriptor(); }
  void carry_in(std::span<const Window> inputs, std::span<const Window> image) override {
    inputs_.carry_in(inputs);
    image_.carry_in(image);
  }
  void carry_out(std::span<const Window> image) override { image_.carry_out(image); }

 private:
  Share& share(Part part) { return part == Part::inputs ? inputs_ : image_; }
  const Share& share(Part part) const { return part == Part::inputs ? inputs_ : image_; }

  Share inputs_{true};
  Share image_{false};
};

}  // namespace pagestorm::outside
