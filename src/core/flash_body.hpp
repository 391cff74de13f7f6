#pragma once
// What every output cell of the FlashAttention family is. Lanes write disjoint cells and read inputs only, so any order
// of any number of them gives the same image.

#include <cstdint>

#include "flash_lengths.hpp"
#include "pagestorm/ids.hpp"

namespace pagestorm::core {

template <class MemoryPolicy, class Rules>
struct FlashBody : FlashLengths<MemoryPolicy, Rules> {
  using Lengths = FlashLengths<MemoryPolicy, Rules>;
  using Lengths::in;
  using Lengths::memory;
  using Lengths::out;
  using Lengths::rules;
  using Lengths::size;

  template <class T>
  PAGESTORM_HD void put(const Vector<T>& vector, std::int64_t index, T value) const {
    memory.store(vector.data + index * vector.stride, value);
  }

  /// Expanded rows that there is room for.
  PAGESTORM_HD std::int64_t room() const { return out.cache_seqlens.size; }

  PAGESTORM_HD void store_sum_zero() const {
    put(out.cu_seqlens_q, 0, std::int32_t{0});
    put(out.cu_seqlens_k, 0, std::int32_t{0});
    if (in.op == FlashOp::schedule) put(out.schedule, 0, std::int32_t{0});
  }

  /// Stores the lengths of expanded row `at`, and the sums up to and including it.
  PAGESTORM_HD void store_row(std::int64_t at, const FlashRow& own, std::int64_t sum_q, std::int64_t sum_k) const {
    const bool fits = at < room();
    rules.raise(memory, out.status,
                own.status | bits_if(!fits, Status::rows_clamped) |
                    bits_if(fits && (sum_q > INT32_MAX || sum_k > INT32_MAX), Status::sum_saturated));
    if (!fits) return;
    store_keys(at, own.keys);
    put(out.cu_seqlens_q, at + 1, saturate(sum_q));
    put(out.cu_seqlens_k, at + 1, saturate(sum_k));
    if (in.op == FlashOp::schedule) put(out.schedule, at + 1, splits(own.keys));
  }

  /// What a row of the batch has besides its expanded rows.
  PAGESTORM_HD void store_whole(std::int64_t row) const {
    if (in.op == FlashOp::draft_expand) {
      const FlashLength own = this->length(row);
      const std::int64_t prefix = rules.prefix(own.tokens, own.tokens % size.tokens);
      put(out.prefix_seqlens, row, static_cast<std::int32_t>(prefix));
    }
    if (in.op == FlashOp::local_blocks) rules.raise(memory, out.status, this->blocks(row).status);
  }

  /// One lane's share of what comes after the last row: blocks without keys and queries, no splits.
  PAGESTORM_HD void store_rest(std::int64_t from, std::int64_t sum_q, std::int64_t sum_k, Lane lane) const {
    if (in.op == FlashOp::schedule && rules.zeroes_schedule())
      for (std::int64_t at = from + 1 + lane.index; at < out.schedule.size; at += lane.count)
        put(out.schedule, at, std::int32_t{0});
    if (in.op != FlashOp::local_blocks || !rules.empties_rest()) return;
    for (std::int64_t at = from + lane.index; at < room(); at += lane.count) {
      put(out.cache_seqlens, at, std::int32_t{0});
      put(out.cu_seqlens_q, at + 1, saturate(sum_q));
      put(out.cu_seqlens_k, at + 1, saturate(sum_k));
    }
  }

