#pragma once
// The decisions of a body, one function each: what is right, and the place where a fault can bend one of them.

#include <cstdint>

#include "hd.hpp"
#include "page_size.hpp"
#include "pagestorm/batch.hpp"
#include "pagestorm/ids.hpp"
#include "plan.hpp"

namespace pagestorm::core {

/// The contract. Stateless, so that it costs nothing; src/fault derives from it.
struct Sound {
  /// Whether the old content of a cell may matter. Never, in the contract.
  static constexpr bool reads_old = false;

  PAGESTORM_HD bool skips_row(std::int64_t, std::int64_t) const { return false; }
  PAGESTORM_HD bool skips_request_row(std::int64_t) const { return false; }
  PAGESTORM_HD Queries queries(const Plan& plan) const { return plan.queries; }
  PAGESTORM_HD std::int64_t fixed_queries(const Plan& plan) const { return plan.fixed_queries; }
  PAGESTORM_HD std::int64_t length(std::int64_t given) const { return given; }
  PAGESTORM_HD std::int64_t length_offset(const Plan& plan) const { return plan.length_offset; }
  PAGESTORM_HD std::int64_t pool_row(std::int64_t given) const { return given; }
  PAGESTORM_HD PageSize page_size(const Batch& batch) const { return PageSize::of(batch.page_size); }
  PAGESTORM_HD std::int64_t pages(std::int64_t length, PageSize size, std::int64_t, const Plan&) const {
    return size.pages_of_saturated(static_cast<std::uint32_t>(length));
  }
  PAGESTORM_HD std::int64_t clamp(std::int64_t pages, std::int64_t width) const {
    return pages < width ? pages : width;
  }
  PAGESTORM_HD std::int64_t position(std::int64_t column, PageSize size) const { return column * size.tokens; }
  PAGESTORM_HD std::int64_t row_offset(std::int64_t row, std::int64_t stride) const { return row * stride; }
  PAGESTORM_HD std::int64_t inner_stride(std::int64_t stride) const { return stride; }
  PAGESTORM_HD std::int64_t swa_row_stride(const Metadata& out) const { return out.swa_page_table.row_stride; }
  PAGESTORM_HD bool is_absent(std::int64_t slot) const { return slot < 0; }
  PAGESTORM_HD std::int32_t page(std::int32_t slot, PageSize size) const { return size.page_of(slot); }
  PAGESTORM_HD std::int32_t page_of_column(std::int32_t page, std::int64_t) const { return page; }
  PAGESTORM_HD bool translates_cells(const Plan&) const { return true; }
  PAGESTORM_HD std::int64_t map_index(std::int64_t slot, PageSize) const { return slot; }
  PAGESTORM_HD std::int32_t swa_page(std::int64_t swa_slot, PageSize size) const {
    return static_cast<std::int32_t>(size.page_of(swa_slot));
  }
  PAGESTORM_HD std::int64_t sum_index(std::int64_t row) const { return row + 1; }
  PAGESTORM_HD bool writes_sum_zero(std::int64_t) const { return true; }
  /// Whether a row's own length, or its sums, are stored. `named` is its request row; asked only when reads_old.
  PAGESTORM_HD bool stores_length(std::int64_t, std::int64_t) const { return true; }
  PAGESTORM_HD bool stores_sums(std::int64_t, std::int64_t, std::int64_t) const { return true; }
  /// Write slots that are translated, of those given, where there is room for so many.
  PAGESTORM_HD std::int64_t translated(std::int64_t given, std::int64_t) const { return given; }
  PAGESTORM_HD bool zeroes_tail() const { return true; }
  /// Puts bits into the status word.
  template <class Memory>
  PAGESTORM_HD void raise(const Memory& memory, std::uint32_t* status, std::uint32_t bits) const {
    memory.raise(status, bits);
  }
  /// True where a cell is left as it is; asked only when reads_old.
  template <class Memory>
  PAGESTORM_HD bool keeps(const Memory&, const std::int32_t*, std::int64_t, std::int64_t) const {
    return false;
  }
};

}  // namespace pagestorm::core
