#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/check.hpp"
#include "core/flash_check.hpp"
#include "device.hpp"
#include "flash.hpp"
#include "freight.hpp"
#include "mirror.hpp"
#include "pack.hpp"
#include "pagestorm/builder.hpp"
#include "transfer.hpp"
#include "way.hpp"

namespace pagestorm {
namespace {

using cuda::Way;

/// Works on mirrors of the caller's regions. cuda-stream launches at once, or captures afresh when the call says so;
/// cuda-graph always replays a capture, taken once for everything that it bakes in; cuda-packed is a pack of one.
class CudaBuilder final : public Builder {
 public:
  CudaBuilder(Way way, Fault fault) : way_(way), fault_(fault), packing_(cuda::make_packing(fault)) {
    cuda::load_kernels();
    cuda::load_flash_kernels();
    stream_ = cuda::make_stream();
  }

  std::string_view name() const override { return name_of(way_); }
  Capabilities capabilities() const override {
    return {.device = true, .captures = way_ != Way::packed, .flash = way_ != Way::packed, .promise = {}};
  }

  void enqueue(const Call& call) override {
    pending_.reset();
    if (const char* problem = core::complaint(call.batch, call.out)) throw std::invalid_argument(problem);
    place(call);
    Pending next{relocated(call.batch, inputs_), relocated(call.out, image_), call.order, nullptr};
    if (way_ == Way::stream) graphs_.clear();
    if (way_ == Way::graph || call.capture)
      next.graph = graphs_.of(next.in, next.out, next.order, fault_, stream_.get());
    else if (fault_ == Fault::lengths_read_on_host)
      cuda::cut_at_longest(next.in, next.out, stream_.get());
    changed_.assign(call.changed.begin(), call.changed.end());
    zone_.assign(call.zone.begin(), call.zone.end());
    pending_ = next;
  }

  void enqueue(const FlashCall& call) override {
    pending_.reset();
    if (way_ == Way::packed) return Builder::enqueue(call);
    if (const char* problem = core::complaint(call.batch, call.out)) throw std::invalid_argument(problem);
    place(call);
    PendingFlash next{relocated(call.batch, inputs_), relocated(call.out, image_)};
    cudaGraphExec_t graph = nullptr;
    if (way_ == Way::stream) graphs_.clear();
    if (way_ == Way::graph || call.capture) graph = graphs_.of(next.in, next.out, call.order, fault_, stream_.get());
    changed_.assign(call.changed.begin(), call.changed.end());
    zone_.assign(call.zone.begin(), call.zone.end());
    pending_ = Pending{{}, {}, call.order, graph, next};
  }

  void complete() override {
    if (!pending_) throw std::logic_error("complete: nothing is enqueued");
    const Pending now = *pending_;
    pending_.reset();
    transfer_.carry_in({inputs_, changed_}, {image_, zone_}, stream_.get());
    if (now.graph != nullptr)
      PAGESTORM_CUDA(cudaGraphLaunch(now.graph, stream_.get()));
    else if (now.flash)
      cuda::launch_flash(now.flash->in, now.flash->out, now.order, fault_, stream_.get());
    else if (way_ == Way::packed)
      launch_packed(now);
    else
      cuda::launch(now.in, now.out, now.order, fault_, stream_.get());
    transfer_.carry_out({image_, zone_}, stream_.get());
  }

 private:
  struct PendingFlash {
    FlashBatch in;      ///< on the device
    FlashMetadata out;  ///< on the device
  };

  struct Pending {
    Batch in;      ///< on the device
    Metadata out;  ///< on the device
    std::uint64_t order;
    cudaGraphExec_t graph;                   ///< null: launch; owned by graphs_
    std::optional<PendingFlash> flash = {};  ///< what is pending, where it is of the family
  };

  /// The image holds nothing between calls, so one mirror serves every image.
  template <class AnyCall>
  void place(const AnyCall& call) {
    const bool anew = generation_ != call.inputs_generation || !inputs_.stands_for(call.inputs);
    const bool inputs_moved = inputs_.place(call.inputs, anew);
    const bool image_moved = image_.place(call.image, anew);
    if (anew || inputs_moved || image_moved) graphs_.clear();
    generation_ = call.inputs_generation;
  }

  void launch_packed(const Pending& now) {
    constexpr std::uint64_t pages_max = 4096;
    const std::int64_t pages =
        now.order == 0 ? now.out.page_table.cols : static_cast<std::int64_t>(1 + now.order % pages_max);
    packing_->clear();
    packing_->add(now.in, now.out, pages, nullptr);
    freight_.clear();
    const std::int64_t calls = freight_.add(packing_->calls());
    const std::int64_t shares = freight_.add(packing_->shares());
    freight_.reserve();
    freight_.send(stream_.get());
    packing_->launch(freight_.device<std::byte>(calls), freight_.device<cuda::PackShare>(shares),
                     packing_->shares().size(), stream_.get());
  }

  Way way_;
  Fault fault_;
  std::optional<std::uint64_t> generation_;
  cuda::Mirror inputs_;
  cuda::Mirror image_;
  cuda::Transfer transfer_;
  cuda::Stream stream_;
  cuda::Graphs graphs_;
  std::unique_ptr<cuda::Packing> packing_;
  cuda::Freight freight_;
  std::optional<Pending> pending_;
  std::vector<Window> changed_;  ///< of the pending call: the caller's list may grow while contents still change
  std::vector<Window> zone_;
};

}  // namespace

std::vector<BuilderEntry> cuda_builders() {
  const std::string absent = cuda::absent_because();
  std::vector<BuilderEntry> entries;
  for (const Way way : cuda::ways)
    entries.push_back({std::string(name_of(way)), absent, [way, absent](Fault fault) -> std::unique_ptr<Builder> {
                         if (!absent.empty()) throw BuilderError(absent);
                         return std::make_unique<CudaBuilder>(way, fault);
                       }});
  return entries;
}

}  // namespace pagestorm
