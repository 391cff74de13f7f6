#pragma once
// The contract with one rule bent. Every fault stays inside the fenced allocation, so that it is judged, not a crash.

#include "core/rules.hpp"
#include "overwritten_status.hpp"
#include "pagestorm/fault.hpp"

namespace pagestorm::fault {

struct Bent : core::Sound {
  using PageSize = core::PageSize;
  using Plan = core::Plan;
  using Base = core::Sound;
  static constexpr bool reads_old = true;
  static constexpr std::int64_t spill = 8;  ///< cells; a fence is wider

  Fault fault = Fault::none;

  PAGESTORM_HD explicit Bent(Fault which) : fault(which) {}
  PAGESTORM_HD bool is(Fault which) const { return fault == which; }

  PAGESTORM_HD bool skips_row(std::int64_t row, std::int64_t rows) const {
    return is(Fault::last_row_skipped) && row == rows - 1;
  }
  PAGESTORM_HD bool skips_request_row(std::int64_t named) const { return is(Fault::padded_rows_skipped) && named == 0; }
  PAGESTORM_HD core::Queries queries(const Plan& plan) const {
    const bool uniform = plan.queries == core::Queries::fixed && plan.fixed_queries > 1;
    return is(Fault::extend_lengths_always_used) && uniform ? core::Queries::given : plan.queries;
  }
  PAGESTORM_HD std::int64_t fixed_queries(const Plan& plan) const {
    return is(Fault::queries_one_short) && plan.fixed_queries > 1 ? plan.fixed_queries - 1 : plan.fixed_queries;
  }
  PAGESTORM_HD std::int64_t length(std::int64_t given) const {
    return is(Fault::length_cut_to_32_bits) ? static_cast<std::int32_t>(given) : given;
  }
  PAGESTORM_HD std::int64_t length_offset(const Plan& plan) const {
    const bool verify = plan.length_offset > 0 && plan.fixed_queries == plan.length_offset;
    if (is(Fault::draft_step_ignored) && plan.fixed_queries == 1 && plan.length_offset > 1) return 1;
    if (is(Fault::verify_tokens_ignored) && verify) return 0;
    return plan.length_offset;
  }
  PAGESTORM_HD std::int64_t pool_row(std::int64_t given) const {
    return is(Fault::padding_row_hits_live_slot) && given == 0 ? 1 : given;
  }
  PAGESTORM_HD PageSize page_size(const Batch& batch) const {
    PageSize size = PageSize::of(batch.page_size);
    if (is(Fault::page_size_rounded_to_power_of_two) && size.shift < 0) {
      std::int32_t power = 1;
      while (power * 2 <= batch.page_size) power *= 2;
      size = PageSize::of(power);
    }
    if (is(Fault::page_size_doubled) && batch.page_size * 2 <= page_size_max) size = PageSize::of(batch.page_size * 2);
    return size;
  }
  PAGESTORM_HD std::int64_t pages(std::int64_t length, PageSize size, std::int64_t width, const Plan& plan) const {
    const std::int64_t right = Base::pages(length, size, width, plan);
    if (is(Fault::one_page_too_many) && right < width) return right + 1;
    if (is(Fault::build_rounds_down) && !plan.sums) return size.page_of(length);
    return right;
  }
  PAGESTORM_HD std::int64_t clamp(std::int64_t pages, std::int64_t width) const {
    const std::int64_t late = is(Fault::spills_past_width) ? spill : is(Fault::clamped_one_late) ? 1 : 0;
    return Base::clamp(pages, width + late);
  }
  PAGESTORM_HD std::int64_t position(std::int64_t column, PageSize size) const {
    if (is(Fault::pages_taken_as_consecutive)) return 0;
    return Base::position(column, size) + (is(Fault::end_of_page_read) ? size.tokens - 1 : 0);
  }
  PAGESTORM_HD std::int64_t row_offset(std::int64_t row, std::int64_t stride) const {
    const std::int64_t right = Base::row_offset(row, stride);
    return is(Fault::offset_in_32_bits) ? static_cast<std::int32_t>(right) : right;
  }
  PAGESTORM_HD std::int64_t inner_stride(std::int64_t stride) const {
    return is(Fault::inner_stride_ignored) ? 1 : stride;
  }
  PAGESTORM_HD std::int64_t swa_row_stride(const Metadata& out) const {
    return is(Fault::swa_stride_borrowed) ? out.page_table.row_stride : out.swa_page_table.row_stride;
  }
  PAGESTORM_HD bool is_absent(std::int64_t slot) const { return slot < 0 && !is(Fault::negative_slot_divided); }
  PAGESTORM_HD std::int32_t page(std::int32_t slot, PageSize size) const {
    if (is(Fault::slots_not_divided)) return slot;
    const std::int32_t page = is(Fault::negative_slot_divided) ? slot / size.tokens : size.page_of(slot);
    return is(Fault::divided_twice) ? size.page_of(page) : page;
  }
  PAGESTORM_HD std::int32_t page_of_column(std::int32_t page, std::int64_t column) const {
    return is(Fault::pages_taken_as_consecutive) ? static_cast<std::int32_t>(page + column) : page;
  }
  PAGESTORM_HD bool translates_cells(const Plan& plan) const {
    const bool draft_extend = plan.length_offset == 0 && plan.fixed_queries > 1;
    return !is(Fault::swa_table_untranslated) && !(is(Fault::swa_skipped_in_draft_extend) && draft_extend);
  }
  PAGESTORM_HD std::int64_t map_index(std::int64_t slot, PageSize size) const {
    return is(Fault::translated_after_dividing) ? size.page_of(slot) : slot;
  }
  PAGESTORM_HD std::int32_t swa_page(std::int64_t swa_slot, PageSize size) const {
    return is(Fault::translated_after_dividing) ? static_cast<std::int32_t>(swa_slot) : Base::swa_page(swa_slot, size);
  }
  PAGESTORM_HD std::int64_t sum_index(std::int64_t row) const {
    return is(Fault::cumulative_sum_off_by_a_row) ? row : row + 1;
  }
  PAGESTORM_HD bool writes_sum_zero(std::int64_t rows) const {
    return !is(Fault::cumulative_zero_unwritten) && !(is(Fault::empty_batch_skipped) && rows == 0);
  }
  PAGESTORM_HD bool stores_length(std::int64_t row, std::int64_t rows) const {
    return !(is(Fault::last_length_unwritten) && row == rows - 1);
  }
  PAGESTORM_HD bool stores_sums(std::int64_t row, std::int64_t rows, std::int64_t named) const {
    return !(is(Fault::last_sum_unwritten) && row == rows - 1) && !(is(Fault::padded_rows_not_summed) && named == 0);
  }
  PAGESTORM_HD std::int64_t translated(std::int64_t given, std::int64_t room) const {
    constexpr std::int64_t beyond = 2;
    return is(Fault::write_slots_read_past_end) ? Base::clamp(given + beyond, room) : given;
  }
  PAGESTORM_HD bool zeroes_tail() const { return !is(Fault::tail_not_zeroed); }

  template <class Memory>
  PAGESTORM_HD void raise(const Memory& memory, std::uint32_t* status, std::uint32_t bits) const {
    if (is(Fault::status_overwritten) && replaces_status(memory, status, bits)) return memory.store(status, bits);
    memory.raise(status, bits);
  }

  template <class Memory>
  PAGESTORM_HD bool keeps(const Memory& memory, const std::int32_t* cell, std::int64_t column,
                          std::int64_t step) const {
    constexpr std::int32_t plausible_page = 1 << 24;
    if (is(Fault::stale_page_kept)) {
      const std::int32_t old = memory.load(cell);
      return old >= 0 && old < plausible_page;
    }
    return is(Fault::neighbour_awaited) && column > 0 && memory.load(cell - step) < 0;
  }
};

}  // namespace pagestorm::fault
