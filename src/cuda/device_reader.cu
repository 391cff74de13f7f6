#include "pagestorm/device_reader.hpp"

#include <vector>

#include "device.hpp"
#include "freight.hpp"
#include "handles.hpp"
#include "judge/reader_pass.hpp"
#include "mirror.hpp"
#include "reader.hpp"
#include "transfer.hpp"

namespace pagestorm {
namespace {

/// The bytes of a vector that its elements span.
Region region_of(const IntVector& vector) {
  const std::int64_t element = vector.type == IntType::int64 ? 8 : 4;
  const std::int64_t bytes = vector.size == 0 ? 0 : ((vector.size - 1) * vector.stride + 1) * element;
  return {static_cast<std::byte*>(const_cast<void*>(vector.data)), 0, bytes};
}

class CudaReader final : public DeviceReader {
 public:
  CudaReader() : stream_(cuda::make_stream()) {}

  void start(const KvShape& shape) override;
  void fill(std::span<const SlotFill> fills) override { fills_.insert(fills_.end(), fills.begin(), fills.end()); }
  ReaderVerdict pass(const ReaderPass& pass) override;

 private:
  /// Where in the freight what a pass brings lies.
  struct Places {
    std::int64_t fills = 0, lost = 0, saturated = 0;
    std::int64_t tags[kv_models] = {};
    std::int64_t runs[kv_models] = {};
    std::int64_t rows[kv_models] = {};
  };

  Places load(const ReaderPass& pass);
  void carry_image(const ReaderPass& pass);
  void launch(const ReaderPass& pass, const Places& places);
  ReaderVerdict verdict();
  cuda::ReaderReport* report() const { return reinterpret_cast<cuda::ReaderReport*>(report_.data()); }

