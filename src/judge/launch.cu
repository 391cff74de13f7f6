#include "launch.cuh"

#include <algorithm>
#include <bit>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/std/functional>

#include "poison.hpp"
#include "rest.hpp"

namespace pagestorm::judge {
namespace {

/// Queries and keys of rows, added up together.
struct Sums {
  std::int64_t queries = 0;
  std::int64_t keys = 0;

  __device__ friend Sums operator+(const Sums& a, const Sums& b) { return {a.queries + b.queries, a.keys + b.keys}; }
};

using Scan = cub::BlockScan<Sums, threads>;
using WarpScan = cub::WarpScan<Sums>;

/// The task of this block, in shared memory, for all threads.
__device__ void load(Task& task, const Task& from) {
  static_assert(sizeof(Task) % sizeof(std::uint64_t) == 0);
  constexpr std::uint32_t words = sizeof(Task) / sizeof(std::uint64_t);
  for (std::uint32_t i = threadIdx.x; i < words; i += threads)
    reinterpret_cast<std::uint64_t*>(&task)[i] = reinterpret_cast<const std::uint64_t*>(&from)[i];
  __syncthreads();
}

/// The kernel after this one may take its place on the device from now on; what this one reads and writes besides its task
/// comes after the kernel before it.
__device__ __forceinline__ void wait_for_the_one_before() {
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

/// What one thread of a part has to do.
struct Duty {
  Lane all;             ///< among all threads of the task
  Lane lane;            ///< among those of a row
  std::int32_t first;   ///< row of the first thread of the block
  std::int32_t stride;  ///< from there to the first row of the next turn
  std::int32_t rows;    ///< of the block, in one turn
  std::int32_t row;     ///< of this thread among them

  __device__ Duty(const Cut& cut, std::uint32_t part) {
    const auto before = static_cast<std::int32_t>(part * threads);
    const auto thread = static_cast<std::int32_t>(threadIdx.x);
    const std::int32_t lanes = 1 << cut.lanes_shift;
    const bool many = lanes < threads;
    all = {before + thread, static_cast<std::int32_t>(cut.parts * threads)};
    lane = {all.index & (lanes - 1), lanes};
    first = before >> cut.lanes_shift;
    stride = all.count >> cut.lanes_shift;
    rows = many ? threads >> cut.lanes_shift : 1;
    row = many ? thread >> cut.lanes_shift : 0;
  }
};

inline constexpr int rows_a_turn = threads >> Cut::lanes_shift_least;

/// Rows turn by turn: a thread prepares each row of the block, then all lanes of the row work on it.
template <class Prepared, class Prepare, class Work>
__device__ __forceinline__ void each_row(const Job& job, const Duty& duty, const Prepare& prepare, const Work& work) {
  __shared__ alignas(Prepared) std::byte memory[rows_a_turn * sizeof(Prepared)];
  auto* prepared = reinterpret_cast<Prepared*>(memory);
  for (std::int64_t first = duty.first; first < job.in.rows; first += duty.stride) {
    if (static_cast<std::int32_t>(threadIdx.x) < duty.rows && first + threadIdx.x < job.in.rows)
      prepared[threadIdx.x] = prepare(first + threadIdx.x);
    __syncthreads();
    if (first + duty.row < job.in.rows) work(first + duty.row, prepared[duty.row]);
    __syncthreads();
  }
}

/// The rest zones of a task, for all threads of the block.
__device__ __forceinline__ void prepare(RestZones& zones, const Job& job) {
  if (threadIdx.x < rest_count) zones.set(static_cast<int>(threadIdx.x), rest_zone(job, static_cast<int>(threadIdx.x)));
  __syncthreads();
  if (threadIdx.x == 0) zones.add_up();
  __syncthreads();
}

__global__ void __launch_bounds__(threads, 12) poison_kernel(const Task* tasks, const Share* shares) {
  __shared__ Task task;
  __shared__ RestZones rest;
  const Share share = shares[blockIdx.x];
  load(task, tasks[share.task]);
  wait_for_the_one_before();
  const Job& job = task.job;
  const Duty duty(task.cut, share.part);
  prepare(rest, job);
  poison_rest(job, rest, duty.all);
  each_row<RowZones>(
      job, duty, [&](std::int64_t row) { return zones_of(job, row); },
      [&](std::int64_t, const RowZones& zones) { poison_row(job, zones, duty.lane); });
}

/// Lengths and sums of one row a thread, and what `scan` makes of them.
template <class ScanRows>
__device__ __forceinline__ void judge_tile(const Job& job, std::int64_t row, Sums& before, const ScanRows& scan,
                                           Finding& finding) {
  const bool mine = row < job.in.rows;
  const Count keys = mine ? kv_length(job.in, row) : Count{};
  const Count queries = mine ? query_length(job.in, row, keys.value) : Count{};
  Sums sum, whole;
  scan(Sums{queries.value, keys.value}, sum, whole);
  finding.status |= keys.status | queries.status;
  sum = before + sum;
  before = before + whole;
  if (mine) judge_lengths(job, row, keys.value, sum.queries, sum.keys, finding);
}

/// Lengths and sums of all rows: by one warp where it has lanes enough, else by the block, tile after tile.
__device__ __noinline__ Finding judge_sums(const Job& job) {
  __shared__ union {
    Scan::TempStorage block;
    WarpScan::TempStorage warp;
  } storage;
  constexpr int warp = 32;
  Sums before;
  Finding finding;
  if (job.in.rows <= warp) {
    if (threadIdx.x >= warp) return finding;
    const auto scan = [&](const Sums& own, Sums& sum, Sums& whole) {
      WarpScan(storage.warp).InclusiveScan(own, sum, cuda::std::plus<>{}, whole);
    };
    judge_tile(job, threadIdx.x, before, scan, finding);
    return finding;
  }
  const auto scan = [&](const Sums& own, Sums& sum, Sums& whole) {
    Scan(storage.block).InclusiveScan(own, sum, cuda::std::plus<>{}, whole);
    __syncthreads();
  };
  for (std::int64_t tile = 0; tile < job.in.rows; tile += threads)
    judge_tile(job, tile + threadIdx.x, before, scan, finding);
  return finding;
}

template <bool swa>
__device__ __forceinline__ void judge_rows(const Job& job, const Duty& duty, Finding& finding) {
  each_row<RowTask>(
      job, duty, [&](std::int64_t row) { return row_task(job, row); },
      [&](std::int64_t row, const RowTask& task) { judge_row<swa>(job, row, task, duty.lane, finding); });
}

__device__ void add(Tally& tally, const Finding& finding) {
  if (finding.status != 0) atomicOr(&tally.status, finding.status);
  if (finding.laws == 0) return;
  atomicOr(&tally.laws, finding.laws);
  atomicMin(&tally.word, static_cast<unsigned long long>(finding.word));
}

/// All parts are done: the status word is judged last, and the tally is as it was before the first part.
__device__ void conclude(const Job& job, Tally& tally, Verdict& verdict) {
  Finding finding{tally.laws, tally.status, tally.word};
  judge_status(job, finding);
  tally = {};
  if (finding.laws == 0) return;
  verdict.laws |= finding.laws;
  if (finding.word < verdict.word) verdict.word = finding.word;
}

template <bool swa>
__device__ __forceinline__ Finding judge_part(const Job& job, const Duty& duty, std::uint32_t part) {
  __shared__ RestZones rest;
  Finding finding;
  prepare(rest, job);
  judge_rows<swa>(job, duty, finding);
  if (part == 0) finding.add(judge_sums(job));
  finding.add(judge_rest(job, rest, duty.all));
  return finding;
}

__global__ void __launch_bounds__(threads, 8) judge_kernel(const Round round) {
  __shared__ Task task;
  __shared__ Tally of_block;
  const Share share = round.shares[blockIdx.x];
  if (threadIdx.x == 0) of_block = {};
  load(task, round.tasks[share.task]);
  wait_for_the_one_before();
  const Duty duty(task.cut, share.part);
  Finding finding =
      task.job.swa() ? judge_part<true>(task.job, duty, share.part) : judge_part<false>(task.job, duty, share.part);
  finding.status = __reduce_or_sync(0xffffffffu, finding.status);
  if (threadIdx.x % 32 != 0) finding.status = 0;
  add(of_block, finding);
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (task.cut.parts == 1) return conclude(task.job, of_block, round.verdicts[share.task]);
  Tally& tally = round.tallies[share.task];
  add(tally, {of_block.laws, of_block.status, of_block.word});
  __threadfence();
  if (atomicAdd(&tally.done, 1u) + 1 < task.cut.parts) return;
  __threadfence();
  conclude(task.job, tally, round.verdicts[share.task]);
}

}  // namespace

Cut Cut::of(std::int64_t rows, std::int64_t pages) {
  constexpr std::int64_t cells_a_lane = 4;
  constexpr std::int64_t lanes_max = std::int64_t{1} << 16;
  constexpr std::int64_t parts_max = lanes_max / threads;  // whole rows at a time, however many lanes they have
  const auto wanted = static_cast<std::uint64_t>(std::clamp<std::int64_t>(pages / cells_a_lane, 1, lanes_max));
  const auto shift = std::max(static_cast<std::uint32_t>(std::bit_width(wanted)) - 1, lanes_shift_least);
  const std::int64_t parts = ((rows << shift) + threads - 1) / threads;
  return {static_cast<std::uint32_t>(std::clamp<std::int64_t>(parts, 1, parts_max)), shift};
}

namespace {

template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), std::uint32_t blocks, cudaStream_t stream, Arguments... arguments) {
  if (blocks == 0) return cudaSuccess;
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.stream = stream;
  config.attrs = &overlap;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

}  // namespace

cudaError_t poison(const Round& round, cudaStream_t stream) {
  return launch(poison_kernel, round.blocks, stream, round.tasks, round.shares);
}

cudaError_t judge(const Round& round, cudaStream_t stream) { return launch(judge_kernel, round.blocks, stream, round); }

}  // namespace pagestorm::judge
