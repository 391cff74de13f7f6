#include "pack.hpp"

#include <algorithm>
#include <bit>

#include "check.hpp"
#include "fault/bent.hpp"
#include "launch.cuh"

namespace pagestorm::cuda {
namespace {

/// Threads of a block: few, so that a call of few rows leaves none idle.
constexpr int pack_threads = 64;

/// One call among many: what a single launch is given, and the way to the other image.
template <class Body>
struct PackedCall {
  Work<Body> work;
  std::int64_t second = 0;  ///< bytes
  bool alone = false;       ///< one block does all of it
};

/// A call of few cells is the work of one block; others get blocks like a launch of their own.
Shape packed_shape(const Batch& in, const Metadata& out, std::int64_t pages, bool sums) {
  constexpr std::int64_t cells_a_lane = 8;  // what a row costs besides is spread over few lanes
  constexpr std::int64_t lanes_max = std::int64_t{1} << 13;
  constexpr std::int64_t row_blocks_max = std::int64_t{1} << 14;
  constexpr std::int64_t slots_a_lane = 4;
  constexpr std::int64_t translate_blocks_max = 256;
  const auto wanted = static_cast<std::uint64_t>(std::clamp<std::int64_t>(pages / cells_a_lane, 4, lanes_max));
  const auto lanes = static_cast<std::int64_t>(std::bit_floor(wanted));
  Shape shape{.lanes_shift = std::countr_zero(static_cast<std::uint64_t>(lanes))};
  const std::int64_t blocks = std::clamp<std::int64_t>(ceil_div(in.rows * lanes, pack_threads), 1, row_blocks_max);
  shape.row_blocks = static_cast<std::uint32_t>(blocks);
  shape.teams = (blocks * pack_threads) >> shape.lanes_shift;
  if (blocks == 1 || !sums) return shape;
  shape.scan_blocks = 1;
  if (in.full_to_swa.data != nullptr)
    shape.translate_blocks = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
        ceil_div(out.swa_out_cache_loc.size, pack_threads * slots_a_lane), 1, translate_blocks_max));
  return shape;
}

__device__ void move(Metadata& out, std::int64_t bytes) {
  const auto moved = [bytes](auto*& pointer) {
    using Pointer = std::remove_reference_t<decltype(pointer)>;
    if (pointer != nullptr) pointer = reinterpret_cast<Pointer>(reinterpret_cast<std::byte*>(pointer) + bytes);
  };
  moved(out.cache_seqlens.data);
  moved(out.cu_seqlens_q.data);
  moved(out.cu_seqlens_k.data);
  moved(out.page_table.data);
  moved(out.swa_page_table.data);
  moved(out.swa_out_cache_loc.data);
  moved(out.status);
}

template <class Body>
__device__ __forceinline__ void fill_any(const Body& body, const Shape& shape, std::uint32_t block) {
  using core::Layout;
  if constexpr (!std::is_same_v<decltype(body.rules), core::Sound>) {
    fill<true, Layout::any>(body, shape, block);  // cell by cell, whatever the layout
  } else if (body.layout == Layout::whole) {
    body.swa() ? fill<true, Layout::whole>(body, shape, block) : fill<false, Layout::whole>(body, shape, block);
  } else {
    body.swa() ? fill<true, Layout::any>(body, shape, block) : fill<false, Layout::any>(body, shape, block);
  }
}

template <class Body>
__device__ __forceinline__ void run_block(const PackedCall<Body>& call, std::uint32_t block) {
  const Body& body = call.work.body;
  const Shape& shape = call.work.shape;
  if (call.alone) {
    if (body.plan.sums) scan<pack_threads>(body);
    if (body.translates()) body.translate({threadIdx.x, blockDim.x});
    return fill_any(body, shape, 0);
  }
  if (block < shape.scan_blocks) return scan<pack_threads>(body);
  block -= shape.scan_blocks;
  if (block < shape.translate_blocks)
    return body.translate(
        {std::int64_t{block} * blockDim.x + threadIdx.x, std::int64_t{shape.translate_blocks} * blockDim.x});
  fill_any(body, shape, block - shape.translate_blocks);
}

template <class Body>
__global__ void __launch_bounds__(pack_threads, Body::Memory::resident_threads / pack_threads)
    run_pack(const PackedCall<Body>* calls, const PackShare* shares) {
  using Call = PackedCall<Body>;
  static_assert(sizeof(Call) % sizeof(std::uint64_t) == 0 && std::is_trivially_copyable_v<Call>);
  constexpr std::uint32_t words = sizeof(Call) / sizeof(std::uint64_t);
  __shared__ std::uint64_t memory[words];
  const PackShare share = shares[blockIdx.x];
  const auto* from = reinterpret_cast<const std::uint64_t*>(calls + share.call);
  for (std::uint32_t i = threadIdx.x; i < words; i += blockDim.x) memory[i] = from[i];
  __syncthreads();
  // As in a launch of its own; the calls were there before any kernel of the round.
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
  Call& call = *reinterpret_cast<Call*>(memory);
  if (share.image == 1) {
    if (threadIdx.x == 0) move(call.work.body.out, call.second);
    __syncthreads();
  }
  run_block(call, share.block);
}

template <class Rules>
class PackingOf final : public Packing {
 public:
  explicit PackingOf(Rules rules) : rules_(rules) {
    cudaFuncAttributes attributes;
    PAGESTORM_CUDA(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(run_pack<Body>)));
  }

  void clear() override {
    calls_.clear();
    shares_.clear();
  }

  void add(const Batch& in, const Metadata& out, std::int64_t pages, const std::int64_t* second) override {
    const auto index = static_cast<std::uint32_t>(calls_.size());
    Call& call = calls_.emplace_back(Call{{core::body_of(in, out, DeviceMemory{}, rules_), {}}, 0, false});
    const bool sums = call.work.body.plan.sums;
    call.work.shape = packed_shape(in, out, pages, sums);
    call.alone = call.work.shape.blocks() == 1;
    call.second = second == nullptr ? 0 : *second;
    for (std::uint32_t image = 0; image < (second == nullptr ? 1u : 2u); ++image)
      for (std::uint32_t block = 0; block < call.work.shape.blocks(); ++block) shares_.push_back({index, block, image});
  }

  std::span<const std::byte> calls() const override { return std::as_bytes(std::span(calls_)); }

  void launch(const std::byte* calls, const PackShare* shares, std::size_t count, cudaStream_t stream) const override {
    if (count == 0) return;
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(count));
    config.blockDim = dim3(pack_threads);
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = 1;
    PAGESTORM_CUDA(cudaLaunchKernelEx(&config, run_pack<Body>, reinterpret_cast<const Call*>(calls), shares));
  }

 private:
  using Body = core::Body<DeviceMemory, Rules>;
  using Call = PackedCall<Body>;

  Rules rules_;
  std::vector<Call> calls_;
};

}  // namespace

std::unique_ptr<Packing> make_packing(Fault fault) {
  if (fault == Fault::none) return std::make_unique<PackingOf<core::Sound>>(core::Sound{});
  return std::make_unique<PackingOf<fault::Bent>>(fault::Bent{fault});
}

}  // namespace pagestorm::cuda
