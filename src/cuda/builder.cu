#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture.hpp"
#include "core/check.hpp"
#include "device.hpp"
#include "host_read.hpp"
#include "key.hpp"
#include "launch.hpp"
#include "mirror.hpp"
#include "pagestorm/builder.hpp"
#include "transfer.hpp"

namespace pagestorm {
namespace {

enum class Style { stream, graph };

constexpr std::string_view name_of(Style style) { return style == Style::stream ? "cuda-stream" : "cuda-graph"; }

/// Works on mirrors of the caller's regions. cuda-stream launches at once, or captures afresh when the call says so;
/// cuda-graph always replays a capture, taken once for everything that it bakes in.
class CudaBuilder final : public Builder {
 public:
  CudaBuilder(Style style, Fault fault) : style_(style), fault_(fault) {
    cuda::load_kernels();
    stream_ = cuda::make_stream();
  }

  std::string_view name() const override { return name_of(style_); }
  Capabilities capabilities() const override { return {.device = true, .captures = true}; }

  void enqueue(const Call& call) override {
    pending_.reset();
    if (const char* problem = core::complaint(call.batch, call.out)) throw std::invalid_argument(problem);
    place(call);
    Pending next{relocated(call.batch, inputs_), relocated(call.out, image_), call.order, nullptr};
    if (style_ == Style::graph || call.capture)
      next.graph = graph_of(next);
    else if (fault_ == Fault::lengths_read_on_host)
      cuda::cut_at_longest(next.in, next.out, stream_.get());
    changed_.assign(call.changed.begin(), call.changed.end());
    zone_.assign(call.zone.begin(), call.zone.end());
    pending_ = next;
  }

  void complete() override {
    if (!pending_) throw std::logic_error("complete: nothing is enqueued");
    const Pending now = *pending_;
    pending_.reset();
    transfer_.carry_in({inputs_, changed_}, {image_, zone_}, stream_.get());
    if (now.graph != nullptr)
      PAGESTORM_CUDA(cudaGraphLaunch(now.graph, stream_.get()));
    else
      cuda::launch(now.in, now.out, now.order, fault_, stream_.get());
    transfer_.carry_out({image_, zone_}, stream_.get());
  }

 private:
  struct Pending {
    Batch in;      ///< on the device
    Metadata out;  ///< on the device
    std::uint64_t order;
    cudaGraphExec_t graph;  ///< null: launch; owned by graphs_
  };

  /// The image holds nothing between calls, so one mirror serves every image.
  void place(const Call& call) {
    const bool anew = generation_ != call.inputs_generation || !inputs_.stands_for(call.inputs);
    const bool inputs_moved = inputs_.place(call.inputs, anew);
    const bool image_moved = image_.place(call.image, anew);
    if (anew || inputs_moved || image_moved) graphs_.clear();
    generation_ = call.inputs_generation;
  }

  cudaGraphExec_t graph_of(const Pending& next) {
    if (style_ == Style::stream || graphs_.size() == graphs_max) graphs_.clear();
    cuda::Key key = cuda::key_of(next.in, next.out, next.order);
    if (const auto known = graphs_.find(key); known != graphs_.end()) return known->second.get();
    cuda::GraphExec graph = cuda::captured(stream_.get(), [&] {
      Metadata out = next.out;
      if (fault_ == Fault::lengths_read_on_host) cuda::cut_at_longest(next.in, out, stream_.get());
      cuda::launch(next.in, out, next.order, fault_, stream_.get());
    });
    return graphs_.emplace(std::move(key), std::move(graph)).first->second.get();
  }

  static constexpr std::size_t graphs_max = 256;

  Style style_;
  Fault fault_;
  std::optional<std::uint64_t> generation_;
  cuda::Mirror inputs_;
  cuda::Mirror image_;
  cuda::Transfer transfer_;
  cuda::Stream stream_;
  std::map<cuda::Key, cuda::GraphExec> graphs_;
  std::optional<Pending> pending_;
  std::vector<Window> changed_;  ///< of the pending call: the caller's list may grow while contents still change
  std::vector<Window> zone_;
};

}  // namespace

std::vector<BuilderEntry> cuda_builders() {
  const std::string absent = cuda::absent_because();
  std::vector<BuilderEntry> entries;
  for (const Style style : {Style::stream, Style::graph})
    entries.push_back({std::string(name_of(style)), absent, [style, absent](Fault fault) -> std::unique_ptr<Builder> {
                         if (!absent.empty()) throw BuilderError(absent);
                         return std::make_unique<CudaBuilder>(style, fault);
                       }});
  return entries;
}

}  // namespace pagestorm
