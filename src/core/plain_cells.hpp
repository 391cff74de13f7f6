#pragma once
// The cells of a row on a CPU, which guesses branches and overlaps loads by itself: short loops of one kind of work each.

#include <algorithm>
#include <cstdint>

#include "cells.hpp"

namespace pagestorm::core {

/// Cells that are `step` elements apart; where the compiler knows that they are neighbours, it moves vectors.
template <bool neighbours, class T>
struct Run {
  T* first;
  std::int64_t step;

  T& operator[](std::int64_t i) const { return first[neighbours ? i : i * step]; }
};

/// Fills a row block by block: all slots of a block, then its pages, then its SWA pages.
template <class Rules, bool swa, Layout layout>
struct Filler<PlainMemory, Rules, swa, layout> {
  static constexpr bool whole = layout == Layout::whole;
  static constexpr std::uint32_t block = 128;  ///< cells

  const Batch& in;
  const Metadata& out;
  const PageSize& size;
  const PlainMemory& memory;
  const Rules& rules;
  std::uint32_t status = 0;

  void fill(const Cells& cells, std::uint32_t index, std::uint32_t count) {
    const bool neighbours =
        count == 1 && out.page_table.col_stride == 1 && (!swa || out.swa_page_table.col_stride == 1);
    if (neighbours)
      fill_lane<true>(cells, index, count);
    else
      fill_lane<false>(cells, index, count);
  }

 private:
  template <bool neighbours>
  void fill_lane(const Cells& cells, std::uint32_t index, std::uint32_t count) {
    using Pages = Run<neighbours, std::int32_t>;
    const std::int64_t from_step = size.tokens * in.req_to_token.col_stride;
    const std::int64_t full_step = out.page_table.col_stride;
    const std::int64_t window_step = out.swa_page_table.col_stride;
    const auto window_at = [&](std::int64_t column) { return swa ? cells.window + column * window_step : nullptr; };
    std::int32_t apart[block];
    std::uint32_t column = index;
    while (column < cells.readable) {
      const std::uint32_t n = std::min(block, (cells.readable - column + count - 1) / count);
      const std::int32_t* slots = cells.from + column * from_step;
      bool plain = true;
      if constexpr (whole && neighbours) {
        plain = all_plain(n, [slots](std::uint32_t i) { return slots[i]; });
      } else {
        plain = all_plain(n, [&](std::uint32_t i) { return apart[i] = slots[i * (from_step * count)]; });
        slots = apart;
      }
      const Pages full{cells.full + column * full_step, full_step * count};
      const Pages window{window_at(column), window_step * count};
      if (plain)
        fill_plain(slots, n, full, window);
      else
        fill_careful(slots, n, full, window);
      column += n * count;
    }
    for (; column < cells.live; column += count) {
      cells.full[column * full_step] = absent_page;
      if constexpr (swa) *window_at(column) = absent_page;
    }
  }

  /// Whether all slots are there, and have an entry in the map where there is one.
  template <class SlotAt>
  bool all_plain(std::uint32_t n, SlotAt slot_at) const {
    const std::int64_t end = swa ? in.full_to_swa.size : std::int64_t{INT32_MAX} + 1;
    const auto last = static_cast<std::int32_t>(std::min(end, std::int64_t{INT32_MAX} + 1) - 1);
    std::int32_t signs = 0;
    std::int32_t beyond = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::int32_t slot = slot_at(i);
      signs |= slot;
      if constexpr (swa) beyond |= slot > last ? -1 : 0;
    }
    return (signs | beyond) >= 0;
  }

  template <bool neighbours>
  void divide(const std::int32_t* slots, std::uint32_t n, Run<neighbours, std::int32_t> pages) const {
    const PageSize by = size;
    if (by.shift >= 0)
      for (std::uint32_t i = 0; i < n; ++i) pages[i] = slots[i] >> by.shift;
    else
      for (std::uint32_t i = 0; i < n; ++i) pages[i] = rules.page(slots[i], by);
  }

  template <bool neighbours>
  void fill_plain(const std::int32_t* slots, std::uint32_t n, Run<neighbours, std::int32_t> full,
                  Run<neighbours, std::int32_t> window) const {
    divide(slots, n, full);
    if constexpr (swa) {
      if (in.full_to_swa.type == IntType::int64)
        look_up<std::int64_t>(slots, n, window);
      else
        look_up<std::int32_t>(slots, n, window);
    }
  }

  template <class Int, bool neighbours>
  void look_up(const std::int32_t* slots, std::uint32_t n, Run<neighbours, std::int32_t> window) const {
    const auto* map = static_cast<const Int*>(in.full_to_swa.data);
    const std::int64_t stride = whole ? 1 : in.full_to_swa.stride;
    const int shift = whole ? 0 : size.shift;
    std::int32_t found[block];
    Int bits = 0;
    if (shift >= 0) {
      for (std::uint32_t i = 0; i < n; ++i) {
        const Int slot = map[slots[i] * stride];
        bits |= slot;
        window[i] = static_cast<std::int32_t>(slot) >> shift;
      }
    } else {
      for (std::uint32_t i = 0; i < n; ++i) {
        const Int slot = map[slots[i] * stride];
        bits |= slot;
        found[i] = static_cast<std::int32_t>(slot);
      }
      if (bits >> 31 == 0) divide(found, n, window);
    }
    if (bits >> 31 == 0) return;
    for (std::uint32_t i = 0; i < n; ++i) window[i] = swa_page<Int>(slots[i]);
  }

  template <bool neighbours>
  void fill_careful(const std::int32_t* slots, std::uint32_t n, Run<neighbours, std::int32_t> full,
                    Run<neighbours, std::int32_t> window) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const bool absent = rules.is_absent(slots[i]);
      status |= bits_if(absent, Status::absent_slot);
      full[i] = absent ? absent_page : rules.page(slots[i], size);
      if constexpr (swa) {
        const bool outside = slots[i] >= in.full_to_swa.size;
        status |= bits_if(outside, Status::slot_outside_map);
        window[i] = absent || outside                       ? absent_page
                    : in.full_to_swa.type == IntType::int64 ? swa_page<std::int64_t>(slots[i])
                                                            : swa_page<std::int32_t>(slots[i]);
      }
    }
  }

  template <class Int>
  std::int32_t swa_page(std::int64_t slot) const {
    const Int found = static_cast<const Int*>(in.full_to_swa.data)[slot * in.full_to_swa.stride];
    return found < 0 ? absent_page : rules.swa_page(found, size);
  }
};

}  // namespace pagestorm::core
