#include "pagestorm/call_memory.hpp"

#include <cstring>

#include "device.hpp"
#include "handles.hpp"
#include "mirror.hpp"
#include "transfer.hpp"

namespace pagestorm {
namespace {

/// Two mirrors, each an allocation of its own, which is what a handle can name.
class DeviceCallMemory final : public CallMemory {
 public:
  DeviceCallMemory() : stream_(cuda::make_stream()) { PAGESTORM_CUDA(cudaGetDevice(&device_)); }

  bool place(Part part, const Region& region, bool anew) override { return mirror(part).place(region, anew); }
  bool stands_for(Part part, const Region& region) const override { return mirror(part).stands_for(region); }

  std::int64_t offset(Part part, const void* at) const override {
    return static_cast<const std::byte*>(mirror(part).of(at)) - mirror(part).memory();
  }

  std::int32_t device() const override { return PAGESTORM_CUDA; }

  void describe(Part part, pagestorm_wire_region& packet) const override {
    cudaIpcMemHandle_t handle;
    PAGESTORM_CUDA(cudaIpcGetMemHandle(&handle, mirror(part).memory()));
    static_assert(sizeof handle == sizeof packet.ipc_handle);
    std::memcpy(packet.ipc_handle, &handle, sizeof handle);
    packet.device = PAGESTORM_CUDA;
    packet.device_index = device_;
    packet.bytes = static_cast<std::int64_t>(mirror(part).bytes());
  }

  int descriptor(Part) const override { return -1; }

  void carry_in(std::span<const Window> inputs, std::span<const Window> image) override {
    transfer_.carry_in({inputs_, inputs}, {image_, image}, stream_.get());
    PAGESTORM_CUDA(cudaStreamSynchronize(stream_.get()));
  }

  void carry_out(std::span<const Window> image) override { transfer_.carry_out({image_, image}, stream_.get()); }

 private:
  cuda::Mirror& mirror(Part part) { return part == Part::inputs ? inputs_ : image_; }
  const cuda::Mirror& mirror(Part part) const { return part == Part::inputs ? inputs_ : image_; }

  cuda::Stream stream_;
  cuda::Mirror inputs_, image_;
  cuda::Transfer transfer_;
  int device_ = 0;
};

}  // namespace

std::unique_ptr<CallMemory> device_call_memory() {
  if (const std::string absent = cuda::absent_because(); !absent.empty()) throw BuilderError(absent);
  return std::make_unique<DeviceCallMemory>();
}

}  // namespace pagestorm
