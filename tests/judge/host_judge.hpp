#pragma once
// A judge whose device is the host: the functions that a GPU runs, one lane after the other, over a host builder.

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "judge/poison.hpp"
#include "judge/rest.hpp"
#include "pagestorm/builder.hpp"

namespace pagestorm::judge {

template <class Take>
void each_rest_zone(const Job& job, const Take& take) {
  for (std::uint32_t i = 0; i < rest_count; ++i) take(RestZone{i}, rest_of(job, RestZone{i}));
}

/// Poisons all that will be judged, by `lanes` lanes.
inline void poison_all(const Job& job, std::int32_t lanes = 1) {
  for (std::int32_t lane = 0; lane < lanes; ++lane) {
    for (std::int64_t row = 0; row < job.in.rows; ++row) poison_row(job, row, {lane, lanes});
    each_rest_zone(job, [&](RestZone which, const Rest& rest) { poison_rest(job, which, rest.zone, {lane, lanes}); });
  }
}

inline void judge_all_lengths(const Job& job, Finding& finding) {
  std::int64_t sum_q = 0;
  std::int64_t sum_k = 0;
  for (std::int64_t row = 0; row < job.in.rows; ++row) {
    const Count keys = kv_length(job.in, row);
    const Count queries = query_length(job.in, row, keys.value);
    finding.status |= keys.status | queries.status;
    judge_lengths(job, row, keys.value, sum_q += queries.value, sum_k += keys.value, finding);
  }
}

/// A row of both tables, and what it owns.
inline void judge_tables(const Job& job, std::int64_t row, const Lane& lane, Finding& finding) {
  judge_row<false>(job, row, lane, finding);
  if (!job.swa()) return;
  judge_row<true>(job, row, lane, finding);
  judge_owned(job, row, lane, finding);
}

/// The whole judgement, by `lanes` lanes.
inline Finding judge_all(const Job& job, std::int32_t lanes = 1) {
  Finding finding;
  judge_all_lengths(job, finding);
  judge_sum_zero(job, finding);
  for (std::int32_t index = 0; index < lanes; ++index) {
    const Lane lane{index, lanes};
    for (std::int64_t row = 0; row < job.in.rows; ++row) judge_tables(job, row, lane, finding);
    each_rest_zone(job, [&](RestZone which, const Rest& rest) { judge_rest(job, which, rest, lane, finding); });
    if (job.swa()) judge_write_slots(job, lane, finding);
  }
  judge_status(job, finding);
  return finding;
}

/// Views of an image whose word 0 is `words`, for a call of so many rows and write slots.
inline Metadata bind(const ImageShape& image, std::int32_t* words, std::int64_t rows, std::int64_t write_slots) {
  const auto vector = [&](const Plot& plot, std::int64_t size) {
    return Vector<std::int32_t>{words + plot.first, size, plot.col_stride};
  };
  const auto matrix = [&](const Plot& plot) {
    return Matrix<std::int32_t>{words + plot.first, rows, plot.cols, plot.row_stride, plot.col_stride};
  };
  Metadata out{.cache_seqlens = vector(image.cache_seqlens, rows),
               .cu_seqlens_q = vector(image.cu_seqlens_q, rows + 1),
               .cu_seqlens_k = vector(image.cu_seqlens_k, rows + 1),
               .page_table = matrix(image.page_table),
               .status = reinterpret_cast<std::uint32_t*>(words + image.status.first)};
  if (image.swa_page_table.rows == 0) return out;
  out.swa_page_table = matrix(image.swa_page_table);
  out.swa_out_cache_loc = {reinterpret_cast<std::int64_t*>(words + image.swa_out_cache_loc.first), write_slots,
                           image.swa_out_cache_loc.col_stride / 2};
  return out;
}

class HostJudge final : public DeviceJudge {
 public:
  /// Changes a verdict before it is handed out: a judge that errs.
  using Tamper = std::function<void(Verdict&)>;

  explicit HostJudge(Fault fault, Tamper tamper = {})
      : builder_(host_builders().front().make(fault)), tamper_(std::move(tamper)) {}

  void seat(std::size_t i, const Seating& seating) override {
    if (seating.image.below > 0 && far_is_too_much) throw BuilderError("not enough device memory: a test says so");
    if (seats_.size() <= i) seats_.resize(i + 1);
    seats_[i] = seating;
    ++seatings;
  }

  void add(const Pass& pass) override {
    const Seating& seat = seats_.at(pass.seat);
    auto& images = rounds_[parity()][pass.seat];
    for (auto& image : images) {
      if (seat.image.below > 0) throw std::logic_error("a far image does not fit a test");
      image.assign(static_cast<std::size_t>(seat.image.words), 0x11111111);
    }
    rows_.assign(pass.rows.begin(), pass.rows.end());
    const Job job{.in = pass.batch,
                  .image = seat.image,
                  .first = images[0].data(),
                  .second = images[1].data(),
                  .write_slots = pass.write_slots,
                  .rows = pass.rows.empty() ? nullptr : rows_.data(),
                  .owned = seat.owned,
                  .window = seat.window,
                  .page_shift = page_shift_of(pass.batch.page_size)};
    constexpr std::int32_t lanes = 3;
    poison_all(job, lanes);
    for (auto& image : images) {
      Call call;
      call.batch = pass.batch;
      call.out = bind(seat.image, image.data(), pass.batch.rows, pass.write_slots);
      builder_->run(call);
    }
    const Finding finding = judge_all(job, lanes);
    Verdict verdict{finding.laws, 0, finding.word};
    if (tamper_) tamper_(verdict);
    pending_.push_back(verdict);
  }

  void start() override {
    if (under_way_.size() == rounds_max) throw std::logic_error("start: two rounds are under way");
    under_way_.push_back(parity());
    most_under_way = std::max(most_under_way, under_way_.size());
    verdicts_[parity()] = std::exchange(pending_, {});
    ++started_;
  }

  void again(int) override { throw std::logic_error("again: no test asks for it"); }

  std::span<const Verdict> take() override {
    if (under_way_.empty()) throw std::logic_error("take: no round is under way");
    taken_ = under_way_.front();
    under_way_.pop_front();
    out_ = verdicts_[taken_];
    return out_;
  }

  void fetch(std::span<const Wanted> wanted) override {
    for (const Wanted& one : wanted) {
      const auto* words = rounds_[taken_][one.seat][static_cast<std::size_t>(one.image)].data();
      for (const Window& window : one.windows)
        std::memcpy(one.to + window.first, reinterpret_cast<const std::byte*>(words) + window.first,
                    static_cast<std::size_t>(window.bytes));
      ++fetched;
    }
  }

  bool far_is_too_much = true;
  std::size_t most_under_way = 0;
  std::int64_t fetched = 0;
  std::int64_t seatings = 0;

 private:
  using Images = std::array<std::vector<std::int32_t>, 2>;
  std::size_t parity() const { return started_ % rounds_max; }

  std::unique_ptr<Builder> builder_;
  Tamper tamper_;
  std::vector<Seating> seats_;
  std::map<std::size_t, Images> rounds_[rounds_max];
  std::vector<Verdict> verdicts_[rounds_max];
  std::vector<Verdict> pending_, out_;
  std::vector<RowTruth> rows_;
  std::deque<std::size_t> under_way_;
  std::size_t started_ = 0;
  std::size_t taken_ = 0;
};

}  // namespace pagestorm::judge
