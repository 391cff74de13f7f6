#include "round.hpp"

#include <algorithm>

namespace pagestorm::cuda {
namespace {

/// What a pass touches of the L2 cache, about: the lines of its slots and map entries, and two images.
std::int64_t bytes_touched(const RoundPass& pass) {
  constexpr std::int64_t line = 128;
  constexpr std::int64_t apart_from_cells = 8192;
  const Batch& in = pass.job.in;
  const std::int64_t slot = std::min<std::int64_t>(line, 4 * in.page_size * in.req_to_token.col_stride);
  const std::int64_t entry = pass.job.swa() ? std::min<std::int64_t>(line, 8 * in.page_size) + 8 : 0;
  return in.rows * pass.pages * (slot + entry + 8) + apart_from_cells;
}

}  // namespace

void Round::clear() {
  freight_.clear();
  pieces_.clear();
  passes_.clear();
  truths_.clear();
  packing_->clear();
}

void Round::bring(std::byte* device, const void* data, std::int64_t bytes) {
  const std::int64_t at = freight_.add(data, static_cast<std::size_t>(bytes), 4);
  if ((at + bytes) / 4 > UINT32_MAX) throw BuilderError("more than 16 GiB change in one round");
  cut_into_pieces(device, at / 4, bytes, [&](const Piece& piece) { pieces_.push_back(piece); });
}

void Round::add(const RoundPass& pass, std::span<const RowTruth> rows) {
  passes_.push_back(pass);
  truths_.push_back(rows.empty() ? -1 : freight_.add(rows));
  if (way_ != Way::packed) return;
  const std::int64_t second =
      reinterpret_cast<const std::byte*>(pass.second.status) - reinterpret_cast<const std::byte*>(pass.first.status);
  packing_->add(pass.job.in, pass.first, pass.pages, &second);
}

/// Everything but what was brought is added here, and its place on the device is known once there is room for all.
void Round::load(cudaStream_t stream) {
  const auto count = static_cast<std::int64_t>(passes_.size());
  tasks_.clear();
  shares_.clear();
  for (const RoundPass& pass : passes_) {
    const auto index = static_cast<std::uint32_t>(tasks_.size());
    tasks_.push_back({pass.job, judge::Cut::of(pass.job.in.rows, pass.pages)});
    for (std::uint32_t part = 0; part < tasks_.back().cut.parts; ++part) shares_.push_back({index, part});
  }
  cut_into_slices();
  const std::vector<judge::Tally> tallies(passes_.size());
  const std::vector<Verdict> unspoken(passes_.size());
  const std::int64_t tasks = freight_.add(std::span<const judge::Task>(tasks_));
  const std::int64_t shares = freight_.add(std::span<const judge::Share>(shares_));
  const std::int64_t calls = freight_.add(packing_->calls());
  const std::int64_t call_shares = freight_.add(packing_->shares());
  const std::int64_t pieces = freight_.add(std::span<const Piece>(pieces_));
  const std::int64_t tally = freight_.add(std::span<const judge::Tally>(tallies));
  const std::int64_t verdicts = freight_.add(std::span<const Verdict>(unspoken));
  freight_.reserve();
  for (std::size_t i = 0; i < truths_.size(); ++i)
    if (truths_[i] >= 0) freight_.host<judge::Task>(tasks)[i].job.rows = freight_.device<RowTruth>(truths_[i]);
  freight_.send(stream);
  carry_in(freight_.device<Piece>(pieces), static_cast<std::int64_t>(pieces_.size()), freight_.device<std::uint32_t>(0),
           stream);
  judged_ = {freight_.device<judge::Task>(tasks), freight_.device<judge::Share>(shares),
             static_cast<std::uint32_t>(shares_.size()), freight_.device<judge::Tally>(tally),
             freight_.device<Verdict>(verdicts)};
  calls_ = freight_.device<std::byte>(calls);
  call_shares_ = freight_.device<PackShare>(call_shares);
  verdicts_.reserve(static_cast<std::size_t>(count) * sizeof(Verdict));
}

void Round::cut_into_slices() {
  constexpr std::int64_t slice_bytes = std::int64_t{32} << 20;  // half of what the L2 cache of an H200 holds
  ends_.clear();
  Slice end;
  std::int64_t bytes = 0;
  for (const RoundPass& pass : passes_) {
    bytes += bytes_touched(pass);
    const auto index = static_cast<std::uint32_t>(end.passes++);
    while (end.shares < shares_.size() && shares_[end.shares].task == index) ++end.shares;
    const auto calls = packing_->shares();
    while (end.call_shares < calls.size() && calls[end.call_shares].call == index) ++end.call_shares;
    if (bytes < slice_bytes && end.passes < passes_.size()) continue;
    ends_.push_back(end);
    bytes = 0;
  }
}

void Round::build(const Slice& from, const Slice& to, Graphs& graphs, cudaStream_t stream) const {
  if (way_ == Way::packed)
    return packing_->launch(calls_, call_shares_ + from.call_shares, to.call_shares - from.call_shares, stream);
  for (std::size_t i = from.passes; i < to.passes; ++i) {
    const RoundPass& pass = passes_[i];
    for (const Metadata* out : {&pass.first, &pass.second}) {
      if (way_ == Way::stream)
        launch(pass.job.in, *out, 0, fault_, stream);
      else
        PAGESTORM_CUDA(cudaGraphLaunch(graphs.of(pass.job.in, *out, 0, fault_, stream), stream));
    }
  }
}

void Round::play(Graphs& graphs, cudaStream_t stream) const {
  Slice from;
  for (const Slice& to : ends_) {
    judge::Round slice = judged_;
    slice.shares += from.shares;
    slice.blocks = to.shares - from.shares;
    PAGESTORM_CUDA(judge::poison(slice, stream));
    build(from, to, graphs, stream);
    PAGESTORM_CUDA(judge::judge(slice, stream));
    from = to;
  }
}

void Round::send_verdicts(cudaStream_t stream) {
  if (!passes_.empty())
    PAGESTORM_CUDA(cudaMemcpyAsync(verdicts_.data(), judged_.verdicts, passes_.size() * sizeof(Verdict),
                                   cudaMemcpyDeviceToHost, stream));
  PAGESTORM_CUDA(cudaEventRecord(done_.get(), stream));
}

void Round::start(Graphs& graphs, cudaStream_t stream) {
  load(stream);
  play(graphs, stream);
  send_verdicts(stream);
}

void Round::repeat(int times, Graphs& graphs, cudaStream_t stream) {
  for (int i = 0; i < times; ++i) play(graphs, stream);
  send_verdicts(stream);
}

std::span<const Verdict> Round::verdicts() const {
  PAGESTORM_CUDA(cudaEventSynchronize(done_.get()));
  return {reinterpret_cast<const Verdict*>(verdicts_.data()), passes_.size()};
}

}  // namespace pagestorm::cuda