  /// One lane's share of the table row of a member, given what all rows before its row have.
  PAGESTORM_HD void fill(std::int64_t row, std::int64_t member, const FlashShare& before, Lane lane) const {
    const std::int64_t at = before.rows + member;
    if (at >= room() || in.op == FlashOp::schedule) return;
    const FlashRow own = this->row_of(row, member, before, lane);
    Cells cells{.to = out.page_table.data + at * out.page_table.row_stride, .width = out.page_table.cols, .status = 0};
    switch (in.op) {
      case FlashOp::draft_expand: fill_branch(row, member, own, lane, cells); break;
      case FlashOp::verify_expand: fill_seen(row, member, 0, 0, before, lane, cells); break;
      case FlashOp::merged_verify: fill_merged(row, member, own, before, lane, cells); break;
      case FlashOp::local_blocks: fill_block(row, own, lane, cells); break;
      case FlashOp::prompt_window: fill_prompt(row, own, lane, cells); break;
      case FlashOp::encoder_table:
      case FlashOp::text_table: fill_stretch(row, own.first, least(own.keys, cells.width), lane, cells); break;
      case FlashOp::schedule: break;
    }
    const bool paged = !names_slots(in.op);
    const std::int64_t wanted = paged ? size.pages(own.keys) : own.keys;
    rules.raise(memory, out.status, cells.status | own.status | bits_if(wanted > cells.width, Status::row_clamped));
  }

 private:
  PAGESTORM_HD std::int32_t splits(std::int64_t keys) const {
    return static_cast<std::int32_t>((rules.scheduled(keys) + in.chunk - 1) / in.chunk);
  }

  PAGESTORM_HD void store_keys(std::int64_t at, std::int64_t keys) const {
    if constexpr (Rules::reads_old)
      if (rules.keeps_keys(memory, out.cache_seqlens.data + at * out.cache_seqlens.stride, keys)) return;
    put(out.cache_seqlens, at, static_cast<std::int32_t>(keys));
  }

  /// A row of the table that is being filled.
  struct Cells {
    std::int32_t* to = nullptr;
    std::int64_t width = 0;
    std::uint32_t status = 0;
  };

  PAGESTORM_HD void put(const Cells& cells, std::int64_t column, std::int32_t value) const {
    memory.store(cells.to + column * out.page_table.col_stride, value);
  }

  /// What names a slot in the table: the slot, translated for SWA layers, or the page of that.
  PAGESTORM_HD std::int32_t name(std::int64_t slot, std::uint32_t& status) const {
    if (slot < 0) {
      status |= bits_if(true, Status::absent_slot);
      return absent_page;
    }
    if (in.full_to_swa.data != nullptr && rules.translates()) {
      const bool outside = slot >= in.full_to_swa.size;
      status |= bits_if(outside, Status::slot_outside_map);
      slot = outside ? absent_slot : this->load(in.full_to_swa, slot);
      if (slot < 0) return absent_page;
    }
    const bool whole = names_slots(in.op) || !rules.divides(in);
    return static_cast<std::int32_t>(whole ? slot : size.page_of(slot));
  }

  /// The same of a position of a request row.
  PAGESTORM_HD std::int32_t name_at(std::int64_t pool_row, std::int64_t position, std::uint32_t& status) const {
    const Matrix<const std::int32_t>& slots = in.req_to_token;
    const bool inside = static_cast<std::uint64_t>(pool_row) < static_cast<std::uint64_t>(slots.rows);
    const bool past = inside && position >= slots.cols;
    status |= bits_if(!inside, Status::row_outside_pool) | bits_if(past, Status::position_outside_row);
    if (!inside || past) return absent_page;
    return name(memory.load(slots.data + pool_row * slots.row_stride + position * slots.col_stride), status);
  }

  PAGESTORM_HD static std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

  PAGESTORM_HD void fill_branch(std::int64_t row, std::int64_t member, const FlashRow& own, Lane lane,
                                Cells& cells) const {
    if (own.keys == 0) return;
    const std::int64_t tail = own.keys - in.draft_step - 1;
    const std::int64_t columns = rules.branch_columns(in, tail, size.pages(own.keys), cells.width);
    const std::int64_t first = (row * in.branches + member) * in.draft_steps;
    for (std::int64_t column = lane.index; column < columns; column += lane.count) {
      const std::int64_t step = rules.step(column * size.tokens - tail);
      const std::int32_t page = name(this->load(in.out_cache_loc, first + step), cells.status);
      put(cells, column, rules.branch_page(page, column));
    }
  }

