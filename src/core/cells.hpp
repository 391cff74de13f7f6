#pragma once
// The cells of a row: batches of independent loads, then batches of look-ups, then the stores.

#include <cstdint>

#include "hd.hpp"
#include "memory.hpp"
#include "page_size.hpp"
#include "pagestorm/batch.hpp"
#include "pagestorm/ids.hpp"
#include "rules.hpp"

namespace pagestorm::core {

/// What all rows of a call have in common, so that a backend may compile a body for each.
enum class Layout : std::uint8_t {
  any,    ///< any page size, any stride
  whole,  ///< page size 1, and all rows contiguous from addresses that are multiples of 16 bytes: fours can be moved
};

/// The layout of a call. Only shapes and addresses decide.
inline Layout layout_of(const Batch& in, const Metadata& out) {
  const auto fits = [](const auto& matrix) {
    return matrix.col_stride == 1 && matrix.row_stride % Four::width == 0 &&
           reinterpret_cast<std::uintptr_t>(matrix.data) % sizeof(Four) == 0;
  };
  const bool swa = in.full_to_swa.data != nullptr;
  const bool whole = in.page_size == 1 && fits(in.req_to_token) && fits(out.page_table) &&
                     (!swa || (in.full_to_swa.stride == 1 && fits(out.swa_page_table)));
  return whole ? Layout::whole : Layout::any;
}

/// One row that is being filled. Columns are below 2^31, because lengths are; offsets in elements are not.
struct Cells {
  const std::int32_t* from = nullptr;  ///< the slot of column 0
  std::int32_t* full = nullptr;
  std::int32_t* window = nullptr;
  std::uint32_t readable = 0;  ///< columns that have a slot
  std::uint32_t live = 0;      ///< the columns from `readable` on are absent
};

/// Fills rows by the contract, of one layout, with or without SWA tables. `status` collects bits.
template <class Memory, class Rules, bool swa, Layout layout>
struct Filler {
  const Batch& in;
  const Metadata& out;
  const PageSize& size;
  const Memory& memory;
  const Rules& rules;
  std::uint32_t status = 0;

  PAGESTORM_HD void fill(const Cells& cells, std::uint32_t index, std::uint32_t count) {
    // A batch costs its instructions even where it is not full, so a short row goes without.
    constexpr int fours = swa ? Memory::mapped_fours : Memory::fours;
    if constexpr (layout == Layout::whole) {
      const std::uint32_t end = cells.readable / Four::width;
      if (end <= count)
        fill_fours<1, false>(cells, end, index, count);
      else if (swa && memory.overflows(cells.live))
        fill_fours<fours, true>(cells, end, index, count);
      else
        fill_fours<fours, false>(cells, end, index, count);
      // What is left over goes to the last lanes: they are the first to be done with the fours.
      fill_columns<1, false>(cells, end * Four::width + (count - 1 - index), count);
    } else if (cells.readable <= count) {
      fill_columns<1, false>(cells, index, count);
    } else if (memory.overflows(cells.live)) {
      fill_columns<Memory::cells, true>(cells, index, count);
    } else {
      fill_columns<Memory::cells, false>(cells, index, count);
    }
    for (std::uint32_t column = cells.readable + index; column < cells.live; column += count) {
      memory.store(cells.full + column * out.page_table.col_stride, absent_page);
      if constexpr (swa) memory.store(cells.window + column * out.swa_page_table.col_stride, absent_page);
    }
  }

 private:
  template <int n, bool overflowing>
  PAGESTORM_HD void fill_columns(const Cells& cells, std::uint32_t first, std::uint32_t count) {
    const std::int64_t step = size.tokens * in.req_to_token.col_stride;
    for (std::uint32_t column = first; column < cells.readable; column += n * count) {
      std::int32_t slots[n];
      std::int32_t swa_pages[n];
      PAGESTORM_UNROLL
      for (int i = 0; i < n; ++i) {
        const std::uint32_t c = column + i * count;
        slots[i] = c < cells.readable ? memory.template load_apart<overflowing>(cells.from + c * step) : absent_page;
      }
      if constexpr (swa) look_up<n, overflowing>(slots, swa_pages);
      PAGESTORM_UNROLL
      for (int i = 0; i < n; ++i) {
        const std::uint32_t c = column + i * count;
        if (c >= cells.readable) continue;
        memory.store(cells.full + c * out.page_table.col_stride, page(slots[i]));
        if constexpr (swa) memory.store(cells.window + c * out.swa_page_table.col_stride, swa_pages[i]);
      }
    }
  }

  template <int n, bool overflowing>
  PAGESTORM_HD void fill_fours(const Cells& cells, std::uint32_t end, std::uint32_t first, std::uint32_t count) {
    constexpr int w = Four::width;
    for (std::uint32_t four = first; four < end; four += n * count) {
      std::int32_t slots[n * w];
      std::int32_t swa_pages[n * w];
      PAGESTORM_UNROLL
      for (int i = 0; i < n; ++i) {
        const std::uint32_t f = four + i * count;
        const Four loaded = f < end ? memory.load_four(cells.from + std::int64_t{f} * w, swa)
                                    : Four{{absent_page, absent_page, absent_page, absent_page}};
        PAGESTORM_UNROLL
        for (int j = 0; j < w; ++j) slots[i * w + j] = loaded.cell[j];
      }
      if constexpr (swa) look_up<n * w, overflowing>(slots, swa_pages);
      PAGESTORM_UNROLL
      for (int i = 0; i < n; ++i) {
        const std::uint32_t f = four + i * count;
        if (f >= end) continue;
        const std::int32_t* s = slots + i * w;
        memory.store_four(cells.full + std::int64_t{f} * w, Four{{page(s[0]), page(s[1]), page(s[2]), page(s[3])}});
        const std::int32_t* p = swa_pages + i * w;
        if constexpr (swa) memory.store_four(cells.window + std::int64_t{f} * w, Four{{p[0], p[1], p[2], p[3]}});
      }
    }
  }

  PAGESTORM_HD std::int32_t page(std::int32_t slot) {
    status |= bits_if(rules.is_absent(slot), Status::absent_slot);
    if (rules.is_absent(slot)) return absent_page;
    return layout == Layout::whole ? slot : rules.page(slot, size);
  }

  template <int n, bool overflowing>
  PAGESTORM_HD void look_up(const std::int32_t* slot, std::int32_t* page) {
    if (in.full_to_swa.type == IntType::int64)
      look_up_as<std::int64_t, n, overflowing>(slot, page);
    else
      look_up_as<std::int32_t, n, overflowing>(slot, page);
  }

  template <class Int, int n, bool overflowing>
  PAGESTORM_HD void look_up_as(const std::int32_t* slot, std::int32_t* page) {
    const auto* map = static_cast<const Int*>(in.full_to_swa.data);
    const std::int64_t stride = layout == Layout::whole ? 1 : in.full_to_swa.stride;
    Int found[n];
    PAGESTORM_UNROLL
    for (int i = 0; i < n; ++i) {
      const bool outside = slot[i] >= in.full_to_swa.size;
      status |= bits_if(outside, Status::slot_outside_map);
      found[i] = Int{absent_page};
      if (!outside && !rules.is_absent(slot[i]))
        found[i] = memory.template load_apart<overflowing>(map + slot[i] * stride);
    }
    PAGESTORM_UNROLL
    for (int i = 0; i < n; ++i)
      page[i] = found[i] < 0              ? absent_page
                : layout == Layout::whole ? static_cast<std::int32_t>(found[i])
                                          : rules.swa_page(found[i], size);
  }
};

}  // namespace pagestorm::core
