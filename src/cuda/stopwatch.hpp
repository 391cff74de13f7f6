#pragma once
// Times what enqueues work on a stream: as a graph, and call by call.

#include <algorithm>
#include <chrono>
#include <vector>

#include "handles.hpp"
#include "pagestorm/device_timing.hpp"

namespace pagestorm::cuda {

inline Event make_event() {
  cudaEvent_t event = nullptr;
  PAGESTORM_CUDA(cudaEventCreate(&event));
  return Event(event);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

inline Spread spread_of(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {median(values), *least, *most};
}

class Stopwatch {
 public:
  Stopwatch(cudaStream_t stream, int repeats) : stream_(stream), repeats_(std::max(repeats, 1)) {
    for (int i = 0; i <= replays_max; ++i) marks_.push_back(make_event());
  }

  /// `call` enqueues one call.
  template <class Call>
  Spread graph(const Call& call, int replays = 20) const {
    const GraphExec exec = graph_of(call);
    std::vector<double> medians;
    replay(exec.get(), replays);
    for (int repeat = 0; repeat < repeats_; ++repeat) medians.push_back(replay(exec.get(), replays));
    return spread_of(medians);
  }

  template <class Call>
  Spread eager(const Call& call) const {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times;
    for (int repeat = -1; repeat < repeats_; ++repeat) {
      const auto start = Clock::now();
      for (int i = 0; i < eager_calls; ++i) call();
      PAGESTORM_CUDA(cudaStreamSynchronize(stream_));
      const std::chrono::duration<double, std::micro> passed = Clock::now() - start;
      if (repeat >= 0) times.push_back(passed.count() / eager_calls);  // the first round is the warm-up
    }
    return spread_of(times);
  }

  template <class Call>
  Timed both(const Call& call) const {
    return {graph(call), eager(call)};
  }

 private:
  static constexpr int graph_calls = 50;
  static constexpr int eager_calls = 300;
  static constexpr int replays_max = 20;

  template <class Call>
  GraphExec graph_of(const Call& call) const {
    cudaGraph_t raw = nullptr;
    cudaGraphExec_t exec = nullptr;
    PAGESTORM_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < graph_calls; ++i) call();
    PAGESTORM_CUDA(cudaStreamEndCapture(stream_, &raw));
    const Graph graph(raw);
    PAGESTORM_CUDA(cudaGraphInstantiate(&exec, graph.get(), 0));
    return GraphExec(exec);
  }

  /// Replays follow each other without a gap: the host is ahead after the first.
  double replay(cudaGraphExec_t exec, int replays) const {
    for (int i = 0; i <= replays; ++i) {
      PAGESTORM_CUDA(cudaEventRecord(marks_[static_cast<std::size_t>(i)].get(), stream_));
      if (i < replays) PAGESTORM_CUDA(cudaGraphLaunch(exec, stream_));
    }
    PAGESTORM_CUDA(cudaStreamSynchronize(stream_));
    std::vector<double> times;
    for (std::size_t i = 0; i < static_cast<std::size_t>(replays); ++i) {
      float milliseconds = 0;
      PAGESTORM_CUDA(cudaEventElapsedTime(&milliseconds, marks_[i].get(), marks_[i + 1].get()));
      times.push_back(static_cast<double>(milliseconds) * 1000 / graph_calls);
    }
    return median(times);
  }

  cudaStream_t stream_;
  int repeats_;
  std::vector<Event> marks_;
};

}  // namespace pagestorm::cuda
