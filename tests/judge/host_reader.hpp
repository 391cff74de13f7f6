#pragma once
// A reader whose device is the host: the bodies that a GPU runs, by several lanes, blocks and lanes in a drawn order, over
// memory of its own to which the windows of an image are carried.

#include <cstring>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "judge/reader_pass.hpp"
#include "sim/rng.hpp"

namespace pagestorm::judge {

class HostReader final : public DeviceReader {
 public:
  /// Changes what the kernels are given before they read.
  using Tamper = std::function<void(AttentionBatch&)>;

  explicit HostReader(Tamper tamper = {}, std::int32_t lanes = 8) : tamper_(std::move(tamper)), lanes_(lanes) {}

  std::set<MisreadKind> met;   ///< in all passes
  std::int64_t unwritten = 0;  ///< in all passes

  void start(const KvShape& shape) override {
    shape_ = shape;
    fills_.clear();
    memory_ = {};
    memory_.page_size = shape.page_size;
    memory_.pages[0] = shape.pages;
    memory_.pages[1] = shape.swa_pages;
    for (std::size_t model = 0; model < kv_models; ++model)
      for (std::size_t pool = 0; pool < (shape.swa ? kv_pools : 1); ++pool) {
        std::vector<std::uint64_t>& tags = tags_[model][pool];
        tags.assign(static_cast<std::size_t>((memory_.pages[pool] + 1) * shape.page_size), poison_tag);
        memory_.tags[model][pool] = tags.data();
      }
  }

  void fill(std::span<const SlotFill> fills) override { fills_.insert(fills_.end(), fills.begin(), fills.end()); }

  ReaderVerdict pass(const ReaderPass& pass) override {
    ReaderVerdict verdict;
    const Metadata out = carry_in(pass);
    fill_all(std::exchange(fills_, {}));
    store_all(pass, out, verdict);
    fill_all(pass.lost);
    verdict.first = read_all(pass, out);
    met.insert(verdict.first.what);
    unwritten += verdict.unwritten[0] + verdict.unwritten[1];
    return verdict;
  }

 private:
  // 0 to count - 1, in an order of its own each time.
  std::vector<std::int32_t> shuffled(std::int64_t count) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (std::int64_t i = count - 1; i > 0; --i)
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(rng_.between(0, i))]);
    return order;
  }

  // The views of the pass, over what its windows carried.
  Metadata carry_in(const ReaderPass& pass) {
    const std::int64_t bytes = pass.image.below + pass.image.above;
    if (static_cast<std::int64_t>(image_.size()) != bytes)
      image_.assign(static_cast<std::size_t>(bytes), std::byte{0x77});
    std::byte* base = image_.data() + pass.image.below;
    for (const Window& window : pass.windows)
      std::memcpy(base + window.first, pass.image.base + window.first, static_cast<std::size_t>(window.bytes));
    const auto carry = [&](auto*& data) {
      using Element = std::remove_reference_t<decltype(*data)>;
      if (data != nullptr)
        data = reinterpret_cast<Element*>(base + (reinterpret_cast<std::byte*>(data) - pass.image.base));
    };
    Metadata out = pass.out;
    carry(out.cache_seqlens.data);
    carry(out.cu_seqlens_q.data);
    carry(out.page_table.data);
    carry(out.swa_page_table.data);
    carry(out.swa_out_cache_loc.data);
    return out;
  }

  void fill_all(std::span<const SlotFill> fills) {
    for (const SlotFill& fill : fills)
      if (!memory_.holds(static_cast<std::size_t>(fill.pool), fill.slot) ||
          !memory_.holds(static_cast<std::size_t>(fill.pool), fill.slot + fill.count - 1))
        throw std::logic_error("fill: no slots of the pool");
    for (const std::int32_t lane : shuffled(lanes_))
      fill_slots(memory_, fills.data(), static_cast<std::int64_t>(fills.size()), {lane, lanes_});
  }

  void store_all(const ReaderPass& pass, const Metadata& out, ReaderVerdict& verdict) {
    TokenStore store{.full = pass.out_cache_loc, .swa = out.swa_out_cache_loc};
    for (std::size_t model = 0; model < kv_models; ++model)
      if (!pass.tags[model].empty()) store.tags[model] = pass.tags[model].data();
    for (const std::int32_t lane : shuffled(lanes_)) {
      const Unwritten none = store_tokens(memory_, store, {lane, lanes_});
      for (std::size_t pool = 0; pool < kv_pools; ++pool) verdict.unwritten[pool] += none.slots[pool];
    }
  }

  // A block: all lanes of a row, and the way to the first misread of them.
  FirstMisread read_block(const AttentionBatch& in, std::int64_t row) {
    std::vector<FirstMisread> found(static_cast<std::size_t>(lanes_));
    for (const std::int32_t lane : shuffled(lanes_))
      found[static_cast<std::size_t>(lane)] = read_row(in, row, {lane, lanes_});
    for (std::int32_t half = lanes_ / 2; half > 0; half /= 2)
      for (const std::int32_t lane : shuffled(lanes_)) take_in(found.data(), lane, half);
    return found[0];
  }

  KvMisread read_all(const ReaderPass& pass, Metadata out) {
    FirstMisread first[kv_models];
    std::int32_t saturated = INT32_MAX;
    if (!pass.sums_say_queries) out = with_saturated_sums(out, &saturated);
    for (std::size_t model = 0; model < kv_models; ++model) {
      if (pass.reads[model].empty()) continue;
      Truth truth = truth_of(pass.reads[model]);
      point_at_runs(truth, truth.rows, truth.runs.data());
      AttentionBatch in = attention_of(memory_, model, shape_.window, pass.rows, out, truth.rows.data());
      if (tamper_) tamper_(in);
      for (const std::int32_t row : shuffled(pass.rows)) first[model].add(read_block(in, row));
    }
    return first_of(first);
  }

  Tamper tamper_;
  std::int32_t lanes_;
  sim::Rng rng_{5};
  KvShape shape_;
  KvMemory memory_;
  std::vector<std::uint64_t> tags_[kv_models][kv_pools];
  std::vector<SlotFill> fills_;
  std::vector<std::byte> image_;
};

}  // namespace pagestorm::judge
