#include "round.hpp"

#include <memory>

namespace pagestorm::cuda {

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

void Round::cut_into_strands() {
  tasks_.clear();
  poison_.clear();
  judge_.clear();
  std::int64_t rows = 0;
  for (const RoundPass& pass : passes_) rows += pass.job.in.rows;
  for (const RoundPass& pass : passes_) {
    judge::Task& task = tasks_.emplace_back();
    task.job = pass.job;
    for (std::uint32_t i = 0; i < judge::rest_count; ++i)
      task.rest[i] = judge::rest_of(pass.job, static_cast<judge::RestZone>(i));
    task.cut = judge::cut_of(pass.job, task.rest, pass.pages, rows);
  }
  const auto count = static_cast<std::uint32_t>(tasks_.size());
  for (std::uint32_t i = 0; i < count; ++i)
    judge::each_poison_strand(tasks_[i].cut, i, [&](const judge::Strand& strand) { poison_.push_back(strand); });
  // From the last to the first: what was built last is still in the cache.
  for (std::uint32_t i = count; i-- > 0;)
    judge::each_judge_strand(tasks_[i].cut, i, tasks_[i].job.swa(),
                             [&](const judge::Strand& strand) { judge_.push_back(strand); });
}

/// Everything but what was brought is added here, and its place on the device is known once there is room for all.
void Round::load(cudaStream_t stream) {
  cut_into_strands();
  const std::vector<judge::Tally> tallies(passes_.size());
  const std::int64_t tasks = freight_.add(std::span<const judge::Task>(tasks_));
  const std::int64_t poison = freight_.add(std::span<const judge::Strand>(poison_));
  const std::int64_t judge = freight_.add(std::span<const judge::Strand>(judge_));
  const std::int64_t calls = freight_.add(packing_->calls());
  const std::int64_t call_shares = freight_.add(packing_->shares());
  const std::int64_t pieces = freight_.add(std::span<const Piece>(pieces_));
  const std::int64_t tally = freight_.add(std::span<const judge::Tally>(tallies));
  freight_.reserve();
  for (std::size_t i = 0; i < truths_.size(); ++i)
    if (truths_[i] >= 0) freight_.host<judge::Task>(tasks)[i].job.rows = freight_.device<RowTruth>(truths_[i]);
  freight_.send(stream);
  carry_in(freight_.device<Piece>(pieces), static_cast<std::int64_t>(pieces_.size()), freight_.device<std::uint32_t>(0),
           stream);
  verdicts_.reserve(passes_.size() * sizeof(Verdict));
  auto* verdicts = reinterpret_cast<Verdict*>(verdicts_.data());
  std::uninitialized_fill_n(verdicts, passes_.size(), Verdict{});
  judged_ = {.tasks = freight_.device<judge::Task>(tasks),
             .count = static_cast<std::uint32_t>(passes_.size()),
             .poison = {freight_.device<judge::Strand>(poison), static_cast<std::uint32_t>(poison_.size())},
             .judge = {freight_.device<judge::Strand>(judge), static_cast<std::uint32_t>(judge_.size())},
             .tallies = freight_.device<judge::Tally>(tally),
             .verdicts = verdicts};
  calls_ = freight_.device<std::byte>(calls);
  call_shares_ = freight_.device<PackShare>(call_shares);
}

void Round::build(Graphs& graphs, cudaStream_t stream) const {
  if (way_ == Way::packed) return packing_->launch(calls_, call_shares_, packing_->shares().size(), stream);
  for (const RoundPass& pass : passes_)
    for (const Metadata* out : {&pass.first, &pass.second}) {
      if (way_ == Way::stream)
        launch(pass.job.in, *out, 0, fault_, stream);
      else
        PAGESTORM_CUDA(cudaGraphLaunch(graphs.of(pass.job.in, *out, 0, fault_, stream), stream));
    }
}

void Round::play(Graphs& graphs, cudaStream_t stream) const {
  PAGESTORM_CUDA(judge::poison(judged_, stream));
  build(graphs, stream);
  PAGESTORM_CUDA(judge::judge(judged_, stream));
}

void Round::end(cudaStream_t stream) { PAGESTORM_CUDA(cudaEventRecord(done_.get(), stream)); }

void Round::start(Graphs& graphs, cudaStream_t stream) {
  load(stream);
  play(graphs, stream);
  end(stream);
}

void Round::repeat(int times, Graphs& graphs, cudaStream_t stream) {
  for (int i = 0; i < times; ++i) play(graphs, stream);
  end(stream);
}

std::span<const Verdict> Round::verdicts() const {
  PAGESTORM_CUDA(cudaEventSynchronize(done_.get()));
  return {reinterpret_cast<const Verdict*>(verdicts_.data()), passes_.size()};
}

}  // namespace pagestorm::cuda
