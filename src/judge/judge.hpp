#pragma once
// The image laws, word by word. Lanes share nothing; who runs which lane, and who adds lengths up, is the caller's matter.

#include "finding.hpp"
#include "zone.hpp"

namespace pagestorm::judge {

/// A live word that must hold `want`: written over both poisons, and rightly.
PAGESTORM_JUDGE_HD void judge_word(const Job& job, std::int64_t word, std::int32_t want, Finding& finding) {
  const std::int32_t first = job.first[word];
  finding.require(first == job.second[word], ImageLaw::writes_only_live_cells, word);
  finding.require(first == want, ImageLaw::agrees_with_reference, word);
}

/// Whether both words are as they were before the builds.
PAGESTORM_JUDGE_HD bool is_kept(std::int32_t first, std::int32_t second) {
  return first == first_poison && second == second_poison;
}

/// Words that a lane looks at together: all are asked for before the first is judged.
inline constexpr int batch = 2;

/// Lengths of one row, given both sums up to and including it (C4.1, C8.2).
PAGESTORM_JUDGE_HD void judge_lengths(const Job& job, std::int64_t row, std::int64_t keys, std::int64_t sum_q,
                                      std::int64_t sum_k, Finding& finding) {
  const ImageShape& image = job.image;
  judge_word(job, at(image.cache_seqlens, 0, row), static_cast<std::int32_t>(keys), finding);
  judge_word(job, at(image.cu_seqlens_q, 0, row + 1), saturated(sum_q), finding);
  judge_word(job, at(image.cu_seqlens_k, 0, row + 1), saturated(sum_k), finding);
  if (sum_q > int32_top || sum_k > int32_top) finding.status |= bit(Status::sum_saturated);
}

/// Element 0 of both sums (C8.1).
PAGESTORM_JUDGE_HD void judge_sum_zero(const Job& job, Finding& finding) {
  judge_word(job, job.image.cu_seqlens_q.first, 0, finding);
  judge_word(job, job.image.cu_seqlens_k.first, 0, finding);
}

/// A row as its lanes share it.
struct RowTask {
  Row row;
  RowZones zones;
};

PAGESTORM_JUDGE_HD RowTask row_task(const Job& job, std::int64_t r) { return {row_of(job, r), zones_of(job, r)}; }

/// Words of a row, its zone included, at most: offsets in a row have 32 bits.
inline constexpr std::int64_t row_words_max = std::int64_t{1} << 30;

/// Which live column the word `offset` words after the start of a row is; -1: none.
PAGESTORM_JUDGE_HD std::int32_t column_at(const Plot& table, std::int32_t offset, std::int32_t live) {
  if (offset < 0) return -1;
  if (table.col_stride == 1) return offset < live ? offset : -1;
  const auto stride = static_cast<std::int32_t>(table.col_stride);
  const std::int32_t column = offset / stride;
  return column < live && offset == column * stride ? column : -1;
}

/// Neighbouring words of a lane in a row of a table, their columns, and the slots that these name.
struct RowWords {
  std::int32_t first[batch], second[batch];
  std::int32_t column[batch], slot[batch];
};

template <bool window>
PAGESTORM_JUDGE_HD std::int32_t wanted(const Job& job, const Row& row, std::int32_t column, std::int32_t slot,
                                       Finding& finding) {
  if constexpr (window) {
    const Count swa_slot = mapped(job, slot);
    finding.status |= swa_slot.status;
    return swa_page_of(job, swa_slot.value);
  }
  if (slot < 0 && column < row.named) finding.status |= bit(Status::absent_slot);
  return page_of(job, slot);
}

/// One lane's share of a row of a table: the live cells, and the words around and between them. `window`: of the SWA
/// table. The zone of the row before may reach beyond the start of this row: there only the live cells are this row's.
template <bool window>
PAGESTORM_JUDGE_HD void judge_table_row(const Job& job, const Plot& table, std::int64_t r, const Row& row,
                                        const Range& zone, const Lane& lane, Finding& finding) {
  const std::int64_t start = at(table, r, 0);
  const std::int32_t* first = job.first + start;
  const std::int32_t* second = job.second + start;
  const auto own = static_cast<std::int32_t>(zone.first - start);
  const auto last = static_cast<std::int32_t>(zone.last - start);
  const auto live = static_cast<std::int32_t>(row.live);
  const auto named = static_cast<std::int32_t>(row.named);
  const std::int64_t apart = slots_apart(job);
  for (std::int32_t from = (own < 0 ? own : 0) + lane.index; from < last; from += batch * lane.count) {
    RowWords words;
    PAGESTORM_JUDGE_UNROLL
    for (int i = 0; i < batch; ++i) {
      const std::int32_t offset = from + i * lane.count;
      const bool inside = offset < last;
      words.first[i] = inside ? first[offset] : first_poison;
      words.second[i] = inside ? second[offset] : second_poison;
      words.column[i] = column_at(table, offset, live);
      const bool has_slot = words.column[i] >= 0 && words.column[i] < named;
      words.slot[i] = has_slot ? row.slots[words.column[i] * apart] : -1;
    }
    PAGESTORM_JUDGE_UNROLL
    for (int i = 0; i < batch; ++i) {
      const std::int32_t offset = from + i * lane.count;
      if (words.column[i] >= 0) {
        const std::int32_t want = wanted<window>(job, row, words.column[i], words.slot[i], finding);
        finding.require(words.first[i] == words.second[i], ImageLaw::writes_only_live_cells, start + offset);
        finding.require(words.first[i] == want, ImageLaw::agrees_with_reference, start + offset);
      } else if (offset >= own && !is_kept(words.first[i], words.second[i])) {
        const bool is_other = offset >= live * table.col_stride && is_live_from(job, table, r, start + offset);
        finding.require(is_other, ImageLaw::writes_only_live_cells, start + offset);
      }
    }
  }
}

/// Whether what the table holds may be there: the request's own page, or, where the window has left it, the sink.
PAGESTORM_JUDGE_HD bool is_owned(std::int32_t got, std::int32_t own, bool in_window) {
  if (own < 0) return true;  // punctured: what is there is the reference's matter
  if (!in_window && got == sink) return true;
  return got == own && (got > sink || !in_window);
}

/// One lane's share of a row of the SWA table, against the pages that the world gave out.
PAGESTORM_JUDGE_HD void judge_owned_pages(const Job& job, std::int64_t r, const Lane& lane, Finding& finding) {
  const RowTruth& row = job.rows[r];
  const Plot& table = job.image.swa_page_table;
  const std::int64_t size = job.in.page_size;
  const std::int64_t pages = pages_for(job, row.first_write + row.writes - row.start);
  const std::int64_t live = pages < table.cols ? pages : table.cols;
  const std::int32_t* owned = job.owned.data + row.owner * job.owned.row_stride + pages_in(job, row.start);
  for (std::int64_t c = lane.index; c < live; c += lane.count) {
    const std::int64_t word = at(table, r, c);
    const bool in_window = (c + 1) * size > row.first_write - row.start - job.window;
    finding.require(is_owned(job.first[word], owned[c], in_window), ImageLaw::swa_slots_are_valid, word);
  }
}

/// A 64-bit cell of an image.
PAGESTORM_JUDGE_HD std::int64_t long_at(const std::int32_t* words, std::int64_t word) {
  return static_cast<std::int64_t>(std::uint64_t{static_cast<std::uint32_t>(words[word])} |
                                   std::uint64_t{static_cast<std::uint32_t>(words[word + 1])} << 32);
}

/// One lane's share of the SWA write slots of a row, likewise.
PAGESTORM_JUDGE_HD void judge_owned_slots(const Job& job, std::int64_t r, const Lane& lane, Finding& finding) {
  const RowTruth& row = job.rows[r];
  const std::int64_t size = job.in.page_size;
  const std::int32_t* owned = job.owned.data + row.owner * job.owned.row_stride;
  for (std::int64_t j = lane.index; j < row.writes && row.write_slot + j < job.write_slots; j += lane.count) {
    const std::int64_t position = row.first_write + j;
    const std::int64_t column = pages_in(job, position);
    const std::int64_t offset = position - column * size;
    const std::int32_t own = owned[column];
    if (own < 0 && offset == 0) continue;  // its slot is the one that was taken away
    const std::int64_t want = std::int64_t{own < 0 ? punctured(own) : own} * size + offset;
    const std::int64_t word = at(job.image.swa_out_cache_loc, 0, row.write_slot + j);
    finding.require(long_at(job.first, word) == want && want >= size, ImageLaw::swa_slots_are_valid, word);
  }
}

/// One lane's share of what a row owns.
PAGESTORM_JUDGE_APART Finding judge_owned(const Job& job, std::int64_t r, const Lane& lane) {
  Finding finding;
  judge_owned_pages(job, r, lane, finding);
  judge_owned_slots(job, r, lane, finding);
  return finding;
}

/// One lane's share of a row of both tables.
template <bool swa>
PAGESTORM_JUDGE_HD void judge_row(const Job& job, std::int64_t r, const RowTask& task, const Lane& lane,
                                  Finding& finding) {
  const Row& row = task.row;
  finding.status |= row.status;
  judge_table_row<false>(job, job.image.page_table, r, row, task.zones.full, lane, finding);
  if constexpr (swa) {
    judge_table_row<true>(job, job.image.swa_page_table, r, row, task.zones.window, lane, finding);
    if (job.rows[r].owner >= 0) finding.add(judge_owned(job, r, lane));
  }
}

}  // namespace pagestorm::judge