  /// The draft tokens that a draft token sees, but for the first `skip` of them, from column `column` on.
  PAGESTORM_HD void fill_seen(std::int64_t row, std::int64_t member, std::int64_t skip, std::int64_t column,
                              const FlashShare& before, Lane lane, Cells& cells) const {
    const FlashLength length = this->length(row);
    if (length.negative) return;
    const std::int64_t line = this->line(row, member, length, before);
    std::int64_t before_word = 0;
    for (std::int64_t first = 0; first < in.tokens_per_row; first += this->bits) {
      const std::uint64_t seen = this->seen_from(line, member, first, lane, cells.status);
      const std::int64_t stop = least(in.tokens_per_row, first + this->bits);
      for (std::int64_t token = first + lane.index; token < stop; token += lane.count) {
        if (rules.reads_unseen())
          static_cast<void>(name(this->load(in.out_cache_loc, row * in.tokens_per_row + token), cells.status));
        const std::uint64_t bit = std::uint64_t{1} << (token - first);
        const std::int64_t to = column + before_word + ones(seen & (bit - 1)) - skip;
        if ((seen & bit) == 0 || to < column || to >= cells.width) continue;
        put(cells, to, name(this->load(in.out_cache_loc, row * in.tokens_per_row + token), cells.status));
      }
      before_word += ones(seen);
    }
  }

  PAGESTORM_HD void fill_merged(std::int64_t row, std::int64_t member, const FlashRow& own, const FlashShare& before,
                                Lane lane, Cells& cells) const {
    const std::int64_t length = this->length(row).tokens;
    const std::int64_t prefix = own.first < length ? length - own.first : 0;
    fill_stretch(row, own.first, least(least(prefix, own.keys), cells.width), lane, cells);
    fill_seen(row, member, own.first > length ? own.first - length : 0, prefix, before, lane, cells);
  }

  /// Slots of `live` positions from `first` on, a column each.
  PAGESTORM_HD void fill_stretch(std::int64_t row, std::int64_t first, std::int64_t live, Lane lane,
                                 Cells& cells) const {
    if (lane.index >= live) return;
    const std::int64_t pool_row = this->load(in.req_pool_indices, row);
    for (std::int64_t column = lane.index; column < live; column += lane.count)
      put(cells, column, name_at(pool_row, first + column, cells.status));
  }

  PAGESTORM_HD void fill_block(std::int64_t row, const FlashRow& own, Lane lane, Cells& cells) const {
    const std::int64_t live = least(size.pages(own.keys), cells.width);
    if (lane.index >= live) return;
    const std::int64_t pool_row = this->load(in.req_pool_indices, row);
    for (std::int64_t column = lane.index; column < live; column += lane.count)
      put(cells, column, name_at(pool_row, rules.local_position(own.first, column, size), cells.status));
  }

  PAGESTORM_HD void fill_prompt(std::int64_t row, const FlashRow& own, Lane lane, Cells& cells) const {
    const std::int64_t live = least(own.keys, cells.width);
    if (lane.index >= live) return;
    const std::int64_t prompt = this->prompt(row, this->length(row), cells.status);
    const std::int64_t pool_row = this->load(in.req_pool_indices, row);
    for (std::int64_t column = lane.index; column < live; column += lane.count)
      put(cells, column, name_at(pool_row, column < prompt ? column : own.first + column, cells.status));
  }
};

/// The body of a call.
template <class Memory, class Rules>
FlashBody<Memory, Rules> flash_body_of(const FlashBatch& batch, const FlashMetadata& out, Memory memory, Rules rules) {
  return {{batch, out, PageSize::of(batch.page_size), memory, rules}};
}

}  // namespace pagestorm::core
