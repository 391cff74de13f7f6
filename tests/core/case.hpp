#pragma once
// One call by hand: inputs as literals, results as literals.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pagestorm/batch.hpp"
#include "pagestorm/builder.hpp"
#include "pagestorm/status.hpp"

namespace pagestorm {

/// What an output cell holds that nothing wrote to.
inline constexpr std::int32_t _ = -77;

using Row = std::vector<std::int32_t>;
using Table = std::vector<Row>;

/// The outputs of a call, without strides.
struct Result {
  Row keys, sum_q, sum_k;
  Table pages, swa_pages;
  std::vector<std::int64_t> swa_writes;
  Status status = Status::none;
  std::int64_t strays = 0;  ///< cells between the cells of outputs that were written to

  bool operator==(const Result&) const = default;
};

/// The inputs of a call, and how inputs and outputs lie.
struct Case {
  Mode mode = Mode::decode;
  Entry entry = Entry::apply;
  std::int32_t draft_step = 0;
  std::int32_t tokens_per_row = 1;
  bool has_cached_prefix = true;
  std::int32_t page_size = 1;
  std::int64_t width = 0;
  Table slots;  ///< req_to_token; short rows are filled up with a slot that nothing may use
  std::vector<std::int64_t> indices, lengths, extends, writes;
  std::vector<std::int64_t> map;  ///< empty = no SWA
  std::int64_t write_room = 0;    ///< beyond the writes given

  IntType type = IntType::int64;
  std::int64_t input_stride = 1;
  std::int64_t output_stride = 1;
  std::int64_t row_padding = 0;      ///< elements between rows of req_to_token and page_table
  std::int64_t swa_row_padding = 0;  ///< of swa_page_table
};

namespace case_detail {

inline constexpr std::int32_t hostile = 0x3a5c3a5c;

/// A strided input of either type.
struct Integers {
  std::vector<std::int64_t> wide;
  std::vector<std::int32_t> narrow;
  IntVector view;

  Integers(const Case& one, const std::vector<std::int64_t>& values) {
    const auto stride = static_cast<std::size_t>(one.input_stride);
    wide.assign((values.size() + 1) * stride, hostile);
    for (std::size_t i = 0; i < values.size(); ++i) wide[i * stride] = values[i];
    for (const std::int64_t value : wide) narrow.push_back(static_cast<std::int32_t>(value));
    view = {one.type == IntType::int64 ? static_cast<const void*>(wide.data()) : narrow.data(),
            static_cast<std::int64_t>(values.size()), one.input_stride, one.type};
  }
};

/// A strided output that knows which of its cells are cells.
template <class T>
struct Output {
  std::int64_t rows, cols, row_stride, col_stride;
  std::vector<T> cells;

  Output(std::int64_t rows_, std::int64_t cols_, std::int64_t col_stride_, std::int64_t padding)
      : rows(rows_),
        cols(cols_),
        row_stride(cols_ * col_stride_ + padding),
        col_stride(col_stride_),
        cells(static_cast<std::size_t>(rows_ * row_stride + 64), T{_}) {}

  Vector<T> vector() { return {cells.data(), cols, col_stride}; }
  Matrix<T> matrix() { return {cells.data(), rows, cols, row_stride, col_stride}; }

  /// Takes row `r` out; what is left unequal to _ in the end are strays.
  std::vector<T> take(std::int64_t r) {
    std::vector<T> row;
    for (std::int64_t c = 0; c < cols; ++c) {
      T& cell = cells[static_cast<std::size_t>(r * row_stride + c * col_stride)];
      row.push_back(cell);
      cell = T{_};
    }
    return row;
  }
  std::vector<std::vector<T>> take_all() {
    std::vector<std::vector<T>> table;
    for (std::int64_t r = 0; r < rows; ++r) table.push_back(take(r));
    return table;
  }
  std::int64_t strays() const {
    std::int64_t count = 0;
    for (const T cell : cells) count += cell == T{_} ? 0 : 1;
    return count;
  }
};

}  // namespace case_detail

/// Runs a case on a host builder, "host" unless another is named.
inline Result run(const Case& one, std::string_view builder = "host") {
  using namespace case_detail;
  std::int64_t columns = 0;
  for (const Row& row : one.slots) columns = std::max(columns, static_cast<std::int64_t>(row.size()));
  const std::int64_t slots_stride = columns * one.input_stride + one.row_padding;
  Row slots(one.slots.size() * static_cast<std::size_t>(slots_stride) + 1, hostile);
  for (std::size_t r = 0; r < one.slots.size(); ++r)
    for (std::size_t c = 0; c < one.slots[r].size(); ++c)
      slots[r * static_cast<std::size_t>(slots_stride) + c * static_cast<std::size_t>(one.input_stride)] =
          one.slots[r][c];
  const Integers indices(one, one.indices), lengths(one, one.lengths), extends(one, one.extends),
      writes(one, one.writes), map(one, one.map);

  const auto rows = static_cast<std::int64_t>(one.lengths.size());
  const bool swa = !one.map.empty();
  const std::int64_t room = swa ? static_cast<std::int64_t>(one.writes.size()) + one.write_room : 0;
  Output<std::int32_t> keys(1, rows, one.output_stride, 0), sum_q(1, rows + 1, one.output_stride, 0),
      sum_k(1, rows + 1, one.output_stride, 0), pages(rows, one.width, one.output_stride, one.row_padding),
      swa_pages(rows, one.width, one.output_stride, one.swa_row_padding);
  Output<std::int64_t> swa_writes(1, room, one.output_stride, 0);
  std::uint32_t status = 0;

  Call call;
  call.batch = {.mode = one.mode,
                .entry = one.entry,
                .draft_step = one.draft_step,
                .tokens_per_row = one.tokens_per_row,
                .has_cached_prefix = one.has_cached_prefix,
                .page_size = one.page_size,
                .rows = rows,
                .req_to_token = {slots.data(), static_cast<std::int64_t>(one.slots.size()), columns, slots_stride,
                                 one.input_stride},
                .req_pool_indices = indices.view,
                .seq_lens = lengths.view,
                .extend_seq_lens = extends.view,
                .out_cache_loc = writes.view};
  call.out = {.cache_seqlens = keys.vector(),
              .cu_seqlens_q = sum_q.vector(),
              .cu_seqlens_k = sum_k.vector(),
              .page_table = pages.matrix(),
              .status = &status};
  if (swa) {
    call.batch.full_to_swa = map.view;
    call.out.swa_page_table = swa_pages.matrix();
    call.out.swa_out_cache_loc = swa_writes.vector();
  }
  for (const BuilderEntry& entry : host_builders())
    if (entry.name == builder) entry.make(Fault::none)->run(call);

  Result result{keys.take(0), sum_q.take(0), sum_k.take(0), pages.take_all(), {}, {}, static_cast<Status>(status)};
  if (swa) result.swa_pages = swa_pages.take_all();
  if (swa) result.swa_writes = swa_writes.take(0);
  result.strays =
      keys.strays() + sum_q.strays() + sum_k.strays() + pages.strays() + swa_pages.strays() + swa_writes.strays();
  return result;
}

}  // namespace pagestorm
