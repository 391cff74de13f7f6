#include "regions.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace pagestorm::outside {
namespace {

constexpr std::size_t guard = std::size_t{64} << 20;

template <class Found>
auto& known(Found& all, std::uint32_t number) {
  const auto found = all.find(number);
  if (found == all.end()) throw std::runtime_error("region " + std::to_string(number) + " was never given");
  return found->second;
}

[[noreturn]] void refuse(const char* what) {
  throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

void locate_one(pagestorm_tensor& tensor, std::byte* start) {
  if (tensor.data != nullptr) tensor.data = start + (reinterpret_cast<std::uintptr_t>(tensor.data) - 1);
}

}  // namespace

void MappedRegions::add(const pagestorm_wire_region& region, int descriptor) {
  forget(region.region);
  const auto bytes = static_cast<std::size_t>(region.bytes);
  void* reserved = mmap(nullptr, bytes + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) refuse("cannot reserve address space for shared memory");
  std::byte* start = static_cast<std::byte*>(reserved) + guard;
  if (mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, descriptor, 0) == MAP_FAILED)
    refuse("cannot map shared memory");
  close(descriptor);
  mappings_[region.region] = {start, bytes, false};
}

void MappedRegions::forget(std::uint32_t number) {
  const auto found = mappings_.find(number);
  if (found == mappings_.end()) return;
  munmap(found->second.start - guard, found->second.bytes + 2 * guard);
  mappings_.erase(found);
}

std::byte* MappedRegions::inputs(std::uint32_t number) {
  Mapping& inputs = known(mappings_, number);
  if (!inputs.read_only && mprotect(inputs.start, inputs.bytes, PROT_READ) != 0) refuse("cannot protect inputs");
  inputs.read_only = true;
  return inputs.start;
}

std::byte* MappedRegions::image(std::uint32_t number) { return known(mappings_, number).start; }

void DeviceRegions::add(const pagestorm_wire_region& region, int descriptor) {
  if (descriptor >= 0) close(descriptor);
  forget(region.region);
  starts_[region.region] = guest_.open(region);
}

void DeviceRegions::forget(std::uint32_t number) {
  const auto found = starts_.find(number);
  if (found == starts_.end()) return;
  guest_.close(found->second);
  starts_.erase(found);
}

std::byte* DeviceRegions::inputs(std::uint32_t number) { return known(starts_, number); }

void locate(pagestorm_wire_call& call, Regions& regions) {
  std::byte* inputs = regions.inputs(call.inputs);
  std::byte* image = regions.image(call.image);
  pagestorm_batch& batch = call.batch;
  for (pagestorm_tensor* tensor : {&batch.req_to_token, &batch.req_pool_indices, &batch.seq_lens,
                                   &batch.extend_seq_lens, &batch.out_cache_loc, &batch.full_to_swa})
    locate_one(*tensor, inputs);
  pagestorm_metadata& out = call.out;
  for (pagestorm_tensor* tensor : {&out.cache_seqlens, &out.cu_seqlens_q, &out.cu_seqlens_k, &out.page_table,
                                   &out.swa_page_table, &out.swa_out_cache_loc, &out.status})
    locate_one(*tensor, image);
}

}  // namespace pagestorm::outside
