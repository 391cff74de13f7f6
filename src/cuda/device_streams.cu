#include "pagestorm/device_streams.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "buffer.hpp"
#include "capture.hpp"
#include "device.hpp"
#include "handles.hpp"
#include "pagestorm/stream_complaint.hpp"
#include "stream_half.hpp"

namespace pagestorm {
namespace {

constexpr int halves = 2;

void refuse(const std::string& complaint) {
  if (!complaint.empty()) throw std::invalid_argument(complaint);
}

/// An array of 32-bit words, or of touches.
template <class T, class Memory>
T* room(Memory& memory, std::size_t count) {
  memory.reserve(std::max<std::size_t>(count, 1) * sizeof(T));
  return reinterpret_cast<T*>(memory.data());
}

class CudaStreams final : public StreamRunner {
 public:
  CudaStreams() { cuda::load_half_kernel(); }
  ~CudaStreams() override { static_cast<void>(cudaDeviceSynchronize()); }

  void prepare(const StreamWork& work) override;
  StreamSights run(std::span<const StreamDelay> delays) override;

 private:
  cudaStream_t stream(std::int32_t actor) const { return streams_[static_cast<std::size_t>(actor)].get(); }
  cudaEvent_t event(std::int32_t number) const { return events_[static_cast<std::size_t>(number)].get(); }
  std::int32_t* delay(int half, std::int32_t operation) const {
    return delays_home_ + half * work_.operations.size() + operation;
  }

  void make_room();
  void capture();
  void begin(std::span<const StreamDelay> delays);
  void play();
  void take(const StreamItem& item, bool capturing);
  void enqueue(std::int32_t operation, cudaStream_t stream) const;
  void copy_pinned(const StreamOperation& operation, int half, cudaStream_t stream) const;
  void run_on_host(std::int32_t operation) const;
  void sync_all() const;
  StreamSights sights();

