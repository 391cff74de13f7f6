#include "pagestorm/device_judge.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/check.hpp"
#include "device.hpp"
#include "round.hpp"
#include "seat.hpp"

namespace pagestorm {
namespace {

using cuda::Way;

class CudaJudge final : public DeviceJudge {
 public:
  CudaJudge(Way way, Fault fault) : fault_(fault) {
    cuda::load_kernels();
    stream_ = cuda::make_stream();
    for (auto& round : rounds_) round = std::make_unique<cuda::Round>(way, fault);
  }

  void seat(std::size_t index, const Seating& seating) override {
    while (seats_.size() <= index) seats_.push_back(std::make_unique<cuda::Seat>());
    seats_[index]->place(seating);
    if (under_way_.empty()) seats_[index]->make_room(next());
  }

  void add(const Pass& pass) override;
  void start() override;
  void again(int times) override;
  std::span<const Verdict> take() override;
  void fetch(std::span<const Wanted> wanted) override;

 private:
  cuda::RoundPass on_device(const Pass& pass);

  /// Where the next round goes: not where one is under way.
  std::size_t next() const { return under_way_.empty() ? 0 : 1 - under_way_.back(); }

  Fault fault_;
  cuda::Stream stream_;
  cuda::Graphs graphs_;
  std::vector<std::unique_ptr<cuda::Seat>> seats_;
  std::array<std::unique_ptr<cuda::Round>, rounds_max> rounds_;
  std::vector<std::size_t> under_way_;  ///< oldest first
  std::size_t taken_ = 0;
  bool gathering_ = false;
  cuda::Freight pieces_;  ///< of images on their way back
  cuda::DeviceBuffer gathered_;
  cuda::PinnedBuffer home_;
};

cuda::RoundPass CudaJudge::on_device(const Pass& pass) {
  cuda::Seat& seat = *seats_.at(pass.seat);
  const ImageShape& shape = seat.seating.image;
  auto& images = seat.images[next()];
  std::int32_t* first = images[0].place(shape);
  std::int32_t* second = images[1].place(shape);
  const std::int64_t rows = pass.batch.rows;
  cuda::RoundPass placed{.job = {.in = relocated(pass.batch, seat.inputs),
                                 .image = shape,
                                 .first = first,
                                 .second = second,
                                 .write_slots = pass.write_slots,
                                 .owned = seat.seating.owned,
                                 .window = seat.seating.window,
                                 .page_shift = judge::page_shift_of(pass.batch.page_size)},
                         .first = cuda::views_of(shape, first, rows, pass.write_slots),
                         .second = cuda::views_of(shape, second, rows, pass.write_slots),
                         .pages = pass.pages};
  placed.job.owned.data = seat.truth.of(placed.job.owned.data);
  return placed;
}

void CudaJudge::add(const Pass& pass) {
  cuda::Round& round = *rounds_[next()];
  if (under_way_.size() == rounds_max) throw std::logic_error("add: two rounds are under way");
  if (!std::exchange(gathering_, true)) round.clear();
  cuda::RoundPass placed = on_device(pass);
  if (const char* problem = core::complaint(placed.job.in, placed.first)) throw std::invalid_argument(problem);
  if (fault_ == Fault::lengths_read_on_host)
    for (Metadata* out : {&placed.first, &placed.second}) cuda::cut_at_longest_of(pass.batch, *out);
  const cuda::Seat& seat = *seats_[pass.seat];
  const auto bring = [&](const cuda::Mirror& mirror, std::span<const Window> windows) {
    for (const Window& window : windows) {
      cuda::require_whole(window, mirror.region());
      round.bring(mirror.at(window.first), mirror.region().base + window.first, window.bytes);
    }
  };
  bring(seat.inputs, pass.changed);
  bring(seat.truth, pass.truth_changed);
  round.add(placed, pass.rows);
}

void CudaJudge::start() {
  if (under_way_.size() == rounds_max) throw std::logic_error("start: two rounds are under way");
  const std::size_t which = next();
  if (!std::exchange(gathering_, false)) rounds_[which]->clear();
  rounds_[which]->start(graphs_, stream_.get());
  under_way_.push_back(which);
}

void CudaJudge::again(int times) {
  if (!under_way_.empty() || gathering_)
    throw std::logic_error("again: the last round was not taken, or another begun");
  rounds_[taken_]->repeat(times, graphs_, stream_.get());
  under_way_.push_back(taken_);
}

std::span<const Verdict> CudaJudge::take() {
  if (under_way_.empty()) throw std::logic_error("take: no round is under way");
  taken_ = under_way_.front();
  under_way_.erase(under_way_.begin());
  return rounds_[taken_]->verdicts();
}

void CudaJudge::fetch(std::span<const Wanted> wanted) {
  std::vector<cuda::Piece> pieces;
  std::int64_t words = 0;
  for (const Wanted& one : wanted) {
    auto* base =
        reinterpret_cast<std::byte*>(seats_.at(one.seat)->images[taken_][static_cast<std::size_t>(one.image)].words());
    for (const Window& window : one.windows) {
      cuda::cut_into_pieces(base + window.first, words, window.bytes,
                            [&](const cuda::Piece& piece) { pieces.push_back(piece); });
      words += window.bytes / 4;
    }
  }
  const auto bytes = static_cast<std::size_t>(words * 4);
  pieces_.clear();
  const std::int64_t at = pieces_.add(std::span<const cuda::Piece>(pieces));
  pieces_.reserve();
  pieces_.send(stream_.get());
  gathered_.reserve(bytes);
  home_.reserve(bytes);
  cuda::carry_out(pieces_.device<cuda::Piece>(at), static_cast<std::int64_t>(pieces.size()),
                  reinterpret_cast<std::uint32_t*>(gathered_.data()), stream_.get());
  if (bytes > 0)
    PAGESTORM_CUDA(cudaMemcpyAsync(home_.data(), gathered_.data(), bytes, cudaMemcpyDeviceToHost, stream_.get()));
  PAGESTORM_CUDA(cudaStreamSynchronize(stream_.get()));
  const std::byte* from = home_.data();
  for (const Wanted& one : wanted)
    for (const Window& window : one.windows) {
      std::memcpy(one.to + window.first, from, static_cast<std::size_t>(window.bytes));
      from += window.bytes;
    }
}

}  // namespace

std::string device_judge_absent_because() { return cuda::absent_because(); }

std::unique_ptr<DeviceJudge> device_judge(std::string_view builder, Fault fault) {
  const std::optional<Way> way = cuda::way_by_name(builder);
  if (!way) throw std::invalid_argument("builder: " + std::string(builder) + " builds nothing on a device");
  if (const std::string absent = cuda::absent_because(); !absent.empty()) throw BuilderError(absent);
  return std::make_unique<CudaJudge>(*way, fault);
}

}  // namespace pagestorm
