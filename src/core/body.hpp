#pragma once
// What every output cell is. A body reads inputs only, and lanes write disjoint cells, so any order of any number of
// lanes gives the same image. Backends decide who runs which lane, and how sums are scanned.

#include <algorithm>
#include <cstdint>

#include "cells.hpp"
#include "hd.hpp"
#include "memory.hpp"
#include "page_size.hpp"
#include "pagestorm/batch.hpp"
#include "pagestorm/ids.hpp"
#include "plain_cells.hpp"
#include "plan.hpp"
#include "rules.hpp"

namespace pagestorm::core {

/// Lengths of one row, before they are summed.
struct RowLengths {
  std::int64_t keys = 0;     ///< K, from 0 to INT32_MAX
  std::int64_t queries = 0;  ///< never negative
  std::uint32_t status = 0;
};

template <class MemoryPolicy, class Rules>
struct Body {
  using Memory = MemoryPolicy;

  Batch in;
  Metadata out;
  Plan plan;
  PageSize size;
  Layout layout;
  std::uint32_t width;     ///< of the tables; never more than a length can need
  std::uint32_t readable;  ///< pages that begin within a request row, likewise
  Memory memory;
  Rules rules;

  PAGESTORM_HD std::int64_t load(const IntVector& vector, std::int64_t index) const {
    return load_as<Layout::any>(vector, index);
  }

  template <class T>
  PAGESTORM_HD void put(const Vector<T>& vector, std::int64_t index, T value) const {
    memory.store(vector.data + index * vector.stride, value);
  }

  PAGESTORM_HD RowLengths lengths(std::int64_t row) const {
    RowLengths result = keys(load(in.seq_lens, row), row);
    const Queries queries = rules.queries(plan);
    result.queries = queries == Queries::fixed ? rules.fixed_queries(plan) : result.keys;
    if (queries == Queries::given) {
      const std::int64_t extend = load(in.extend_seq_lens, row);
      constexpr std::int64_t more_than_any_sum = std::int64_t{1} << 32;
      result.queries = extend < 0 ? 0 : extend < more_than_any_sum ? extend : more_than_any_sum;
      result.status |= bits_if(extend < 0, Status::negative_length);
    }
    return result;
  }

  /// Stores K of a row and the sums up to and including it; row 0 stores element 0 of both sums too.
  PAGESTORM_HD void store_lengths(std::int64_t row, const RowLengths& own, std::int64_t sum_q,
                                  std::int64_t sum_k) const {
    if constexpr (Rules::reads_old) {
      if (!rules.stores_length(row, in.rows)) return;
      if (!rules.stores_sums(row, in.rows, load(in.req_pool_indices, row)))
        return put(out.cache_seqlens, row, static_cast<std::int32_t>(own.keys));
    }
    put(out.cache_seqlens, row, static_cast<std::int32_t>(own.keys));
    const std::int64_t at = rules.sum_index(row);
    put(out.cu_seqlens_q, at, saturate(sum_q));
    put(out.cu_seqlens_k, at, saturate(sum_k));
    rules.raise(memory, out.status,
                own.status | bits_if(sum_q > INT32_MAX || sum_k > INT32_MAX, Status::sum_saturated));
  }

  PAGESTORM_HD void store_sum_zero() const {
    if (!rules.writes_sum_zero(in.rows)) return;
    put(out.cu_seqlens_q, 0, std::int32_t{0});
    put(out.cu_seqlens_k, 0, std::int32_t{0});
  }

  PAGESTORM_HD bool swa() const { return in.full_to_swa.data != nullptr; }

  /// One lane's share of a row of both tables.
  void fill_row(std::int64_t row, Lane lane) const {
    if (layout == Layout::whole)
      swa() ? fill_row_as<true, Layout::whole>(row, lane) : fill_row_as<false, Layout::whole>(row, lane);
    else
      swa() ? fill_row_as<true, Layout::any>(row, lane) : fill_row_as<false, Layout::any>(row, lane);
  }

