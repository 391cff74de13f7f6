#pragma once
// How one launch is cut into blocks and lanes. Only shapes decide, never contents, so that a graph can replay it.

#include <algorithm>
#include <bit>
#include <cstdint>

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
  bool early = false;      ///< the next launch may take its place beside this one

  std::uint32_t blocks() const { return scan_blocks + translate_blocks + row_blocks; }
};

/// How somebody wants it done; 0 leaves the choice to the shapes.
struct Choice {
  std::int32_t threads = 0;
  std::int64_t lanes = 0;       ///< a power of two
  std::int64_t teams_max = 0;   ///< rows at once
  std::int64_t regions = 0;     ///< of the map, see RegionMemory
  bool short_of_cache = false;  ///< as if the L2 cache could keep nothing
};

/// Order 0 draws nothing.
inline Choice choice_of(std::uint64_t order) {
  if (order == 0) return {};
  // The finaliser of SplitMix64: neighbouring seeds give unlike shapes.
  order += 0x9e3779b97f4a7c15u;
  order = (order ^ (order >> 30)) * 0xbf58476d1ce4e5b9u;
  order = (order ^ (order >> 27)) * 0x94d049bb133111ebu;
  order ^= order >> 31;
  const bool few_teams = (order >> 16) % 2 == 0;
  return {.threads = 64 << (order % 3),
          .lanes = std::int64_t{1} << ((order >> 8) % 12),
          .teams_max = few_teams ? static_cast<std::int64_t>(1 + (order >> 24) % 7) : 0,
          .regions = static_cast<std::int64_t>((order >> 32) % 6),
          .short_of_cache = (order >> 40) % 2 == 0};
}

inline std::int64_t ceil_div(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

/// Rows that fill the device by a block each.
inline constexpr std::int64_t enough_rows = 32;

/// Lanes of a row. Threads are not free, a thousand blocks start in about 3 µs: a table of few cells gets 2^14, others
/// as many as keep the memory busy, and none gets more than have `at_once` cells to move.
inline std::int64_t lanes_of(std::int64_t rows, std::int64_t width, bool swa, core::Layout layout, int at_once) {
  constexpr std::int64_t few_cells = std::int64_t{1} << 18;
  const bool whole = layout == core::Layout::whole;
  const bool few = !whole && width * rows <= few_cells;
  const std::int64_t threads = std::int64_t{1} << (few ? 14 : whole && swa ? 18 : 17);
  auto most =
      static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(threads / std::max<std::int64_t>(rows, 1))));
  if (few && rows >= enough_rows) most = threads_max;
  const auto useful = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(ceil_div(width, at_once))));
  return std::max<std::int64_t>(whole ? 32 : 8, std::min(most, useful));
}

/// Few threads do better on many multiprocessors than on few.
inline std::int32_t threads_of(std::int64_t rows, std::int64_t lanes, bool swa, core::Layout layout) {
  const bool whole = layout == core::Layout::whole;
  const bool halves = whole ? !swa : swa && lanes > threads_max;
  if (rows >= enough_rows) return halves ? threads_max / 2 : threads_max;
  const std::int64_t blocks = swa && whole ? 256 : 64;
  const auto threads = static_cast<std::uint64_t>(std::clamp<std::int64_t>(rows * lanes / blocks, 64, threads_max));
  return static_cast<std::int32_t>(std::bit_floor(threads));
}

/// `at_once`: cells that a lane has under way when it has enough of them.
inline Shape shape_of(const Batch& in, const Metadata& out, bool sums, core::Layout layout, int at_once,
                      const Choice& choice) {
  constexpr std::int64_t row_blocks_max = std::int64_t{1} << 30;
  constexpr std::int64_t slots_per_lane = 4;
  constexpr std::int64_t translate_blocks_max = 256;
  constexpr std::uint32_t multiprocessors = 132;  // of an H200
  const bool swa = in.full_to_swa.data != nullptr;
  const std::int64_t lanes =
      choice.lanes > 0 ? choice.lanes : lanes_of(in.rows, out.page_table.cols, swa, layout, at_once);
  Shape shape{.lanes_shift = std::countr_zero(static_cast<std::uint64_t>(lanes))};
  shape.threads = choice.threads > 0 ? choice.threads : threads_of(in.rows, lanes, swa, layout);
  const std::int64_t teams_max = choice.teams_max > 0 ? choice.teams_max : row_blocks_max * shape.threads / lanes;
  shape.row_blocks = static_cast<std::uint32_t>(ceil_div(std::min(in.rows, teams_max) * lanes, shape.threads));
  shape.teams = (std::int64_t{shape.row_blocks} * shape.threads) >> shape.lanes_shift;
  if (sums) shape.scan_blocks = 1;
  if (sums && swa)
    shape.translate_blocks = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
        ceil_div(out.swa_out_cache_loc.size, shape.threads * slots_per_lane), 1, translate_blocks_max));
  // An empty launch is an error, and the tables of an empty batch are one.
  if (shape.blocks() == 0) shape.row_blocks = 1;
  // Where there is much to look up, blocks of the next launch would make multiprocessors unequal.
  const bool look_ups = swa && layout == core::Layout::whole;
  shape.early = in.rows < enough_rows && shape.blocks() <= multiprocessors && !look_ups;
  return shape;
}

}  // namespace pagestorm::cuda
