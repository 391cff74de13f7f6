#include "timed_world.hpp"

#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "launch.hpp"

namespace pagestorm::cuda {
namespace {

constexpr int poison = 0x5a;
constexpr std::uint32_t seed_of_slots = 0x51ab;
constexpr std::uint32_t seed_of_rows = 0x60d5;
constexpr std::uint32_t seed_of_map = 0x7331;

/// A one-to-one map of 0 .. count - 1 onto itself that looks random: a Feistel network, walked until it is inside.
__device__ __forceinline__ std::uint64_t shuffled(std::uint64_t value, std::uint64_t count, std::uint32_t seed) {
  int half = 1;
  while ((std::uint64_t{1} << (2 * half)) < count) ++half;
  const std::uint32_t mask = (1u << half) - 1;
  do {
    auto left = static_cast<std::uint32_t>(value >> half);
    std::uint32_t right = static_cast<std::uint32_t>(value) & mask;
    for (std::uint32_t round = 1; round <= 4; ++round) {
      std::uint32_t mixed = (right + seed * round) * 0x9e3779b1u;
      mixed = (mixed ^ (mixed >> 15)) * 0x85ebca77u;
      const std::uint32_t next = left ^ ((mixed ^ (mixed >> 13)) & mask);
      left = right;
      right = next;
    }
    value = (std::uint64_t{left} << half) | right;
  } while (value >= count);
  return value;
}

/// A row a block: pages in random order, request rows in random order, the last slot of the row as its write slot.
__global__ void make_rows(TimedShape shape, Batch in) {
  const std::int64_t row = blockIdx.x;
  const auto pages = static_cast<std::uint64_t>(shape.pages());
  const std::uint64_t pool_row = 1 + shuffled(blockIdx.x, gridDim.x, seed_of_rows);
  auto* slots = const_cast<std::int32_t*>(in.req_to_token.data) + pool_row * in.req_to_token.row_stride;
  auto* writes = static_cast<std::int64_t*>(const_cast<void*>(in.out_cache_loc.data));
  for (std::int64_t at = threadIdx.x; at < shape.length; at += blockDim.x) {
    const std::uint64_t page = 1 + shuffled(row * (pages / gridDim.x) + at / shape.page_size, pages, seed_of_slots);
    const std::int64_t slot = static_cast<std::int64_t>(page) * shape.page_size + at % shape.page_size;
    slots[at] = static_cast<std::int32_t>(slot);
    if (at == shape.length - 1) writes[row] = slot;
  }
  if (threadIdx.x != 0) return;
  static_cast<std::int64_t*>(const_cast<void*>(in.seq_lens.data))[row] = shape.length;
  static_cast<std::int64_t*>(const_cast<void*>(in.req_pool_indices.data))[row] = static_cast<std::int64_t>(pool_row);
}

/// Page 0 maps to itself, the others to each other.
__global__ void make_map(std::int64_t* map, std::int64_t slots, std::int32_t page_size) {
  const std::int64_t hop = std::int64_t{gridDim.x} * blockDim.x;
  const std::uint64_t pages = slots / page_size - 1;
  for (std::int64_t slot = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; slot < slots; slot += hop) {
    const std::int64_t page = slot / page_size;
    const std::int64_t other = page == 0 ? 0 : 1 + static_cast<std::int64_t>(shuffled(page - 1, pages, seed_of_map));
    map[slot] = other * page_size + slot % page_size;
  }
}

/// The bytes of a device buffer, on the host.
std::vector<std::byte> fetched(const void* data, std::size_t bytes, cudaStream_t stream) {
  std::vector<std::byte> copy(bytes);
  PAGESTORM_CUDA(cudaMemcpyAsync(copy.data(), data, bytes, cudaMemcpyDeviceToHost, stream));
  PAGESTORM_CUDA(cudaStreamSynchronize(stream));
  return copy;
}

}  // namespace

template <class T>
T* TimedWorld::room(DeviceBuffer& buffer, std::int64_t elements) {
  buffer.reserve(static_cast<std::size_t>(elements) * sizeof(T));
  return reinterpret_cast<T*>(buffer.data());
}

IntVector TimedWorld::integers(DeviceBuffer& buffer, std::int64_t elements) {
  return {room<std::int64_t>(buffer, elements), elements, 1, IntType::int64};
}

TimedWorld::TimedWorld(const TimedShape& shape, cudaStream_t stream) : map_pages_(shape.pages() + 1) {
  const std::int64_t rows = shape.rows;
  const std::int64_t width = shape.context / shape.page_size;
  in_.entry = shape.entry;
  in_.page_size = shape.page_size;
  in_.rows = rows;
  auto* slots = room<std::int32_t>(slots_, (rows + 1) * shape.context);
  in_.req_to_token = {slots, rows + 1, shape.context, shape.context, 1};
  in_.req_pool_indices = integers(indices_, rows);
  in_.seq_lens = integers(lengths_, rows);
  in_.out_cache_loc = integers(writes_, rows);
  make_rows<<<static_cast<unsigned>(rows), 1024, 0, stream>>>(shape, in_);
  if (shape.swa) {
    in_.full_to_swa = integers(map_, map_pages_ * shape.page_size);
    make_map<<<2048, 256, 0, stream>>>(reinterpret_cast<std::int64_t*>(map_.data()), in_.full_to_swa.size,
                                       shape.page_size);
  }
  PAGESTORM_CUDA(cudaGetLastError());

  constexpr std::size_t alignment = 256;
  const std::size_t vector = (static_cast<std::size_t>(rows + 1) * 8 + alignment) / alignment * alignment;
  const std::size_t table = (static_cast<std::size_t>(rows * width) * 4 + alignment) / alignment * alignment;
  image_bytes_ = 5 * vector + 2 * table;
  image_.reserve(image_bytes_);
  PAGESTORM_CUDA(cudaMemsetAsync(image_.data(), 0, image_bytes_, stream));
  std::byte* at = image_.data();
  const auto next = [&](std::size_t bytes) { return std::exchange(at, at + bytes); };
  out_.status = reinterpret_cast<std::uint32_t*>(next(vector));
  out_.cache_seqlens = {reinterpret_cast<std::int32_t*>(next(vector)), rows, 1};
  out_.cu_seqlens_q = {reinterpret_cast<std::int32_t*>(next(vector)), rows + 1, 1};
  out_.cu_seqlens_k = {reinterpret_cast<std::int32_t*>(next(vector)), rows + 1, 1};
  if (shape.swa) out_.swa_out_cache_loc = {reinterpret_cast<std::int64_t*>(next(vector)), rows, 1};
  out_.page_table = {reinterpret_cast<std::int32_t*>(next(table)), rows, width, width, 1};
  if (shape.swa) out_.swa_page_table = {reinterpret_cast<std::int32_t*>(next(table)), rows, width, width, 1};
}

void TimedWorld::verify(cudaStream_t stream) const {
  PAGESTORM_CUDA(cudaMemsetAsync(image_.data(), poison, image_bytes_, stream));
  PAGESTORM_CUDA(cudaMemsetAsync(out_.status, 0, sizeof(*out_.status), stream));
  launch(in_, out_, 0, Fault::none, stream);
  const std::vector<std::byte> got = fetched(image_.data(), image_bytes_, stream);

  std::vector<std::byte> wanted(image_bytes_, std::byte{poison});
  std::memset(wanted.data() + (reinterpret_cast<std::byte*>(out_.status) - image_.data()), 0, sizeof(*out_.status));
  Call call;
  call.batch = in_;
  call.out = out_;
  const auto on_host = [&](auto*& pointer) {
    if (pointer == nullptr) return;
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(
        wanted.data() + (reinterpret_cast<std::byte*>(pointer) - image_.data()));
  };
  on_host(call.out.status);
  for (auto* vector : {&call.out.cache_seqlens, &call.out.cu_seqlens_q, &call.out.cu_seqlens_k}) on_host(vector->data);
  on_host(call.out.swa_out_cache_loc.data);
  for (auto* matrix : {&call.out.page_table, &call.out.swa_page_table}) on_host(matrix->data);

  const auto cells = static_cast<std::size_t>(in_.req_to_token.rows * in_.req_to_token.cols);
  const std::vector<std::byte> slots = fetched(slots_.data(), cells * 4, stream);
  call.batch.req_to_token.data = reinterpret_cast<const std::int32_t*>(slots.data());
  std::vector<std::vector<std::byte>> vectors;
  Batch& batch = call.batch;
  for (IntVector* view : {&batch.req_pool_indices, &batch.seq_lens, &batch.out_cache_loc, &batch.full_to_swa}) {
    if (view->data == nullptr) continue;
    vectors.push_back(fetched(view->data, static_cast<std::size_t>(view->size) * 8, stream));
    view->data = vectors.back().data();
  }
  host_builders().front().make(Fault::none)->run(call);
  if (got != wanted) throw BuilderError("a timed call differs from the host builder: it is not worth timing");
}

}  // namespace pagestorm::cuda