  StreamWork work_;
  std::vector<cuda::Stream> streams_;  ///< by actor; none for the host
  std::vector<cuda::Event> events_;
  std::vector<cuda::GraphExec> graphs_;  ///< of the replays, in their order
  cuda::DeviceBuffer touches_buffer_, cells_buffer_, seen_buffer_, delays_buffer_;
  cuda::PinnedBuffer pinned_buffer_, home_buffer_, delays_home_buffer_;
  StreamTouch* touches_ = nullptr;
  std::int32_t* cells_ = nullptr;        ///< [halves x cells], on the device
  std::int32_t* seen_ = nullptr;         ///< [halves x touches], on the device
  std::int32_t* delays_ = nullptr;       ///< [halves x operations], on the device
  std::int32_t* pinned_ = nullptr;       ///< [halves x pinned_cells]
  std::int32_t* home_ = nullptr;         ///< [halves x touches], pinned: what was seen
  std::int32_t* delays_home_ = nullptr;  ///< [halves x operations], pinned
};

void CudaStreams::prepare(const StreamWork& work) {
  refuse(complaint(work));
  sync_all();
  graphs_.clear();
  work_ = work;
  streams_.resize(std::max<std::size_t>(streams_.size(), static_cast<std::size_t>(work.actors)));
  for (std::size_t actor = 1; actor < streams_.size(); ++actor)
    if (streams_[actor] == nullptr) streams_[actor] = cuda::make_stream();
  while (events_.size() < static_cast<std::size_t>(work.events)) events_.push_back(cuda::make_order_event());
  make_room();
  capture();
  static_cast<void>(run({}));  // what is set up on first use must not come between
}

void CudaStreams::make_room() {
  const std::size_t touches = work_.touches.size();
  const std::size_t operations = work_.operations.size();
  touches_ = room<StreamTouch>(touches_buffer_, touches);
  cells_ = room<std::int32_t>(cells_buffer_, halves * static_cast<std::size_t>(work_.cells));
  seen_ = room<std::int32_t>(seen_buffer_, halves * touches);
  delays_ = room<std::int32_t>(delays_buffer_, halves * operations);
  pinned_ = room<std::int32_t>(pinned_buffer_, halves * static_cast<std::size_t>(work_.pinned_cells));
  home_ = room<std::int32_t>(home_buffer_, halves * touches);
  delays_home_ = room<std::int32_t>(delays_home_buffer_, halves * operations);
  PAGESTORM_CUDA(cudaMemcpy(touches_, work_.touches.data(), touches * sizeof(StreamTouch), cudaMemcpyHostToDevice));
  PAGESTORM_CUDA(cudaDeviceSynchronize());  // a copy from pageable memory may return before it is there
}

/// Every replay is captured before anything runs, and put onto the device.
void CudaStreams::capture() {
  for (std::size_t i = 0; i < work_.items.size(); ++i) {
    if (work_.items[i].kind != StreamItemKind::begin_replay) continue;
    cudaStream_t on = stream(work_.items[i].actor);
    const cuda::Graph graph = cuda::graph_of(on, [&] {
      for (++i; work_.items[i].kind != StreamItemKind::end_replay; ++i) take(work_.items[i], true);
    });
    graphs_.push_back(cuda::instantiated(graph));
    PAGESTORM_CUDA(cudaGraphUpload(graphs_.back().get(), on));
    PAGESTORM_CUDA(cudaStreamSynchronize(on));
  }
}

StreamSights CudaStreams::run(std::span<const StreamDelay> delays) {
  refuse(complaint(work_, delays));
  sync_all();
  begin(delays);
  play();
  sync_all();
  return sights();
}

/// Nothing is under way here: all memory holds generation 0, and nothing was seen.
void CudaStreams::begin(std::span<const StreamDelay> delays) {
  if (work_.actors < 2) return;
  cudaStream_t first = stream(1);
  const std::size_t delay_bytes = halves * work_.operations.size() * sizeof(std::int32_t);
  const std::size_t seen_bytes = halves * work_.touches.size() * sizeof(std::int32_t);
  std::memset(pinned_, 0, halves * static_cast<std::size_t>(work_.pinned_cells) * sizeof(std::int32_t));
  std::memset(home_, 0, seen_bytes);
  std::memset(delays_home_, 0, delay_bytes);
  for (const StreamDelay& one : delays) {
    *delay(0, one.operation) = one.before_us;
    *delay(1, one.operation) = one.between_us;
  }
  PAGESTORM_CUDA(
      cudaMemsetAsync(cells_, 0, halves * static_cast<std::size_t>(work_.cells) * sizeof(std::int32_t), first));
  PAGESTORM_CUDA(cudaMemsetAsync(seen_, 0, seen_bytes, first));
  PAGESTORM_CUDA(cudaMemcpyAsync(delays_, delays_home_, delay_bytes, cudaMemcpyHostToDevice, first));
  PAGESTORM_CUDA(cudaStreamSynchronize(first));
}

void CudaStreams::play() {
  std::size_t graph = 0;
  for (std::size_t i = 0; i < work_.items.size(); ++i) {
    const StreamItem& item = work_.items[i];
    if (item.kind != StreamItemKind::begin_replay) {
      take(item, false);
      continue;
    }
    PAGESTORM_CUDA(cudaGraphLaunch(graphs_[graph++].get(), stream(item.actor)));
    while (work_.items[i].kind != StreamItemKind::end_replay) ++i;
  }
}

/// An event that is recorded in a capture becomes one of the graph's nodes, and orders whoever waits for it outside.
void CudaStreams::take(const StreamItem& item, bool capturing) {
  const bool host = item.actor == 0;
  switch (item.kind) {
    case StreamItemKind::operation: return host ? run_on_host(item.number) : enqueue(item.number, stream(item.actor));
    case StreamItemKind::record:
      PAGESTORM_CUDA(cudaEventRecordWithFlags(event(item.number), stream(item.actor),
                                              capturing ? cudaEventRecordExternal : cudaEventRecordDefault));
      return;
    case StreamItemKind::wait:
      if (host)
        PAGESTORM_CUDA(cudaEventSynchronize(event(item.number)));
      else
        PAGESTORM_CUDA(cudaStreamWaitEvent(stream(item.actor), event(item.number), 0));
      return;
    case StreamItemKind::begin_replay:
    case StreamItemKind::end_replay: return;
  }
}

void CudaStreams::enqueue(std::int32_t number, cudaStream_t stream) const {
  const StreamOperation& operation = work_.operations[static_cast<std::size_t>(number)];
  for (int half = 0; half < halves; ++half) {
    cuda::run_half({.delay_us = delays_ + half * work_.operations.size() + number,
                    .touches = touches_ + operation.first,
                    .count = operation.count,
                    .pinned_cells = work_.pinned_cells,
                    .cells = cells_ + half * static_cast<std::size_t>(work_.cells),
                    .seen = seen_ + half * work_.touches.size() + operation.first},
                   stream);
    copy_pinned(operation, half, stream);
  }
}

/// What a stream touches in pinned memory it copies from there, or to there. A touch on the device holds its generation.
void CudaStreams::copy_pinned(const StreamOperation& operation, int half, cudaStream_t stream) const {
  for (std::int32_t i = operation.first; i < operation.first + operation.count; ++i) {
    const StreamTouch& touch = work_.touches[static_cast<std::size_t>(i)];
    if (touch.cell >= work_.pinned_cells) continue;
    std::int32_t* cell = pinned_ + half * work_.pinned_cells + touch.cell;
    if (touch.generation == 0)
      PAGESTORM_CUDA(cudaMemcpyAsync(seen_ + half * work_.touches.size() + i, cell, sizeof(*cell),
                                     cudaMemcpyHostToDevice, stream));
    else
      PAGESTORM_CUDA(cudaMemcpyAsync(cell, &touches_[i].generation, sizeof(*cell), cudaMemcpyDeviceToHost, stream));
  }
}

/// Copies of the device go on beside this.
void CudaStreams::run_on_host(std::int32_t number) const {
  using Clock = std::chrono::steady_clock;
  const StreamOperation& operation = work_.operations[static_cast<std::size_t>(number)];
  for (int half = 0; half < halves; ++half) {
    const auto end = Clock::now() + std::chrono::microseconds(*delay(half, number));
    while (Clock::now() < end) {
    }
    volatile std::int32_t* pinned = pinned_ + half * work_.pinned_cells;
    for (std::int32_t i = operation.first; i < operation.first + operation.count; ++i) {
      const StreamTouch& touch = work_.touches[static_cast<std::size_t>(i)];
      if (touch.generation == 0)
        home_[half * work_.touches.size() + static_cast<std::size_t>(i)] = pinned[touch.cell];
      else
        pinned[touch.cell] = touch.generation;
    }
  }
}

void CudaStreams::sync_all() const {
  for (const cuda::Stream& stream : streams_)
    if (stream != nullptr) PAGESTORM_CUDA(cudaStreamSynchronize(stream.get()));
}

/// What the host saw lies at home already; what streams saw is brought there, touch by touch of theirs.
StreamSights CudaStreams::sights() {
  const std::size_t touches = work_.touches.size();
  StreamSights seen;
  std::vector<std::int32_t> device(halves * touches);
  PAGESTORM_CUDA(cudaMemcpy(device.data(), seen_, device.size() * sizeof(std::int32_t), cudaMemcpyDeviceToHost));
  for (const StreamOperation& operation : work_.operations)
    if (operation.actor != 0)
      for (int half = 0; half < halves; ++half)
        std::copy_n(device.data() + half * touches + operation.first, operation.count,
                    home_ + half * touches + operation.first);
  seen.first.assign(home_, home_ + touches);
  seen.second.assign(home_ + touches, home_ + halves * touches);
  return seen;
}

}  // namespace

std::string device_streams_absent_because() { return cuda::absent_because(); }

std::unique_ptr<StreamRunner> device_streams() {
  if (const std::string absent = cuda::absent_because(); !absent.empty()) throw BuilderError(absent);
  return std::make_unique<CudaStreams>();
}

}  // namespace pagestorm
