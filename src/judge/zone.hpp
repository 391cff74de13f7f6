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

/// Where the surroundings of a row of a table end.
PAGESTORM_JUDGE_HD std::int64_t row_zone_end(const Plot& table, std::int64_t row, std::int64_t live) {
  return at(table, row, live + margin);
}

/// Around a row of a table of a batch that has `live` columns, without what belongs to the zone of the row before, which
/// has `live_before`.
PAGESTORM_JUDGE_HD Range row_zone(const Job& job, const Plot& table, std::int64_t row, std::int64_t live,
                                  std::int64_t live_before) {
  Range zone{at(table, row, 0) - margin, row_zone_end(table, row, live)};
  if (row > 0) {
    const std::int64_t before = row_zone_end(table, row - 1, live_before);
    if (before > zone.first) zone.first = before;
  }
  return within(job, zone);
}

/// A row's zones in both tables; empty where there is no table.
struct RowZones {
  std::int64_t live = 0;
  Range full, window;
};

PAGESTORM_JUDGE_HD RowZones zones_of(const Job& job, std::int64_t row) {
  RowZones zones;
  zones.live = live_columns(job, row);
  const std::int64_t before = row > 0 ? live_columns(job, row - 1) : 0;
  zones.full = row_zone(job, job.image.page_table, row, zones.live, before);
  if (job.swa()) zones.window = row_zone(job, job.image.swa_page_table, row, zones.live, before);
  return zones;
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
inline constexpr int rest_count = 9;

PAGESTORM_JUDGE_HD Range rest_zone(const Job& job, int which) {
  const ImageShape& image = job.image;
  if (which >= 6 && !job.swa()) return {};
  switch (which) {
    case 0: return vector_zone(job, image.status, 1);
    case 1: return vector_zone(job, image.cache_seqlens, job.in.rows);
    case 2: return vector_zone(job, image.cu_seqlens_q, job.in.rows + 1);
    case 3: return vector_zone(job, image.cu_seqlens_k, job.in.rows + 1);
    case 4: return next_row_zone(job, image.page_table);
    case 5: return sweep_zone(job, image.page_table);
    case 6: return next_row_zone(job, image.swa_page_table);
    case 7: return sweep_zone(job, image.swa_page_table);
    default: return vector_zone(job, image.swa_out_cache_loc, job.write_slots);
  }
}

/// All of them, one after the other: words `end[i - 1]` to `end[i]` of the whole are those of zone i.
struct RestZones {
  std::int64_t first[rest_count];
  std::int64_t end[rest_count];

  PAGESTORM_JUDGE_HD void set(int which, const Range& range) {
    first[which] = range.first;
    end[which] = range.last - range.first;
  }
  PAGESTORM_JUDGE_HD std::int64_t words() const { return end[rest_count - 1]; }

  /// Once all are set.
  PAGESTORM_JUDGE_HD void add_up() {
    for (int i = 1; i < rest_count; ++i) end[i] += end[i - 1];
  }
};

/// Word `i` of the whole, and its zone.
struct RestWord {
  int zone = 0;
  std::int64_t word = 0;
};

/// For an `i` that is not below those that `hint` was for; `hint` is a zone that is not after that of `i`.
PAGESTORM_JUDGE_HD RestWord rest_word(const RestZones& zones, std::int64_t i, int hint) {
  while (i >= zones.end[hint]) ++hint;
  return {hint, zones.first[hint] + i - (hint == 0 ? 0 : zones.end[hint - 1])};
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
