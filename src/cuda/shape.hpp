#pragma once
// How one launch is cut into blocks and lanes. Only shapes decide, never contents, so that a graph can replay it.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "core/cells.hpp"
#include "pagestorm/batch.hpp"

namespace pagestorm::cuda {

inline constexpr int threads_max = 256;

/// The grid is flat: the block of the scan, the blocks of the translation, the blocks of the rows. A row is the work of a
/// team of 2^lanes_shift neighbouring threads, less than a block or many; teams stride over the rows that are left.
struct Shape {
  std::int32_t threads = threads_max;  ///< a block: 64, 128 or 256
  std::int32_t lanes_shift = 0;
  std::uint32_t scan_blocks = 0;  ///< 0 or 1
  std::uint32_t translate_blocks = 0;
  std::uint32_t row_blocks = 0;
  std::int64_t teams = 0;  ///< rows that are being filled at once

  std::uint32_t blocks() const { return scan_blocks + translate_blocks + row_blocks; }
};

/// What order 0 takes; another order draws its own.
struct ShapeChoice {
  std::int32_t threads = 256;
  std::int64_t lanes = 0;      ///< a power of two; 0: from the width of the table
  std::int64_t teams_max = 0;  ///< rows at once; 0: as many as the grid allows
};

inline ShapeChoice choice_of(std::uint64_t order) {
  if (order == 0) return {};
  // The finaliser of SplitMix64: neighbouring seeds give unlike shapes.
  order += 0x9e3779b97f4a7c15u;
  order = (order ^ (order >> 30)) * 0xbf58476d1ce4e5b9u;
  order = (order ^ (order >> 27)) * 0x94d049bb133111ebu;
  order ^= order >> 31;
  const bool few_teams = (order >> 16) % 2 == 0;
  return {.threads = 64 << (order % 3),
          .lanes = std::int64_t{1} << ((order >> 8) % 12),
          .teams_max = few_teams ? static_cast<std::int64_t>(1 + (order >> 24) % 7) : 0};
}

inline std::int64_t ceil_div(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

inline std::int64_t tune(const char* name, std::int64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::atoll(text);
}

/// Lanes of a row: some cells each, and not many more threads in all than a large device keeps resident.
inline std::int64_t lanes_of(std::int64_t rows, std::int64_t width, core::Layout layout) {
  static const std::int64_t any_cells = tune("PS_CELLS", 4), whole_cells = tune("PS_WCELLS", 4);
  static const std::int64_t threads_bits = tune("PS_BITS", 18);
  const std::int64_t cells_per_lane = layout == core::Layout::whole ? whole_cells : any_cells;
  const std::int64_t resident_threads = std::int64_t{1} << threads_bits;
  constexpr std::int64_t fewest = 8;
  constexpr std::int64_t warp = 32;
  const auto wanted = std::bit_ceil(static_cast<std::uint64_t>(ceil_div(width, cells_per_lane)));
  const auto most = std::bit_floor(static_cast<std::uint64_t>(resident_threads / std::max<std::int64_t>(rows, 1)));
  return std::clamp(static_cast<std::int64_t>(wanted), fewest, std::max(warp, static_cast<std::int64_t>(most)));
}

inline Shape shape_with(ShapeChoice choice, const Batch& in, const Metadata& out, bool sums, core::Layout layout) {
  constexpr std::int64_t row_blocks_max = std::int64_t{1} << 30;
  constexpr std::int64_t slots_per_lane = 4;
  constexpr std::int64_t translate_blocks_max = 256;
  const std::int64_t lanes = choice.lanes == 0 ? lanes_of(in.rows, out.page_table.cols, layout) : choice.lanes;
  const std::int64_t teams_max = choice.teams_max == 0 ? row_blocks_max * choice.threads / lanes : choice.teams_max;
  Shape shape{.threads = choice.threads, .lanes_shift = std::countr_zero(static_cast<std::uint64_t>(lanes))};
  shape.row_blocks = static_cast<std::uint32_t>(ceil_div(std::min(in.rows, teams_max) * lanes, choice.threads));
  shape.teams = (std::int64_t{shape.row_blocks} * choice.threads) >> shape.lanes_shift;
  if (sums) shape.scan_blocks = 1;
  if (sums && in.full_to_swa.data != nullptr)
    shape.translate_blocks = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
        ceil_div(out.swa_out_cache_loc.size, choice.threads * slots_per_lane), 1, translate_blocks_max));
  // An empty launch is an error, and the tables of an empty batch are one.
  if (shape.blocks() == 0) shape.row_blocks = 1;
  return shape;
}

inline Shape shape_of(const Batch& in, const Metadata& out, bool sums, core::Layout layout, std::uint64_t order) {
  return shape_with(choice_of(order), in, out, sums, layout);
}

}  // namespace pagestorm::cuda
