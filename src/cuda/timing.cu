#include <algorithm>

#include "core/check.hpp"
#include "device.hpp"
#include "launch.cuh"
#include "launch.hpp"
#include "pagestorm/device_timing.hpp"
#include "probes.cuh"
#include "stopwatch.hpp"
#include "timed_world.hpp"

namespace pagestorm {
namespace {

using cuda::Stopwatch;
using cuda::TimedWorld;

using Arguments = cuda::Work<core::Body<cuda::DeviceMemory, core::Sound>>;

constexpr std::int64_t blocks_max = 132 * 8;  // what a large device keeps resident
constexpr double microsecond = 1e-6;

unsigned blocks_for(std::int64_t reads, std::int64_t rows = 1) {
  constexpr std::int64_t reads_a_block = cuda::probe_threads * 4;
  return static_cast<unsigned>(std::clamp<std::int64_t>((reads + reads_a_block - 1) / reads_a_block, 1,
                                                        std::max<std::int64_t>(blocks_max * 2 / rows, 1)));
}

struct Probes {
  cudaStream_t stream;

  void read_strided(const std::int32_t* words, std::int64_t rows, std::int64_t row_stride, std::int64_t step,
                    std::int64_t columns, std::int32_t* never) const {
    cuda::
        read_strided<<<dim3(blocks_for(columns, rows), static_cast<unsigned>(rows)), cuda::probe_threads, 0, stream>>>(
            words, row_stride, step, columns, never);
    PAGESTORM_CUDA(cudaGetLastError());
  }
  void read_randomly(const std::int64_t* map, std::int64_t entries, std::int64_t step, std::int64_t count,
                     std::int32_t* never) const {
    cuda::read_randomly<<<blocks_for(count), cuda::probe_threads, 0, stream>>>(map, static_cast<std::uint32_t>(entries),
                                                                               step, count, never);
    PAGESTORM_CUDA(cudaGetLastError());
  }
  void copy(void* to, const void* from, std::int64_t bytes) const {
    PAGESTORM_CUDA(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice, stream));
  }
};

}  // namespace

std::string device_timing_absent_because() { return cuda::absent_because(); }

DeviceRates device_rates(int repeats) {
  constexpr std::int64_t gib = std::int64_t{1} << 30;
  constexpr std::int64_t map_entries = std::int64_t{1} << 23;
  constexpr std::int64_t stride = 64;
  const cuda::Stream stream = cuda::make_stream();
  const Stopwatch watch(stream.get(), repeats);
  const Probes probes{stream.get()};
  cuda::DeviceBuffer buffer;
  buffer.reserve(2 * gib + 256);
  PAGESTORM_CUDA(cudaMemsetAsync(buffer.data(), 1, 2 * gib + 256, stream.get()));
  const auto* words = reinterpret_cast<const std::int32_t*>(buffer.data());
  auto* never = reinterpret_cast<std::int32_t*>(buffer.data() + 2 * gib);

  DeviceRates rates;
  rates.empty = watch.both([&] {
    cuda::empty<Arguments><<<1, cuda::threads_max, 0, stream.get()>>>(Arguments{});
    PAGESTORM_CUDA(cudaGetLastError());
  });
  const double copy = watch.graph([&] { probes.copy(buffer.data() + gib, buffer.data(), gib); }).median;
  const std::int64_t sectors = 2 * gib / 4 / stride;
  const double strided = watch.graph([&] { probes.read_strided(words, 1, 0, stride, sectors, never); }).median;
  const double random =
      watch
          .graph([&] {
            probes.read_randomly(reinterpret_cast<const std::int64_t*>(words), map_entries, 1, map_entries, never);
          })
          .median;
  rates.copy_bytes = 2.0 * gib / (copy * microsecond);
  rates.sectors = static_cast<double>(sectors) / (strided * microsecond);
  rates.gathers = static_cast<double>(map_entries) / (random * microsecond);
  return rates;
}

TimedCall device_time(const TimedShape& shape, int repeats) {
  const cuda::Stream stream = cuda::make_stream();
  const Stopwatch watch(stream.get(), repeats);
  const Probes probes{stream.get()};
  const TimedWorld world(shape, stream.get());
  world.verify(stream.get());

  const Batch& in = world.in();
  const Metadata& out = world.out();
  TimedCall result;
  result.call = watch.both([&] {
    if (const char* problem = core::complaint(in, out)) throw BuilderError(problem);
    cuda::launch(in, out, 0, Fault::none, stream.get());
  });
  // The probes may spoil the outputs: the call is done with.
  auto* never = out.cache_seqlens.data;
  const std::int64_t columns = shape.pages() / shape.rows;
  const Matrix<const std::int32_t>& slots = in.req_to_token;
  if (shape.page_size == 1)
    result.copy = watch.graph([&] { probes.copy(out.page_table.data, slots.data, shape.pages() * 4); }).median;
  else
    result.sectors = watch
                         .graph([&] {
                           probes.read_strided(slots.data + slots.row_stride, shape.rows, slots.row_stride,
                                               shape.page_size, columns, never);
                         })
                         .median;
  if (shape.swa)
    result.gather = watch
                        .graph([&] {
                          probes.read_randomly(static_cast<const std::int64_t*>(in.full_to_swa.data), world.map_pages(),
                                               shape.page_size, shape.pages(), never);
                        })
                        .median;
  return result;
}

}  // namespace pagestorm
