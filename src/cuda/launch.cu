#include "launch.hpp"

#include <algorithm>

#include "check.hpp"
#include "fault/bent.hpp"
#include "launch.cuh"

namespace pagestorm::cuda {
namespace {

using core::Layout;

template <class Memory, class Rules>
using Kernel = void (*)(Work<core::Body<Memory, Rules>>);

template <class Memory, class Rules, Layout layout>
Kernel<Memory, Rules> kernel_for(bool swa) {
  using Body = core::Body<Memory, Rules>;
  return swa ? run<Body, true, layout> : run<Body, false, layout>;
}

/// A bent body goes cell by cell: one kernel is all of its kernels. Regions are those of one kernel too.
template <class Memory, class Rules>
Kernel<Memory, Rules> kernel_of(bool swa, Layout layout) {
  using Body = core::Body<Memory, Rules>;
  if constexpr (Rules::reads_old)
    return run<Body, true, Layout::any>;
  else if constexpr (Memory::by_region)
    return run<Body, true, Layout::whole>;
  else if (layout == Layout::whole)
    return kernel_for<Memory, Rules, Layout::whole>(swa);
  else if (layout == Layout::dense)
    return kernel_for<Memory, Rules, Layout::dense>(swa);
  else
    return kernel_for<Memory, Rules, Layout::any>(swa);
}

std::int64_t cache_bytes() {
  static const std::int64_t bytes = [] {
    int device = 0;
    int size = 0;
    PAGESTORM_CUDA(cudaGetDevice(&device));
    PAGESTORM_CUDA(cudaDeviceGetAttribute(&size, cudaDevAttrL2CacheSize, device));
    return std::int64_t{size};
  }();
  return bytes;
}

std::int64_t entry_bytes(const Batch& in) { return in.full_to_swa.type == IntType::int64 ? 8 : 4; }

/// What the L2 cache can keep of what a call reads, if all rows are alike: lines of slots and of the map.
DeviceMemory memory_for(const Batch& in, Layout layout, const Choice& choice) {
  constexpr std::int64_t line = 128;
  if (choice.short_of_cache) return {.live_kept = 0};
  if (layout == Layout::whole) return {};
  const std::int64_t entry = in.full_to_swa.data == nullptr ? 0 : entry_bytes(in);
  const std::int64_t bytes = std::min<std::int64_t>(4 * in.page_size, line) + std::min(entry * in.page_size, line);
  return {.live_kept = cache_bytes() / 4 * 3 / bytes / std::max<std::int64_t>(in.rows, 1)};
}

/// Entries of the map that are to be looked up before others; 0 where the map is to be taken as a whole. Lanes drift apart,
/// and each half of the cache keeps what its half of the multiprocessors reads: a quarter of it is a region.
std::int64_t region_of(const Batch& in, const Metadata& out, Layout layout, const Choice& choice) {
  const std::int64_t entries = in.full_to_swa.size;
  if (layout != Layout::whole || in.full_to_swa.data == nullptr || entries == 0) return 0;
  if (choice.regions > 0) return ceil_div(entries, choice.regions);
  const std::int64_t bytes = entries * entry_bytes(in);
  constexpr std::int64_t entries_a_cell = 4;  // more: few lines of a region would be read twice
  if (bytes <= cache_bytes() / 4 * 3 || entries / entries_a_cell > in.rows * out.page_table.cols) return 0;
  return ceil_div(entries, ceil_div(bytes, cache_bytes() / 4));
}

template <class Memory, class Rules>
void launch_with(Memory memory, Rules rules, const Batch& in, const Metadata& out, const Choice& choice,
                 cudaStream_t stream) {
  Work<core::Body<Memory, Rules>> work{core::body_of(in, out, memory, rules), {}};
  const Layout layout = work.body.layout;
  const bool swa = work.body.swa();
  const int fours = Memory::by_region ? Memory::mapped_fours : swa ? 1 : Memory::fours;
  const int cells = layout == Layout::whole ? fours * core::Four::width : 1;
  work.shape = shape_of(in, out, work.body.plan.sums, layout, cells, choice);
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(work.shape.blocks());
  config.blockDim = dim3(static_cast<unsigned>(work.shape.threads));
  config.stream = stream;
  config.attrs = &overlap;
  config.numAttrs = 1;
  void* arguments[] = {&work};
  const auto kernel = reinterpret_cast<const void*>(kernel_of<Memory, Rules>(swa, layout));
  PAGESTORM_CUDA(cudaLaunchKernelExC(&config, kernel, arguments));
}

template <class Memory, class Rules>
void load() {
  for (const bool swa : {false, true})
    for (const Layout layout : {Layout::any, Layout::dense, Layout::whole}) {
      cudaFuncAttributes attributes;
      const auto kernel = reinterpret_cast<const void*>(kernel_of<Memory, Rules>(swa, layout));
      PAGESTORM_CUDA(cudaFuncGetAttributes(&attributes, kernel));
    }
}

}  // namespace

void launch(const Batch& in, const Metadata& out, std::uint64_t order, Fault fault, cudaStream_t stream) {
  const Choice choice = choice_of(order);
  if (fault != Fault::none) return launch_with(DeviceMemory{}, fault::Bent{fault}, in, out, choice, stream);
  const Layout layout = core::layout_of<DeviceMemory>(in, out);
  const DeviceMemory memory = memory_for(in, layout, choice);
  const std::int64_t region = region_of(in, out, layout, choice);
  if (region == 0) return launch_with(memory, core::Sound{}, in, out, choice, stream);
  const auto slots = static_cast<std::uint32_t>(std::min<std::int64_t>(region, INT32_MAX));
  launch_with(RegionMemory{memory, slots}, core::Sound{}, in, out, choice, stream);
}

void load_kernels() {
  load<DeviceMemory, core::Sound>();
  load<RegionMemory, core::Sound>();
  load<DeviceMemory, fault::Bent>();
  static_cast<void>(cache_bytes());
}

}  // namespace pagestorm::cuda
