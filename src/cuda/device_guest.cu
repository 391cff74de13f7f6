#include "pagestorm/device_guest.hpp"

#include <cuda.h>
#include <dlfcn.h>

#include <cstring>
#include <vector>

#include "capture.hpp"
#include "device.hpp"
#include "handles.hpp"

namespace pagestorm {
namespace {

/// A function of the driver. It is not linked to, so that the program starts on a machine without one.
template <class Function>
Function driver(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  void* found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) throw BuilderError(std::string("libcuda.so.1 has no ") + name);
  return reinterpret_cast<Function>(found);
}

class Guest final : public DeviceGuest {
 public:
  // A runtime call makes the context that the driver's functions work in.
  Guest() : stream_(cuda::make_stream()) { PAGESTORM_CUDA(cudaStreamSynchronize(stream_.get())); }

  std::byte* open(const pagestorm_wire_region& packet) override {
    cudaIpcMemHandle_t handle;
    std::memcpy(&handle, packet.ipc_handle, sizeof handle);
    void* start = nullptr;
    PAGESTORM_CUDA(cudaIpcOpenMemHandle(&start, handle, cudaIpcMemLazyEnablePeerAccess));
    return static_cast<std::byte*>(start);
  }

  void close(std::byte* start) override { PAGESTORM_CUDA(cudaIpcCloseMemHandle(start)); }

  void* stream() const override { return stream_.get(); }

  void wait() override { PAGESTORM_CUDA(cudaStreamSynchronize(stream_.get())); }

  void capture(const std::function<void()>& work) override {
    captured_.reset();
    captured_ = cuda::instantiated(cuda::graph_of(stream_.get(), work));
  }

  void launch_captured() override {
    if (!captured_) throw BuilderError("no graph was captured");
    PAGESTORM_CUDA(cudaGraphLaunch(captured_.get(), stream_.get()));
  }

  std::size_t load(const std::string& image, const std::string& kernel) override {
    CUmodule module = nullptr;
    require(driver<decltype(&cuModuleLoadData)>("cuModuleLoadData")(&module, image.c_str()), "cuModuleLoadData");
    CUfunction function = nullptr;
    require(driver<decltype(&cuModuleGetFunction)>("cuModuleGetFunction")(&function, module, kernel.c_str()),
            "cuModuleGetFunction: " + kernel);
    kernels_.push_back(function);
    return kernels_.size() - 1;
  }

  void launch(std::size_t kernel, const KernelShape& shape, std::span<const KernelArgument> arguments) override {
    const auto& [x, y, z] = shape.grid;
    if (x == 0 || y == 0 || z == 0) return;
    std::vector<void*> pointers;
    for (const KernelArgument& argument : arguments) pointers.push_back(const_cast<std::uint64_t*>(&argument.bits));
    const auto narrow = [](std::int64_t value) { return static_cast<unsigned>(value); };
    require(
        launch_(kernels_.at(kernel), narrow(x), narrow(y), narrow(z), narrow(shape.block[0]), narrow(shape.block[1]),
                narrow(shape.block[2]), narrow(shape.shared_bytes), stream_.get(), pointers.data(), nullptr),
        "cuLaunchKernel");
  }

 private:
  void require(CUresult result, const std::string& call) const {
    if (result == CUDA_SUCCESS) return;
    const char* text = nullptr;
    static_cast<void>(driver<decltype(&cuGetErrorString)>("cuGetErrorString")(result, &text));
    throw BuilderError(call + ": " + (text != nullptr ? text : "error " + std::to_string(result)));
  }

  cuda::Stream stream_;
  cuda::GraphExec captured_;
  decltype(&cuLaunchKernel) launch_ = driver<decltype(&cuLaunchKernel)>("cuLaunchKernel");
  std::vector<CUfunction> kernels_;
};

}  // namespace

std::unique_ptr<DeviceGuest> device_guest() {
  if (const std::string absent = cuda::absent_because(); !absent.empty()) throw BuilderError(absent);
  return std::make_unique<Guest>();
}

}  // namespace pagestorm
