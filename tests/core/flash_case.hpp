#pragma once
// One operation of the FlashAttention family by hand: inputs as literals, results as literals, on every builder that is
// here and has the family.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "pagestorm/builder.hpp"
#include "pagestorm/status.hpp"

namespace pagestorm {

/// What a cell holds that nothing wrote to.
inline constexpr std::int32_t untouched = 0x5a5a5a5a;

using FlashCells = std::vector<std::int32_t>;

/// The outputs of an operation, without strides. Table rows end where they were not written.
struct FlashResult {
  FlashCells prefix, keys, sum_q, sum_k, schedule;
  std::vector<FlashCells> table;
  Status status = Status::none;
  std::int64_t strays = 0;  ///< cells behind those of the outputs that were written to

  bool operator==(const FlashResult&) const = default;
};

/// Inputs and shapes of an operation. `batch` brings the scalars; views are made from the rest.
struct FlashCase {
  FlashBatch batch;
  std::vector<std::int64_t> lengths;
  std::vector<std::int64_t> queries = {};  ///< empty = absent
  std::vector<std::int64_t> prompts = {};
  std::vector<std::int64_t> indices = {};  ///< empty = 0, 1, 2, ...
  std::vector<std::int64_t> slots = {};    ///< out_cache_loc
  std::vector<std::int64_t> map = {};      ///< empty = a table for full layers
  std::vector<std::uint8_t> mask = {};
  std::vector<FlashCells> rows = {};  ///< req_to_token, all of one length
  std::int64_t room = 0;              ///< expanded rows
  std::int64_t width = 0;
  std::int64_t schedule = 0;
};

/// Memory that a call's views lie in, in one piece on either side.
class FlashBench {
 public:
  explicit FlashBench(const FlashCase& given) : given_(given), memory_(1 << 16), image_(1 << 12, untouched) {}

  FlashResult run(Builder& builder) {
    FlashCall call{.batch = batch(), .out = outputs(), .inputs = region(memory_), .image = region(image_)};
    call.inputs_generation = 1;
    const Window all_inputs{0, static_cast<std::int64_t>(memory_.size() * 8)};
    const Window all_image{0, static_cast<std::int64_t>(image_.size() * 4)};
    call.changed = {&all_inputs, 1};
    call.zone = {&all_image, 1};
    image_[0] = 0;
    builder.run(call);
    return result(call.out);
  }

 private:
  template <class T>
  static Region region(std::vector<T>& memory) {
    return {reinterpret_cast<std::byte*>(memory.data()), 0, static_cast<std::int64_t>(memory.size() * sizeof(T))};
  }

  IntVector vector(const std::vector<std::int64_t>& values) {
    if (values.empty()) return {};
    std::int64_t* at = memory_.data() + used_;
    std::copy(values.begin(), values.end(), at);
    used_ += values.size();
    return {at, static_cast<std::int64_t>(values.size()), 1, IntType::int64};
  }

  FlashBatch batch() {
    FlashBatch batch = given_.batch;
    batch.rows = static_cast<std::int64_t>(given_.lengths.size());
    std::vector<std::int64_t> indices = given_.indices;
    for (std::int64_t i = 0; indices.empty() || i < batch.rows; ++i)
      if (given_.indices.empty()) indices.push_back(i);
    batch.req_pool_indices = vector(indices);
    batch.seq_lens = vector(given_.lengths);
    batch.query_lens = vector(given_.queries);
    batch.prompt_lens = vector(given_.prompts);
    batch.out_cache_loc = vector(given_.slots);
    batch.full_to_swa = vector(given_.map);
    auto* mask = reinterpret_cast<std::uint8_t*>(memory_.data() + used_);
    std::copy(given_.mask.begin(), given_.mask.end(), mask);
    if (!given_.mask.empty()) batch.tree_mask = {mask, static_cast<std::int64_t>(given_.mask.size()), 1};
    used_ += given_.mask.size() / 8 + 1;
    if (given_.rows.empty()) return batch;
    auto* cells = reinterpret_cast<std::int32_t*>(memory_.data() + used_);
    const auto columns = static_cast<std::int64_t>(given_.rows.front().size());
    batch.req_to_token = {cells, static_cast<std::int64_t>(given_.rows.size()), columns, columns, 1};
    for (const FlashCells& row : given_.rows) cells = std::copy(row.begin(), row.end(), cells);
    return batch;
  }

  FlashMetadata outputs() {
    std::int64_t at = 1;
    const auto take = [&](std::int64_t size) {
      const Vector<std::int32_t> view{image_.data() + at, size, 1};
      at += size + 1;
      return view;
    };
    FlashMetadata out;
    out.prefix_seqlens = take(static_cast<std::int64_t>(given_.lengths.size()));
    out.cache_seqlens = take(given_.room);
    out.cu_seqlens_q = take(given_.room + 1);
    out.cu_seqlens_k = take(given_.room + 1);
    out.schedule = take(given_.schedule);
    out.page_table = {image_.data() + at, given_.room, given_.width, given_.width + 1, 1};
    out.status = reinterpret_cast<std::uint32_t*>(image_.data());
    return out;
  }

  FlashResult result(const FlashMetadata& out) const {
    FlashResult result;
    std::int64_t seen = 0;
    const auto cells = [&](const std::int32_t* from, std::int64_t count) {
      FlashCells cells;
      for (std::int64_t i = 0; i < count && from[i] != untouched; ++i) cells.push_back(from[i]);
      seen += static_cast<std::int64_t>(cells.size());
      return cells;
    };
    result.prefix = cells(out.prefix_seqlens.data, out.prefix_seqlens.size);
    result.keys = cells(out.cache_seqlens.data, out.cache_seqlens.size);
    result.sum_q = cells(out.cu_seqlens_q.data, out.cu_seqlens_q.size);
    result.sum_k = cells(out.cu_seqlens_k.data, out.cu_seqlens_k.size);
    result.schedule = cells(out.schedule.data, out.schedule.size);
    for (std::int64_t r = 0; r < given_.room; ++r)
      result.table.push_back(cells(out.page_table.data + r * out.page_table.row_stride, given_.width));
    result.status = static_cast<Status>(*out.status);
    for (std::size_t i = 1; i < image_.size(); ++i) result.strays += image_[i] != untouched ? 1 : 0;
    result.strays -= seen;
    return result;
  }

  FlashCase given_;
  std::vector<std::int64_t> memory_;
  std::vector<std::int32_t> image_;
  std::size_t used_ = 0;
};

/// Expects `want` of every builder that is present and has the family.
inline void expect_flash(const FlashCase& given, const FlashResult& want) {
  for (const BuilderEntry& entry : builders()) {
    if (!entry.absent_because.empty()) continue;
    const auto builder = entry.make(Fault::none);
    if (!builder->capabilities().flash) continue;
    const FlashResult got = FlashBench(given).run(*builder);
    EXPECT_EQ(got.prefix, want.prefix) << entry.name;
    EXPECT_EQ(got.keys, want.keys) << entry.name;
    EXPECT_EQ(got.sum_q, want.sum_q) << entry.name;
    EXPECT_EQ(got.sum_k, want.sum_k) << entry.name;
    EXPECT_EQ(got.schedule, want.schedule) << entry.name;
    EXPECT_EQ(got.table, want.table) << entry.name;
    EXPECT_EQ(static_cast<unsigned>(got.status), static_cast<unsigned>(want.status)) << entry.name;
    EXPECT_EQ(got.strays, 0) << entry.name;
  }
}

}  // namespace pagestorm