  /// The same, where swa() and the layout are known to the compiler.
  template <bool with_swa, Layout known>
  PAGESTORM_HD void fill_row_as(std::int64_t row, Lane lane) const {
    if (rules.skips_row(row, in.rows)) return;
    // Both loads before the first use: their latencies overlap.
    const std::int64_t given = load_as<known>(in.seq_lens, row);
    const std::int64_t named = load_as<known>(in.req_pool_indices, row);
    if (rules.skips_request_row(named)) return;
    const RowLengths own = keys(given, row);
    const std::int64_t wanted = rules.pages(own.keys, size, width, plan);
    const std::int64_t live = rules.clamp(wanted, width);
    std::uint32_t status = own.status | bits_if(wanted > width, Status::row_clamped);
    if (live > 0) {
      const std::int64_t pool_row = rules.pool_row(named);
      const bool inside = static_cast<std::uint64_t>(pool_row) < static_cast<std::uint64_t>(in.req_to_token.rows);
      status |= bits_if(!inside, Status::row_outside_pool);
      if constexpr (Rules::reads_old)
        status |= fill_bent(row, inside ? pool_row : -1, live, lane);
      else
        status |= fill_sound<with_swa, known>(row, inside, pool_row, live, lane);
    }
    rules.raise(memory, out.status, status);
  }

  /// Whether there are write slots to translate.
  PAGESTORM_HD bool translates() const { return plan.sums && swa(); }

  /// One lane's share of swa_out_cache_loc, tail included.
  PAGESTORM_HD void translate(Lane lane) const {
    const std::int64_t room = out.swa_out_cache_loc.size;
    const std::int64_t given = rules.translated(in.out_cache_loc.size < room ? in.out_cache_loc.size : room, room);
    std::uint32_t status = bits_if(in.out_cache_loc.size > room, Status::write_slots_clamped);
    for (std::int64_t i = lane.index; i < room; i += lane.count) {
      if (i >= given) {
        if (rules.zeroes_tail()) put(out.swa_out_cache_loc, i, std::int64_t{0});
        continue;
      }
      const std::int64_t slot = load(in.out_cache_loc, i);
      const bool outside = slot >= in.full_to_swa.size;
      status |= bits_if(outside, Status::slot_outside_map);
      put(out.swa_out_cache_loc, i, slot < 0 || outside ? absent_slot : load(in.full_to_swa, slot));
    }
    rules.raise(memory, out.status, status);
  }

 private:
  template <Layout known>
  PAGESTORM_HD std::int64_t load_as(const IntVector& vector, std::int64_t index) const {
    const std::int64_t at = known == Layout::any ? index * vector.stride : index;
    if (vector.type == IntType::int64) return memory.load(static_cast<const std::int64_t*>(vector.data) + at);
    return memory.load(static_cast<const std::int32_t*>(vector.data) + at);
  }

  /// What a row's length grows by: of queries no more than makes any length too long.
  PAGESTORM_HD std::int64_t added(std::int64_t row) const {
    if (!plan.adds_queries) return rules.length_offset(plan);
    const std::int64_t queries = load(in.extend_seq_lens, row);
    constexpr std::int64_t too_many = std::int64_t{INT32_MAX} + 1;
    return queries < 0 ? 0 : queries < too_many ? queries : too_many;
  }

  /// K of a row, from the length given.
  PAGESTORM_HD RowLengths keys(std::int64_t length, std::int64_t row) const {
    const std::int64_t given = rules.length(length);
    // Capped before the offset is added, which is at most 2^31: 32 bits hold the sum.
    const bool too_long = given > INT32_MAX;
    const auto capped = static_cast<std::uint32_t>(too_long ? INT32_MAX : given);
    const std::uint32_t sum = capped + static_cast<std::uint32_t>(added(row));
    const bool negative = given < 0;
    const bool saturated = !negative && (too_long || sum > INT32_MAX);
    return {.keys = negative    ? 0u
                    : saturated ? static_cast<std::uint32_t>(INT32_MAX)
                                : sum,
            .status = bits_if(negative, Status::negative_length) | bits_if(saturated, Status::length_saturated)};
  }

