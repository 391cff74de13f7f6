#include "launch.cuh"

#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cuda/std/functional>

#include "poison.hpp"
#include "rest.hpp"

namespace pagestorm::judge {
namespace {

constexpr int threads = 128;  // of a block
constexpr int warps = threads / warp;
constexpr std::uint32_t everyone = 0xffffffffu;

/// Queries and keys of rows, added up together.
struct Sums {
  std::int64_t queries = 0;
  std::int64_t keys = 0;

  __device__ friend Sums operator+(const Sums& a, const Sums& b) { return {a.queries + b.queries, a.keys + b.keys}; }
};

using WarpScan = cub::WarpScan<Sums>;
using WarpSum = cub::WarpReduce<Sums>;

/// The kernel after this one may take its place on the device from now on; what this one reads and writes besides its task
/// comes after the kernel before it.
__device__ __forceinline__ void wait_for_the_one_before() {
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

__device__ __forceinline__ std::int32_t lane_index() { return static_cast<std::int32_t>(threadIdx.x) % warp; }

/// Which strand this warp is; not below the count for a warp that has nothing to do.
__device__ __forceinline__ std::uint32_t strand_index() {
  return blockIdx.x * static_cast<std::uint32_t>(warps) + threadIdx.x / warp;
}

/// Among all lanes of the parts of one kind.
__device__ __forceinline__ Lane lane_of(std::uint32_t part, std::uint32_t parts) {
  return {static_cast<std::int32_t>(part) * warp + lane_index(), static_cast<std::int32_t>(parts) * warp};
}

template <class Work>
__device__ __forceinline__ void each_row(const Task& task, std::uint32_t part, const Work& work) {
  const RowDuty duty(task.cut, part, lane_index());
  for (std::int64_t row = duty.first; row < task.job.in.rows; row += duty.stride) work(row, duty.lane);
}

__global__ void __launch_bounds__(threads) poison_kernel(const Round round) {
  const std::uint32_t index = strand_index();
  if (index >= round.poison.count) return;
  const Strand strand = round.poison.first[index];
  const Task& task = round.tasks[strand.task];
  wait_for_the_one_before();
  if (strand.what() == Kind::rest)
    poison_rest(task.job, strand.which(), task.rest[strand.zone].zone,
                lane_of(strand.part, task.cut.rest_parts[strand.zone]));
  else
    each_row(task, strand.part, [&](std::int64_t row, const Lane& lane) { poison_row(task.job, row, lane); });
}

/// What a row adds to the sums. Its status bits go to `finding`.
__device__ __forceinline__ Sums sums_of(const Job& job, std::int64_t row, Finding& finding) {
  const Count keys = kv_length(job.in, row);
  const Count queries = query_length(job.in, row, keys.value);
  finding.status |= keys.status | queries.status;
  return {queries.value, keys.value};
}

/// All rows before `end`, added up.
__device__ Sums sums_before(const Job& job, std::int64_t end, Finding& finding) {
  __shared__ WarpSum::TempStorage storage[warps];
  Sums own;
  for (std::int64_t row = lane_index(); row < end; row += warp) own = own + sums_of(job, row, finding);
  Sums all = WarpSum(storage[threadIdx.x / warp]).Sum(own);
  all.queries = __shfl_sync(everyone, all.queries, 0);
  all.keys = __shfl_sync(everyone, all.keys, 0);
  return all;
}

/// Lengths and sums of the rows of one part, tile after tile, a row a lane.
__device__ __noinline__ Finding judge_sums(const Job& job, std::uint32_t part, std::uint32_t parts) {
  __shared__ WarpScan::TempStorage storage[warps];
  const std::int64_t tiles = (job.in.rows + warp - 1) / warp;
  const std::int64_t share = (tiles + parts - 1) / parts * warp;
  const std::int64_t first = part * share;
  const std::int64_t end = first + share < job.in.rows ? first + share : job.in.rows;
  Finding finding;
  if (part == 0 && lane_index() == 0) judge_sum_zero(job, finding);
  Sums before = sums_before(job, first < end ? first : 0, finding);
  for (std::int64_t tile = first; tile < end; tile += warp) {
    const std::int64_t row = tile + lane_index();
    const bool mine = row < end;
    const Sums own = mine ? sums_of(job, row, finding) : Sums{};
    Sums sum, whole;
    WarpScan(storage[threadIdx.x / warp]).InclusiveScan(own, sum, cuda::std::plus<>{}, whole);
    __syncwarp();
    sum = before + sum;
    before = before + whole;
    if (mine) judge_lengths(job, row, own.keys, sum.queries, sum.keys, finding);
  }
  return finding;
}

template <bool window>
__device__ __forceinline__ Finding judge_rows(const Task& task, std::uint32_t part) {
  Finding finding;
  each_row(task, part, [&](std::int64_t row, const Lane& lane) { judge_row<window>(task.job, row, lane, finding); });
  return finding;
}

__device__ __noinline__ Finding judge_all_owned(const Task& task, std::uint32_t part) {
  Finding finding;
  each_row(task, part, [&](std::int64_t row, const Lane& lane) { judge_owned(task.job, row, lane, finding); });
  return finding;
}

__device__ __noinline__ Finding judge_slots(const Task& task, std::uint32_t part) {
  Finding finding;
  judge_write_slots(task.job, lane_of(part, task.cut.slot_parts), finding);
  return finding;
}

__device__ __noinline__ Finding judge_zone(const Task& task, const Strand& strand) {
  Finding finding;
  judge_rest(task.job, strand.which(), task.rest[strand.zone], lane_of(strand.part, task.cut.rest_parts[strand.zone]),
             finding);
  return finding;
}

__device__ __forceinline__ Finding judge_strand(const Task& task, const Strand& strand) {
  switch (strand.what()) {
    case Kind::rows: return judge_rows<false>(task, strand.part);
    case Kind::window_rows: return judge_rows<true>(task, strand.part);
    case Kind::owned: return judge_all_owned(task, strand.part);
    case Kind::sums: return judge_sums(task.job, strand.part, task.cut.sum_parts);
    case Kind::write_slots: return judge_slots(task, strand.part);
    case Kind::rest: return judge_zone(task, strand);
  }
  return {};
}

/// What all lanes of the warp found, for its lane 0.
__device__ __forceinline__ Finding of_warp(Finding finding) {
  finding.status = __reduce_or_sync(everyone, finding.status);
  finding.laws = __reduce_or_sync(everyone, finding.laws);
  if (finding.laws == 0) return finding;
  for (int apart = warp / 2; apart > 0; apart /= 2) {
    const std::uint64_t other = __shfl_down_sync(everyone, finding.word, apart);
    if (other < finding.word) finding.word = other;
  }
  return finding;
}

__device__ __forceinline__ void add(Tally& tally, const Finding& finding) {
  if (finding.status != 0) atomicOr(&tally.status, finding.status);
  if (finding.laws == 0) return;
  atomicOr(&tally.laws, finding.laws);
  atomicMin(&tally.word, static_cast<unsigned long long>(finding.word));
}

__global__ void __launch_bounds__(threads, 5) judge_kernel(const Round round) {
  const std::uint32_t index = strand_index();
  if (index >= round.judge.count) return;
  const Strand strand = round.judge.first[index];
  const Task& task = round.tasks[strand.task];
  wait_for_the_one_before();
  const Finding own = judge_strand(task, strand);
  __syncwarp();
  const Finding finding = of_warp(own);
  if (lane_index() == 0) add(round.tallies[strand.task], finding);
}

/// All strands are done: the status word is judged last, and the tally is as it was before the first.
__global__ void __launch_bounds__(threads) conclude_kernel(const Round round) {
  const std::uint32_t index = blockIdx.x * threads + threadIdx.x;
  if (index >= round.count) return;
  wait_for_the_one_before();
  Tally& tally = round.tallies[index];
  Finding finding{tally.laws, tally.status, tally.word};
  judge_status(round.tasks[index].job, finding);
  tally = {};
  if (finding.laws == 0) return;
  Verdict& verdict = round.verdicts[index];
  verdict.laws |= finding.laws;
  if (finding.word < verdict.word) verdict.word = finding.word;
}

cudaError_t launch(void (*kernel)(Round), const Round& round, std::uint32_t count, std::uint32_t items_a_block,
                   cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((count + items_a_block - 1) / items_a_block);
  config.blockDim = dim3(threads);
  config.stream = stream;
  config.attrs = &overlap;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, round);
}

}  // namespace

cudaError_t poison(const Round& round, cudaStream_t stream) {
  return launch(poison_kernel, round, round.poison.count, warps, stream);
}

cudaError_t judge(const Round& round, cudaStream_t stream) {
  const cudaError_t error = launch(judge_kernel, round, round.judge.count, warps, stream);
  return error == cudaSuccess ? launch(conclude_kernel, round, round.count, threads, stream) : error;
}

}  // namespace pagestorm::judge
