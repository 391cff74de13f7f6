#include "pagestorm/device_syncs.hpp"

#include <chrono>
#include <functional>

#include "buffer.hpp"
#include "capture.hpp"
#include "device.hpp"
#include "host_read.hpp"
#include "launch.hpp"
#include "observer.hpp"
#include "stopwatch.hpp"
#include "timed_world.hpp"

namespace pagestorm {
namespace {

using cuda::CallCounts;
using cuda::Observer;

/// One way to do a step.
struct Path {
  const char* name;
  bool sync_free;
  bool replays;  ///< a graph
  std::function<void()> step;
};

/// The steps of one shape, and what they need; everything is allocated here.
class Steps {
 public:
  explicit Steps(const TimedShape& shape) : stream_(cuda::make_stream()), world_(shape, stream_.get()) {
    world_.verify(stream_.get());
    lengths_.reserve(static_cast<std::size_t>(shape.rows) * sizeof(std::int64_t));
    graph_ = cuda::captured(stream_.get(), [&] { launch(world_.out()); });
  }

  cudaStream_t stream() const { return stream_.get(); }

  /// Bounds from the context, lengths where they are: on the device.
  void launch(const Metadata& out) const { cuda::launch(world_.in(), out, 0, Fault::none, stream_.get()); }

  /// The same by a fault: the builder brings the lengths to the host first.
  void launch_bent() const {
    Metadata out = world_.out();
    cuda::cut_at_longest(world_.in(), out, stream_.get());
    launch(out);
  }

  void replay() const { PAGESTORM_CUDA(cudaGraphLaunch(graph_.get(), stream_.get())); }

  /// Lengths go to pinned memory, the host waits for them, and the tables are cut at the longest.
  void launch_cut() const {
    Batch in = world_.in();
    Metadata out = world_.out();
    PAGESTORM_CUDA(cudaMemcpyAsync(lengths_.data(), in.seq_lens.data,
                                   static_cast<std::size_t>(in.rows) * sizeof(std::int64_t), cudaMemcpyDeviceToHost,
                                   stream_.get()));
    PAGESTORM_CUDA(cudaStreamSynchronize(stream_.get()));
    in.seq_lens.data = lengths_.data();
    cuda::cut_at_longest_of(in, out);
    launch(out);
  }

  const Metadata& out() const { return world_.out(); }

 private:
  cuda::Stream stream_;
  cuda::TimedWorld world_;
  cuda::PinnedBuffer lengths_;
  cuda::GraphExec graph_;
};

std::vector<Path> paths_of(const Steps& steps, Fault fault) {
  const bool bent = fault == Fault::lengths_read_on_host;
  return {{"cuda-stream, bound from the context", true, false,
           [&steps, bent] { return bent ? steps.launch_bent() : steps.launch(steps.out()); }},
          {"cuda-graph, replayed", true, true, [&steps] { steps.replay(); }},
          {"host maximum from the device", false, false, [&steps] { steps.launch_cut(); }}};
}

/// An observer that misses what is made to be seen would find every path free of it.
void require_sight(Observer& observer, const Steps& steps) {
  std::vector<std::int64_t> pageable(1);
  cuda::DeviceBuffer buffer;
  cuda::PinnedBuffer pinned;
  const auto require = [](const char* what, std::int64_t seen, std::int64_t made) {
    if (seen == made) return;
    throw BuilderError("the observer sees " + std::to_string(seen) + " of " + std::to_string(made) + " " + what +
                       "; it must be the CUPTI of this driver's CUDA, and no profiler may run beside it");
  };
  const CallCounts allocating = observer.of([&] {
    buffer.reserve(sizeof(std::int64_t));
    pinned.reserve(sizeof(std::int64_t));
  });
  require("allocations", allocating.allocations, 2);
  require("launches", observer.of([&] { steps.launch(steps.out()); }).launches, 1);
  const auto copy = [&](void* to) {
    PAGESTORM_CUDA(cudaMemcpyAsync(to, buffer.data(), sizeof(std::int64_t), cudaMemcpyDeviceToHost, steps.stream()));
  };
  PAGESTORM_CUDA(cudaMemsetAsync(buffer.data(), 0, sizeof(std::int64_t), steps.stream()));
  const CallCounts quiet = observer.of([&] { copy(pinned.data()); });
  require("copies to pinned memory", quiet.copies, 1);
  require("syncs of a copy to pinned memory", quiet.host_syncs, 0);
  require("copies to pageable memory", observer.of([&] { copy(pageable.data()); }).host_syncs, 1);
  const CallCounts waiting = observer.of([&] { PAGESTORM_CUDA(cudaStreamSynchronize(steps.stream())); });
  require("waits for a stream", waiting.host_syncs, 1);
}

/// What a replay launches was captured already.
bool captures(const Path& path, cudaStream_t stream) {
  if (path.replays) return true;
  try {
    static_cast<void>(cuda::graph_of(stream, path.step));
    return true;
  } catch (const SyncInCapture&) {
    return false;
  }
}

void observe(const Path& path, Observer& observer, const Steps& steps, int iterations, PathCosts& costs) {
  const CallCounts counts = observer.of([&] {
    for (int i = 0; i < iterations; ++i) path.step();
  });
  PAGESTORM_CUDA(cudaStreamSynchronize(steps.stream()));
  const auto each = [iterations](std::int64_t all) { return static_cast<double>(all) / iterations; };
  costs.launches = each(counts.launches);
  costs.copies = each(counts.copies);
  costs.host_syncs = each(counts.host_syncs);
  costs.allocations = each(counts.allocations);
  costs.calls = {counts.named.begin(), counts.named.end()};
}

Spread time(const Path& path, cudaStream_t stream, const ObservedRuns& runs) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int repeat = -1; repeat < runs.repeats; ++repeat) {
    const auto start = Clock::now();
    for (int i = 0; i < runs.iterations; ++i) path.step();
    PAGESTORM_CUDA(cudaStreamSynchronize(stream));
    const std::chrono::duration<double, std::micro> taken = Clock::now() - start;
    if (repeat >= 0) times.push_back(taken.count() / runs.iterations);  // the first warms up
  }
  return cuda::spread_of(times);
}

}  // namespace

std::vector<PathCosts> observed_paths(const TimedShape& shape, const ObservedRuns& runs) {
  if (const std::string absent = cuda::absent_because(); !absent.empty()) throw BuilderError(absent);
  cuda::load_kernels();
  const Steps steps(shape);
  const std::vector<Path> paths = paths_of(steps, runs.fault);
  std::vector<PathCosts> all;
  for (const Path& path : paths)
    all.push_back({.path = path.name, .sync_free = path.sync_free, .microseconds = time(path, steps.stream(), runs)});
  {
    Observer observer(runs.library);
    require_sight(observer, steps);
    for (std::size_t i = 0; i < paths.size(); ++i) observe(paths[i], observer, steps, runs.iterations, all[i]);
  }
  for (std::size_t i = 0; i < paths.size(); ++i) all[i].captures = captures(paths[i], steps.stream());
  return all;
}

}  // namespace pagestorm