  template <bool with_swa, Layout known>
  PAGESTORM_HD std::uint32_t fill_sound(std::int64_t row, bool inside, std::int64_t pool_row, std::int64_t live,
                                        Lane lane) const {
    const Matrix<const std::int32_t>& slots = in.req_to_token;
    Cells cells{.full = out.page_table.data + row * out.page_table.row_stride,
                .live = static_cast<std::uint32_t>(live)};
    if constexpr (with_swa) cells.window = out.swa_page_table.data + row * out.swa_page_table.row_stride;
    std::uint32_t status = 0;
    if (inside) {
      cells.from = slots.data + pool_row * slots.row_stride;
      cells.readable = readable < cells.live ? readable : cells.live;
      status |= bits_if(readable < cells.live, Status::position_outside_row);
    }
    Filler<Memory, Rules, with_swa, known> filler{in, out, size, memory, rules, status};
    filler.fill(cells, static_cast<std::uint32_t>(lane.index), static_cast<std::uint32_t>(lane.count));
    return filler.status;
  }

  /// Cell after cell, so that each decision can be bent.
  PAGESTORM_HD std::uint32_t fill_bent(std::int64_t row, std::int64_t pool_row, std::int64_t live, Lane lane) const {
    const bool swa = in.full_to_swa.data != nullptr && out.swa_page_table.data != nullptr;
    const Matrix<const std::int32_t>& slots = in.req_to_token;
    const std::int32_t* from = slots.data + rules.row_offset(pool_row < 0 ? 0 : pool_row, slots.row_stride);
    std::int32_t* full = out.page_table.data + rules.row_offset(row, out.page_table.row_stride);
    std::int32_t* window = swa ? out.swa_page_table.data + rules.row_offset(row, rules.swa_row_stride(out)) : nullptr;
    const std::int64_t full_step = rules.inner_stride(out.page_table.col_stride);
    const std::int64_t window_step = rules.inner_stride(out.swa_page_table.col_stride);
    std::uint32_t status = 0;
    for (std::int64_t column = lane.index; column < live; column += lane.count) {
      const std::int64_t position = rules.position(column, size);
      const bool past = pool_row >= 0 && position >= slots.cols;
      const std::int32_t slot = pool_row < 0 || past ? absent_page : memory.load(from + position * slots.col_stride);
      const bool absent = rules.is_absent(slot);
      status |= bits_if(past, Status::position_outside_row);
      status |= bits_if(absent && !past && pool_row >= 0, Status::absent_slot);
      const std::int32_t page = absent ? absent_page : rules.page_of_column(rules.page(slot, size), column);
      store_cell(full, column, full_step, page);
      if (swa) store_cell(window, column, window_step, absent ? absent_page : swa_page(slot, status));
    }
    return status;
  }

  PAGESTORM_HD std::int32_t swa_page(std::int64_t slot, std::uint32_t& status) const {
    if (!rules.translates_cells(plan)) return rules.page(static_cast<std::int32_t>(slot), size);
    const std::int64_t index = rules.map_index(slot, size);
    if (index >= in.full_to_swa.size) {
      status |= bits_if(true, Status::slot_outside_map);
      return absent_page;
    }
    const std::int64_t swa_slot = load(in.full_to_swa, index < 0 ? 0 : index);
    return swa_slot < 0 ? absent_page : rules.swa_page(swa_slot, size);
  }

  PAGESTORM_HD void store_cell(std::int32_t* cells, std::int64_t column, std::int64_t step, std::int32_t page) const {
    std::int32_t* cell = cells + column * step;
    if constexpr (Rules::reads_old) {
      if (rules.keeps(memory, cell, column, step)) return;
    }
    memory.store(cell, page);
  }
};

/// The body of a call.
template <class Memory, class Rules>
Body<Memory, Rules> body_of(const Batch& batch, const Metadata& out, Memory memory, Rules rules) {
  const PageSize size = rules.page_size(batch);
  const auto at_most = [](std::int64_t pages) {
    return static_cast<std::uint32_t>(std::min<std::int64_t>(pages, INT32_MAX));
  };
  return {batch,
          out,
          plan(batch),
          size,
          layout_of<Memory>(batch, out),
          at_most(out.page_table.cols),
          at_most(size.pages(batch.req_to_token.cols)),
          memory,
          rules};
}

}  // namespace pagestorm::core
