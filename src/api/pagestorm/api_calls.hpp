#pragma once
// What a call of the CUDA runtime or driver means for a path that is to do without host syncs and allocations.

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace pagestorm {

/// By rising weight: a call that makes others counts as the heaviest of them.
enum class ApiCall : std::uint8_t {
  other,       ///< queries, records, waits of streams, settings
  launch,      ///< a kernel, or a graph
  copy,        ///< an asynchronous copy: a host sync where its host memory is pageable
  allocation,  ///< memory is taken, given back, or registered
  host_sync,   ///< the host waits for the device
};

/// The name of a call without what versions and stream modes add to it: "cuMemAlloc" of "cuMemAlloc_v2_ptsz".
constexpr std::string_view base_name(std::string_view name) {
  while (true) {
    const std::size_t at = name.rfind('_');
    if (at == std::string_view::npos || at + 1 == name.size()) return name;
    const std::string_view last = name.substr(at + 1);
    const bool version = last[0] == 'v' && last.size() > 1 && last.find_first_not_of("0123456789", 1) == last.npos;
    if (!version && last != "ptsz" && last != "ptds") return name;
    name = name.substr(0, at);
  }
}

/// What a call of this name is, "cudaX" and "cuX" alike; `other` for all that is not listed here.
constexpr ApiCall api_call_of(std::string_view name) {
  constexpr std::string_view launches[] = {
      "LaunchKernel",   "LaunchKernelEx", "LaunchKernelExC", "GraphLaunch", "LaunchCooperativeKernel",
      "LaunchHostFunc", "Launch",         "LaunchGrid"};
  constexpr std::string_view copies[] = {"MemcpyAsync", "MemcpyDtoHAsync", "MemcpyHtoDAsync"};
  constexpr std::string_view syncs[] = {
      "StreamSynchronize", "EventSynchronize", "CtxSynchronize", "DeviceSynchronize", "ThreadSynchronize", "Memcpy",
      "MemcpyDtoH",        "MemcpyHtoD",       "MemcpyDtoD",     "Memcpy2D",          "Memcpy2DUnaligned", "Memcpy3D",
      "MemcpyToSymbol",    "MemcpyFromSymbol"};
  constexpr std::string_view allocations[] = {"Malloc",        "MallocAsync",     "MallocFromPoolAsync",
                                              "MallocHost",    "MallocManaged",   "MallocPitch",
                                              "Malloc3D",      "MallocArray",     "HostAlloc",
                                              "HostRegister",  "HostUnregister",  "Free",
                                              "FreeAsync",     "FreeHost",        "FreeArray",
                                              "MemAlloc",      "MemAllocAsync",   "MemAllocFromPoolAsync",
                                              "MemAllocHost",  "MemAllocManaged", "MemAllocPitch",
                                              "MemHostAlloc",  "MemHostRegister", "MemHostUnregister",
                                              "MemFree",       "MemFreeAsync",    "MemFreeHost",
                                              "MemCreate",     "MemRelease",      "MemMap",
                                              "MemUnmap",      "ArrayCreate",     "ArrayDestroy",
                                              "MemPoolCreate", "MemPoolDestroy"};
  std::string_view base = base_name(name);
  if (base.starts_with("cuda"))
    base.remove_prefix(4);
  else if (base.starts_with("cu"))
    base.remove_prefix(2);
  else
    return ApiCall::other;
  const auto among = [base](const auto& names) {
    return std::find(std::begin(names), std::end(names), base) != std::end(names);
  };
  if (among(syncs)) return ApiCall::host_sync;
  if (among(allocations)) return ApiCall::allocation;
  if (among(copies)) return ApiCall::copy;
  return among(launches) ? ApiCall::launch : ApiCall::other;
}

/// Calls within calls, as an observer is told of them: one counts, the outermost, as the heaviest that it makes.
class ApiCalls {
 public:
  /// A call begins. Whether it is heavier than what the outermost was so far.
  bool enter(std::string_view name) {
    if (depth_++ == 0) heaviest_ = ApiCall::other;
    const ApiCall here = api_call_of(name);
    if (here <= heaviest_) return false;
    heaviest_ = here;
    return true;
  }

  /// The call that began last ends. Whether it was the outermost; an end whose beginning was not observed is none.
  bool leave() { return depth_ > 0 && --depth_ == 0; }

  /// What the outermost call is, as far as it has come.
  ApiCall heaviest() const { return heaviest_; }

 private:
  int depth_ = 0;
  ApiCall heaviest_ = ApiCall::other;
};

}  // namespace pagestorm
