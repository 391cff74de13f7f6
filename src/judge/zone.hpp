#pragma once
// Which words of an image are poisoned and judged, and which of them are live (docs/architecture.md, "Zone").

#include <cstdint>

#include "expect.hpp"
#include "job.hpp"

namespace pagestorm::judge {

inline constexpr std::int64_t margin = 32;  ///< cells that are judged after a row, words before it
inline constexpr std::int64_t fence = 64;   ///< words that are judged before and after an output

/// A half-open range of words.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

PAGESTORM_JUDGE_HD std::int64_t at(const Plot& plot, std::int64_t row, std::int64_t col) {
  return plot.first + row * plot.row_stride + col * plot.col_stride;
}

PAGESTORM_JUDGE_HD Range within(const Job& job, Range range) {
  if (range.last > job.image.words) range.last = job.image.words;
  return range;
}

/// Around the first `used` elements of a vector.
PAGESTORM_JUDGE_HD Range vector_zone(const Job& job, const Plot& plot, std::int64_t used) {
  const std::int64_t end = used == 0 ? plot.first : at(plot, 0, used - 1) + plot.cell_words;
  return within(job, {plot.first - fence, end + fence});
}

/// Where the surroundings of a row of a table that has `live` columns end: in any case where the next row of the batch
/// begins, for what is there is the next row's. Rows do not overlap.
PAGESTORM_JUDGE_HD std::int64_t row_zone_end(const Job& job, const Plot& table, std::int64_t row, std::int64_t live) {
  const std::int64_t end = at(table, row, live + margin);
  if (row + 1 == job.in.rows) return end;
  const std::int64_t next = at(table, row + 1, 0);
  return end < next ? end : next;
}

/// Around a row of a table of a batch that has `live` columns, without what belongs to the zone of the row before.
PAGESTORM_JUDGE_HD Range row_zone(const Job& job, const Plot& table, std::int64_t row, std::int64_t live) {
  Range zone{at(table, row, 0) - margin, row_zone_end(job, table, row, live)};
  if (row > 0) {
    const std::int64_t before = row_zone_end(job, table, row - 1, live_columns(job, row - 1));
    if (before > zone.first) zone.first = before;
  }
  return within(job, zone);
}

/// Around the start of the first row that the batch does not use; empty where it uses them all.
PAGESTORM_JUDGE_HD Range next_row_zone(const Job& job, const Plot& table) {
  if (job.in.rows == table.rows) return {};
  const std::int64_t next = at(table, job.in.rows, 0);
  return within(job, {next - margin, next + margin});
}

/// The whole table; empty where no sweep is asked for.
PAGESTORM_JUDGE_HD Range sweep_zone(const Job& job, const Plot& table) {
  if (!job.image.sweep) return {};
  const std::int64_t last = at(table, table.rows - 1, table.cols);
  return within(job, {table.first - fence, last + fence});
}

/// Whether a word at or after the start of row `base` of a table is a live cell of the table.
PAGESTORM_JUDGE_HD bool is_cell_from(const Job& job, const Plot& table, std::int64_t base, std::int64_t word) {
  const std::int64_t offset = word - at(table, base, 0);
  const std::int64_t stride = table.row_stride;
  if (offset < 0 || stride == 0) return false;
  const std::int64_t further = offset < stride ? 0 : offset < 2 * stride ? 1 : offset / stride;
  const std::int64_t row = base + further;
  if (row >= job.in.rows) return false;
  const std::int64_t rest = offset - further * stride;
  if (table.col_stride == 1) return rest < live_columns(job, row);
  return rest % table.col_stride == 0 && rest / table.col_stride < live_columns(job, row);
}

/// What belongs to no row: around each vector, and what is judged of both tables besides the rows in use.
enum class RestZone : std::uint32_t {
  status,
  cache_seqlens,
  cu_seqlens_q,
  cu_seqlens_k,
  next_row,
  sweep,
  next_window_row,
  window_sweep,
  write_slots,
};

inline constexpr std::uint32_t rest_count = 9;

/// Its words: shapes alone decide.
PAGESTORM_JUDGE_HD Range rest_zone(const Job& job, RestZone which) {
  const ImageShape& image = job.image;
  if (which >= RestZone::next_window_row && !job.swa()) return {};
  switch (which) {
    case RestZone::status: return vector_zone(job, image.status, 1);
    case RestZone::cache_seqlens: return vector_zone(job, image.cache_seqlens, job.in.rows);
    case RestZone::cu_seqlens_q: return vector_zone(job, image.cu_seqlens_q, job.in.rows + 1);
    case RestZone::cu_seqlens_k: return vector_zone(job, image.cu_seqlens_k, job.in.rows + 1);
    case RestZone::next_row: return next_row_zone(job, image.page_table);
    case RestZone::sweep: return sweep_zone(job, image.page_table);
    case RestZone::next_window_row: return next_row_zone(job, image.swa_page_table);
    case RestZone::window_sweep: return sweep_zone(job, image.swa_page_table);
    default: return vector_zone(job, image.swa_out_cache_loc, job.write_slots);
  }
}

/// A zone of the rest, and neighbouring words in it that are known to be live: elements of a vector.
struct Rest {
  Range zone, live;
};

PAGESTORM_JUDGE_HD Range elements(const Plot& plot, std::int64_t used) {
  if (plot.col_stride != plot.cell_words) return {};
  return {plot.first, plot.first + used * plot.col_stride};
}

PAGESTORM_JUDGE_HD Rest rest_of(const Job& job, RestZone which) {
  Rest rest{rest_zone(job, which), {}};
  const ImageShape& image = job.image;
  switch (which) {
    case RestZone::status: rest.live = elements(image.status, 1); break;
    case RestZone::cache_seqlens: rest.live = elements(image.cache_seqlens, job.in.rows); break;
    case RestZone::cu_seqlens_q: rest.live = elements(image.cu_seqlens_q, job.in.rows + 1); break;
    case RestZone::cu_seqlens_k: rest.live = elements(image.cu_seqlens_k, job.in.rows + 1); break;
    case RestZone::write_slots:
      if (job.swa()) rest.live = elements(image.swa_out_cache_loc, job.write_slots);
      break;
    default: break;
  }
  return rest;
}

/// Whether a word is one of the first `used` elements of a vector.
PAGESTORM_JUDGE_HD bool is_element(const Plot& plot, std::int64_t used, std::int64_t word) {
  const std::int64_t offset = word - plot.first;
  if (plot.rows == 0 || offset < 0) return false;
  if (plot.col_stride == plot.cell_words) return offset < used * plot.col_stride;
  return offset / plot.col_stride < used && offset % plot.col_stride < plot.cell_words;
}

/// Whether a word after the start of row `base` of a table is live, in this table or in an output after it.
PAGESTORM_JUDGE_APART bool is_live_from(const Job& job, const Plot& table, std::int64_t base, std::int64_t word) {
  if (is_cell_from(job, table, base, word)) return true;
  if (word < at(table, table.rows - 1, table.cols)) return false;
  if (job.swa() && &table == &job.image.swa_page_table && is_cell_from(job, job.image.page_table, 0, word)) return true;
  return is_element(job.image.swa_out_cache_loc, job.write_slots, word);
}

}  // namespace pagestorm::judge
