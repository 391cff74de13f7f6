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
  dense,  ///< any page size, and every stride is 1 but those from row to row
  whole,  ///< dense, page size 1, and all rows begin at addresses that a memory can move fours at
};

/// The layout of a call for a memory. Only shapes and addresses decide.
template <class Memory>
Layout layout_of(const Batch& in, const Metadata& out) {
  constexpr std::int64_t cells = Memory::four_alignment / static_cast<std::int64_t>(sizeof(std::int32_t));
  const auto fits = [](const auto& matrix) {
    return matrix.row_stride % cells == 0 &&
           reinterpret_cast<std::uintptr_t>(matrix.data) % Memory::four_alignment == 0;
  };
  const bool swa = in.full_to_swa.data != nullptr;
  const bool dense = in.seq_lens.stride == 1 && in.req_pool_indices.stride == 1 && in.req_to_token.col_stride == 1 &&
                     out.page_table.col_stride == 1 &&
                     (!swa || (in.full_to_swa.stride == 1 && out.swa_page_table.col_stride == 1));
  if (!dense) return Layout::any;
  const bool whole =
      in.page_size == 1 && fits(in.req_to_token) && fits(out.page_table) && (!swa || fits(out.swa_page_table));
  return whole ? Layout::whole : Layout::dense;
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
  bool absent = false;  ///< whether a slot was

  PAGESTORM_HD void fill(const Cells& cells, std::uint32_t index, std::uint32_t count) {
    // A batch costs its instructions even where it is not full, so a short row goes without.
    if constexpr (layout == Layout::whole) {
      const std::uint32_t end = cells.readable / Four::width;
      if (end <= count)
        fill_fours<1>(cells, end, index, count);
      else
        fill_fours<swa ? Memory::mapped_fours : Memory::fours>(cells, end, index, count);
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
      memory.store(full_cell(cells, column), absent_page);
      if constexpr (swa) memory.store(window_cell(cells, column), absent_page);
    }
    status |= bits_if(absent, Status::absent_slot);
  }

 private:
  static constexpr bool strided = layout == Layout::any;

  PAGESTORM_HD std::int32_t* full_cell(const Cells& cells, std::uint32_t column) const {
    return cells.full + (strided ? column * out.page_table.col_stride : column);
  }
  PAGESTORM_HD std::int32_t* window_cell(const Cells& cells, std::uint32_t column) const {
    return cells.window + (strided ? column * out.swa_page_table.col_stride : column);
  }
  PAGESTORM_HD const std::int32_t* slot_cell(const Cells& cells, std::uint32_t column) const {
    const std::uint64_t position = std::uint64_t{column} * static_cast<std::uint32_t>(size.tokens);
    return cells.from + (strided ? static_cast<std::int64_t>(position) * in.req_to_token.col_stride : position);
  }

  template <int n, bool overflowing>
  PAGESTORM_HD void fill_columns(const Cells& cells, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t column = first; column < cells.readable; column += n * count) {
      std::int32_t slots[n];
      std::int32_t swa_pages[n];
      PAGESTORM_UNROLL
      for (int i = 0; i < n; ++i) {
        const std::uint32_t c = column + i * count;
        slots[i] = c < cells.readable ? memory.template load_apart<overflowing>(slot_cell(cells, c)) : absent_page;
      }
      if constexpr (swa) look_up<n, overflowing>(slots, swa_pages);
      PAGESTORM_UNROLL
      for (int i = 0; i < n; ++i) {
        const std::uint32_t c = column + i * count;
        if (c >= cells.readable) continue;
        memory.store(full_cell(cells, c), page(slots[i]));
        if constexpr (swa) memory.store(window_cell(cells, c), swa_pages[i]);
      }
    }
  }

  template <int n>
  PAGESTORM_HD void fill_fours(const Cells& cells, std::uint32_t end, std::uint32_t first, std::uint32_t count) {
    constexpr int w = Four::width;
    for (std::uint32_t four = first; four < end; four += n * count) {
      std::int32_t cell[n * w];
      PAGESTORM_UNROLL
      for (int i = 0; i < n; ++i) {
        const std::uint32_t f = four + i * count;
        const Four loaded = f < end ? memory.load_four(cells.from + std::uint64_t{f} * w, swa)
                                    : Four{{absent_page, absent_page, absent_page, absent_page}};
        PAGESTORM_UNROLL
        for (int j = 0; j < w; ++j) cell[i * w + j] = loaded.cell[j];
      }
      PAGESTORM_UNROLL
      for (int i = 0; i < n; ++i) {
        const std::uint32_t f = four + i * count;
        std::int32_t* c = cell + i * w;
        if (f >= end) continue;
        PAGESTORM_UNROLL
        for (int j = 0; j < w; ++j) c[j] = page(c[j]);
        memory.store_four(cells.full + std::uint64_t{f} * w, Four{{c[0], c[1], c[2], c[3]}});
      }
      if constexpr (swa) {
        look_up<n * w, false>(cell, cell);  // of page size 1, where a page is a slot
        PAGESTORM_UNROLL
        for (int i = 0; i < n; ++i) {
          const std::uint32_t f = four + i * count;
          const std::int32_t* c = cell + i * w;
          if (f < end) memory.store_four(cells.window + std::uint64_t{f} * w, Four{{c[0], c[1], c[2], c[3]}});
        }
      }
    }
  }

  PAGESTORM_HD std::int32_t page(std::int32_t slot) {
    absent |= rules.is_absent(slot);
    if (rules.is_absent(slot)) return absent_page;
    return layout == Layout::whole ? slot : rules.page(slot, size);
  }

  template <class Int>
  PAGESTORM_HD std::int32_t swa_page(Int found) const {
    if (found < 0) return absent_page;
    return layout == Layout::whole ? static_cast<std::int32_t>(found) : rules.swa_page(found, size);
  }

  /// SWA pages of slots; in their place, if that is where they are wanted.
  template <int n, bool overflowing>
  PAGESTORM_HD void look_up(const std::int32_t* slot, std::int32_t* page) {
    if (in.full_to_swa.type == IntType::int64)
      look_up_in<n, overflowing>(static_cast<const std::int64_t*>(in.full_to_swa.data), slot, page);
    else
      look_up_in<n, overflowing>(static_cast<const std::int32_t*>(in.full_to_swa.data), slot, page);
  }

  /// Entries of the map that a slot can name.
  PAGESTORM_HD std::uint32_t entries() const {
    constexpr std::int64_t slots_max = std::int64_t{1} << 31;
    return static_cast<std::uint32_t>(in.full_to_swa.size < slots_max ? in.full_to_swa.size : slots_max);
  }

  PAGESTORM_HD std::uint32_t outside_bit(std::int32_t slot) const {
    return bits_if(!rules.is_absent(slot) && static_cast<std::uint32_t>(slot) >= entries(), Status::slot_outside_map);
  }

  template <int n, bool overflowing, class Int>
  PAGESTORM_HD void look_up_in(const Int* map, const std::int32_t* slot, std::int32_t* page) {
    if constexpr (Memory::by_region && n > Four::width) {
      look_up_by_region<n>(map, page);
    } else {
      const std::int64_t stride = strided ? in.full_to_swa.stride : 1;
      Int found[n];
      PAGESTORM_UNROLL
      for (int i = 0; i < n; ++i) {
        found[i] = Int{absent_page};
        if (static_cast<std::uint32_t>(slot[i]) < entries())
          found[i] = memory.template load_apart<overflowing>(map + slot[i] * stride);
      }
      PAGESTORM_UNROLL
      for (int i = 0; i < n; ++i) {
        status |= outside_bit(slot[i]);
        page[i] = swa_page(found[i]);
      }
    }
  }

  /// What lies in one region of the map, then what lies in the next: lanes that began together are about equally far,
  /// so that a cache has to hold little more than one region.
  template <int n, class Int>
  PAGESTORM_HD void look_up_by_region(const Int* map, std::int32_t* cell) {
    static_assert(n <= 32, "a bit a cell");
    constexpr int batch = 4;  // independent loads; registers are dear
    std::uint32_t waiting = ~std::uint32_t{0};
    for (std::uint32_t region = 0; region < entries(); region += memory.region_slots) {
      const std::uint32_t left = entries() - region;
      const std::uint32_t size = left < memory.region_slots ? left : memory.region_slots;
      const auto is_due = [&](int i) {
        return static_cast<std::uint32_t>(cell[i]) - region < size && (waiting >> i & 1) != 0;
      };
      PAGESTORM_UNROLL
      for (int first = 0; first < n; first += batch) {
        Int found[batch];
        PAGESTORM_UNROLL
        for (int i = 0; i < batch; ++i)
          if (is_due(first + i)) found[i] = memory.load(map + cell[first + i]);
        PAGESTORM_UNROLL
        for (int i = 0; i < batch; ++i) {
          if (!is_due(first + i)) continue;
          waiting &= ~(std::uint32_t{1} << (first + i));
          cell[first + i] = swa_page(found[i]);
        }
      }
    }
    PAGESTORM_UNROLL
    for (int i = 0; i < n; ++i) {
      if ((waiting >> i & 1) == 0) continue;
      status |= outside_bit(cell[i]);
      cell[i] = absent_page;
    }
  }
};

}  // namespace pagestorm::core