  cuda::Stream stream_;
  KvShape shape_;
  judge::KvMemory memory_;
  cuda::DeviceBuffer pools_[kv_models][kv_pools];
  std::vector<SlotFill> fills_;  ///< to be done before the next pass
  cuda::Freight freight_;
  cuda::Transfer transfer_;
  cuda::Mirror slots_, image_;
  cuda::DeviceBuffer found_, report_;
  cuda::PinnedBuffer home_;
};

void CudaReader::start(const KvShape& shape) {
  shape_ = shape;
  fills_.clear();
  memory_ = {};
  memory_.page_size = shape.page_size;
  memory_.pages[0] = shape.pages;
  memory_.pages[1] = shape.swa ? shape.swa_pages : 0;
  for (std::size_t model = 0; model < kv_models; ++model)
    for (std::size_t pool = 0; pool < (shape.swa ? kv_pools : 1); ++pool) {
      const auto slots = static_cast<std::size_t>((memory_.pages[pool] + 1) * shape.page_size);
      cuda::DeviceBuffer& buffer = pools_[model][pool];
      buffer.reserve(slots * sizeof(std::uint64_t));
      static_assert(poison_tag == 0);
      PAGESTORM_CUDA(cudaMemsetAsync(buffer.data(), 0, slots * sizeof(std::uint64_t), stream_.get()));
      memory_.tags[model][pool] = reinterpret_cast<std::uint64_t*>(buffer.data());
    }
  report_.reserve(sizeof(cuda::ReaderReport));
  home_.reserve(sizeof(cuda::ReaderReport));
}

/// Everything but views of the call travels in one copy. Rows point at their runs on the device once there is room for all.
CudaReader::Places CudaReader::load(const ReaderPass& pass) {
  constexpr std::int32_t saturated = INT32_MAX;
  Places places;
  judge::Truth truth[kv_models];
  freight_.clear();
  places.fills = freight_.add(std::span<const SlotFill>(fills_));
  places.lost = freight_.add(pass.lost);
  places.saturated = freight_.add(std::span<const std::int32_t>(&saturated, 1));
  for (std::size_t model = 0; model < kv_models; ++model) {
    truth[model] = judge::truth_of(pass.reads[model]);
    places.tags[model] = freight_.add(pass.tags[model]);
    places.runs[model] = freight_.add(std::span<const judge::TagRun>(truth[model].runs));
    places.rows[model] = freight_.add(std::span<const judge::ReadRow>(truth[model].rows));
  }
  freight_.reserve();
  for (std::size_t model = 0; model < kv_models; ++model)
    judge::point_at_runs(truth[model], {freight_.host<judge::ReadRow>(places.rows[model]), truth[model].rows.size()},
                         freight_.device<judge::TagRun>(places.runs[model]));
  freight_.send(stream_.get());
  return places;
}

void CudaReader::carry_image(const ReaderPass& pass) {
  const Region slots = region_of(pass.out_cache_loc);
  const Window all{0, slots.above};
  // All that is read comes in with every pass, so nothing that is there already is needed.
  slots_.place(slots, true);
  image_.place(pass.image, true);
  transfer_.carry_in({slots_, {&all, 1}}, {image_, pass.windows}, stream_.get());
}

void CudaReader::launch(const ReaderPass& pass, const Places& places) {
  Metadata out = cuda::relocated(pass.out, image_);
  judge::TokenStore store{.full = pass.out_cache_loc, .swa = out.swa_out_cache_loc};
  store.full.data = slots_.of(static_cast<const std::byte*>(pass.out_cache_loc.data));
  if (!pass.sums_say_queries) out = judge::with_saturated_sums(out, freight_.device<std::int32_t>(places.saturated));
  found_.reserve(kv_models * static_cast<std::size_t>(pass.rows) * sizeof(judge::FirstMisread));
  cuda::ReadTask task{
      .rows = pass.rows, .found = reinterpret_cast<judge::FirstMisread*>(found_.data()), .report = report()};
  for (std::size_t model = 0; model < kv_models; ++model) {
    if (!pass.tags[model].empty()) store.tags[model] = freight_.device<std::uint64_t>(places.tags[model]);
    const auto* rows = pass.reads[model].empty() ? nullptr : freight_.device<judge::ReadRow>(places.rows[model]);
    task.models[model] = judge::attention_of(memory_, model, shape_.window, pass.rows, out, rows);
  }
  PAGESTORM_CUDA(cudaMemsetAsync(report_.data(), 0, sizeof(cuda::ReaderReport), stream_.get()));
  cuda::fill_slots(memory_, freight_.device<SlotFill>(places.fills), static_cast<std::int64_t>(fills_.size()),
                   stream_.get());
  cuda::store_tokens(memory_, store, report(), stream_.get());
  cuda::fill_slots(memory_, freight_.device<SlotFill>(places.lost), static_cast<std::int64_t>(pass.lost.size()),
                   stream_.get());
  cuda::read_rows(task, stream_.get());
}

ReaderVerdict CudaReader::verdict() {
  PAGESTORM_CUDA(
      cudaMemcpyAsync(home_.data(), report_.data(), sizeof(cuda::ReaderReport), cudaMemcpyDeviceToHost, stream_.get()));
  PAGESTORM_CUDA(cudaStreamSynchronize(stream_.get()));
  const auto& report = *reinterpret_cast<const cuda::ReaderReport*>(home_.data());
  ReaderVerdict verdict{.first = judge::first_of(report.first)};
  for (std::size_t pool = 0; pool < kv_pools; ++pool)
    verdict.unwritten[pool] = static_cast<std::int64_t>(report.unwritten[pool]);
  return verdict;
}

ReaderVerdict CudaReader::pass(const ReaderPass& pass) {
  const Places places = load(pass);
  carry_image(pass);
  launch(pass, places);
  fills_.clear();
  return verdict();
}

}  // namespace

std::string device_reader_absent_because() { return cuda::absent_because(); }

std::unique_ptr<DeviceReader> device_reader() {
  if (const std::string absent = cuda::absent_because(); !absent.empty()) throw BuilderError(absent);
  return std::make_unique<CudaReader>();
}

}  // namespace pagestorm
