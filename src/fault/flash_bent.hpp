#pragma once
// The FlashAttention family with one rule bent. Every fault stays inside the fenced allocation.

#include "core/flash_rules.hpp"
#include "overwritten_status.hpp"
#include "pagestorm/fault.hpp"

namespace pagestorm::fault {

struct FlashBent : core::FlashSound {
  using PageSize = core::PageSize;
  using Base = core::FlashSound;

  static constexpr bool reads_old = true;
  static constexpr std::int64_t spill = 8;  ///< cells; a fence is wider

  Fault fault = Fault::none;

  PAGESTORM_HD explicit FlashBent(Fault which) : fault(which) {}
  PAGESTORM_HD bool is(Fault which) const { return fault == which; }

  PAGESTORM_HD std::int64_t tail(std::int64_t tail) const { return is(Fault::expand_without_tail) ? 0 : tail; }
  PAGESTORM_HD std::int64_t prefix(std::int64_t length, std::int64_t tail) const {
    return is(Fault::prefix_keeps_tail) ? length : Base::prefix(length, tail);
  }
  PAGESTORM_HD std::int64_t branch_columns(const FlashBatch& batch, std::int64_t tail, std::int64_t columns,
                                           std::int64_t width) const {
    if (!is(Fault::expands_all_steps)) return Base::branch_columns(batch, tail, columns, width);
    const std::int64_t all = (tail + batch.draft_steps + batch.page_size - 1) / batch.page_size;
    const std::int64_t room = width + spill;
    return columns == 0 ? 0 : all < room ? all : room;
  }
  PAGESTORM_HD std::int64_t step(std::int64_t ahead) const {
    return is(Fault::expand_taken_as_consecutive) ? 0 : Base::step(ahead);
  }
  PAGESTORM_HD bool translates() const { return !is(Fault::expand_table_untranslated); }
  PAGESTORM_HD std::int32_t branch_page(std::int32_t page, std::int64_t column) const {
    return is(Fault::expand_taken_as_consecutive) ? static_cast<std::int32_t>(page + column) : page;
  }
  PAGESTORM_HD bool sees(std::int64_t member, std::int64_t token, bool seen) const {
    if (is(Fault::tree_taken_as_chain)) return token <= member;
    return seen && !(is(Fault::draft_token_misses_itself) && token == member);
  }
  PAGESTORM_HD bool reads_unseen() const { return is(Fault::unseen_tokens_read); }
  PAGESTORM_HD std::int64_t mask_before(std::int64_t before, std::int64_t row, std::int64_t own) const {
    return is(Fault::mask_lines_alike) ? row * own : before;
  }
  PAGESTORM_HD std::int64_t merged_keys(std::int64_t length, std::int64_t seen, std::int64_t window) const {
    if (is(Fault::merged_prefix_untrimmed)) return length + seen;
    if (is(Fault::window_from_prefix_end)) return Base::merged_keys(length, 0, window) + seen;
    return Base::merged_keys(length, seen, window);
  }
  PAGESTORM_HD std::int64_t chunk(const FlashBatch& batch, std::int64_t keys) const {
    if (!is(Fault::chunk_cut_to_row) || keys >= batch.chunk) return batch.chunk;
    const std::int64_t whole = keys / batch.page_size * batch.page_size;
    return whole == 0 ? batch.page_size : whole;
  }
  PAGESTORM_HD std::int64_t origin(std::int64_t first_query, std::int64_t chunk) const {
    return is(Fault::chunks_from_first_query) ? first_query % chunk : 0;
  }
  PAGESTORM_HD std::int64_t local_position(std::int64_t first, std::int64_t column, PageSize size) const {
    return is(Fault::local_table_in_tokens) ? first + column : Base::local_position(first, column, size);
  }
  PAGESTORM_HD bool divides(const FlashBatch& batch) const {
    return !(is(Fault::local_table_in_tokens) && batch.op == FlashOp::local_blocks);
  }
  PAGESTORM_HD std::int64_t prompt(std::int64_t tokens) const { return is(Fault::prompt_forgotten) ? 0 : tokens; }
  PAGESTORM_HD bool takes_longest_encoder() const { return is(Fault::text_after_longest_encoder); }
  PAGESTORM_HD std::int64_t text_keys(std::int64_t text, std::int64_t encoder) const {
    return is(Fault::text_counts_encoder) ? text + encoder : text;
  }
  PAGESTORM_HD std::int64_t scheduled(std::int64_t keys) const {
    return is(Fault::schedule_of_step_before) && keys > 0 ? keys - 1 : keys;
  }
  PAGESTORM_HD bool zeroes_schedule() const { return !is(Fault::schedule_tail_kept); }
  PAGESTORM_HD bool empties_rest() const { return !is(Fault::rest_rows_unwritten); }

  template <class Memory>
  PAGESTORM_HD void raise(const Memory& memory, std::uint32_t* status, std::uint32_t bits) const {
    if (is(Fault::status_overwritten) && replaces_status(memory, status, bits)) return memory.store(status, bits);
    memory.raise(status, bits);
  }
  template <class Memory>
  PAGESTORM_HD bool keeps_keys(const Memory& memory, const std::int32_t* cell, std::int64_t keys) const {
    constexpr std::int32_t plausible_length = 1 << 24;
    if (!is(Fault::shorter_keys_unwritten)) return false;
    const std::int32_t old = memory.load(cell);
    return old > keys && old < plausible_length;
  }
};

}  // namespace pagestorm::fault
