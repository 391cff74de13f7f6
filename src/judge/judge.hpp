#pragma once
// The image laws, word by word. Lanes share nothing; who runs which lane, and who adds lengths up, is the caller's matter.

#include "finding.hpp"
#include "fours.hpp"
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

/// What a live cell of either table must hold, given the slot that its column names; `named`: whether it names one.
template <bool window>
PAGESTORM_JUDGE_HD std::int32_t wanted(const Job& job, bool named, std::int32_t slot, std::uint32_t& status) {
  if constexpr (window) {
    const Count swa_slot = mapped(job, slot);
    status |= swa_slot.status;
    return swa_page_of(job, swa_slot.value);
  }
  if (slot < 0 && named) status |= bit(Status::absent_slot);
  return page_of(job, slot);
}

/// A row of a table as its lanes share it, four words at a time. Offsets are words from the start of the row.
struct Strip {
  std::int64_t start = 0;  ///< word
  std::int32_t first = 0;
  std::int32_t last = 0;
};

PAGESTORM_JUDGE_HD Strip strip_of(const Job& job, const Plot& table, std::int64_t row, std::int64_t live) {
  const Range zone = row_zone(job, table, row, live);
  const std::int64_t start = at(table, row, 0);
  return {start, static_cast<std::int32_t>(zone.first - start), static_cast<std::int32_t>(zone.last - start)};
}

/// Offset of the first four words of a lane.
PAGESTORM_JUDGE_HD std::int32_t first_four(const Strip& strip, const Lane& lane) {
  return down_to_four(strip.first) + four * lane.index;
}

/// Four words of a dense row in both images, and the slots that their columns name.
struct Glance {
  Four first, second;
  std::int32_t slot[four];

  PAGESTORM_JUDGE_HD Glance(const Job& job, const Strip& strip, const Row& row, std::int32_t from) {
    first = load_four(job.first + strip.start, from, strip.first, strip.last, first_poison);
    second = load_four(job.second + strip.start, from, strip.first, strip.last, second_poison);
    const auto named = static_cast<std::int32_t>(row.named);
    const std::int64_t apart = slots_apart(job);
    PAGESTORM_JUDGE_UNROLL
    for (std::int32_t i = 0; i < four; ++i)
      slot[i] = from + i >= 0 && from + i < named ? row.slots[(from + i) * apart] : -1;
  }
};

template <bool window>
PAGESTORM_JUDGE_HD bool looks_right(const Job& job, const Row& row, std::int32_t from, const Glance& seen,
                                    std::uint32_t& status) {
  bool right = true;
  PAGESTORM_JUDGE_UNROLL
  for (std::int32_t i = 0; i < four; ++i) {
    const bool is_live = from + i >= 0 && from + i < static_cast<std::int32_t>(row.live);
    const bool is_named = from + i < static_cast<std::int32_t>(row.named);
    const std::int32_t want = is_live ? wanted<window>(job, is_named, seen.slot[i], status) : 0;
    right = right && seen.first.word[i] == (is_live ? want : first_poison) &&
            seen.second.word[i] == (is_live ? want : second_poison);
  }
  return right;
}

/// Whether all words of a lane's share of a dense row are as they must be; status bits are collected either way. What eight
/// words need is asked for before the first is looked at.
template <bool window>
PAGESTORM_JUDGE_HD bool looks_right(const Job& job, const Strip& strip, const Row& row, const Lane& lane,
                                    std::uint32_t& status) {
  bool right = true;
  const std::int32_t step = four * lane.count;
  for (std::int32_t from = first_four(strip, lane); from < strip.last; from += 2 * step) {
    const Glance one(job, strip, row, from);
    const Glance two(job, strip, row, from + step);
    right = looks_right<window>(job, row, from, one, status) && right;
    right = looks_right<window>(job, row, from + step, two, status) && right;
  }
  return right;
}

/// Which live column the word `offset` words after the start of a row is; -1: none.
PAGESTORM_JUDGE_HD std::int64_t column_at(const Plot& table, std::int32_t offset, std::int64_t live) {
  if (offset < 0) return -1;
  const std::int64_t column = offset / table.col_stride;
  return column < live && offset == column * table.col_stride ? column : -1;
}

/// One lane's share of a row, whatever its layout, word by word: what breaks which law.
template <bool window>
PAGESTORM_JUDGE_APART Finding judge_words(const Job& job, std::int64_t r, const Lane& lane) {
  const Plot& table = window ? job.image.swa_page_table : job.image.page_table;
  const Row row = row_of(job, r);
  const Strip strip = strip_of(job, table, r, row.live);
  Finding finding;
  for (std::int32_t from = first_four(strip, lane); from < strip.last; from += four * lane.count)
    for (std::int32_t offset = from; offset < from + four; ++offset) {
      if (offset < strip.first || offset >= strip.last) continue;
      const std::int64_t word = strip.start + offset;
      const std::int64_t column = column_at(table, offset, row.live);
      if (column >= 0) {
        const std::int32_t slot = slot_of(job, row, column);
        judge_word(job, word, wanted<window>(job, column < row.named, slot, finding.status), finding);
      } else if (!is_kept(job.first[word], job.second[word])) {
        const bool is_other = offset >= row.live * table.col_stride && is_live_from(job, table, r, word);
        finding.require(is_other, ImageLaw::writes_only_live_cells, word);
      }
    }
  return finding;
}

/// One lane's share of a row of a table: the live cells, and the words around and between them. `window`: of the SWA
/// table.
template <bool window>
PAGESTORM_JUDGE_HD void judge_row(const Job& job, std::int64_t r, const Lane& lane, Finding& finding) {
  const Plot& table = window ? job.image.swa_page_table : job.image.page_table;
  const Row row = row_of(job, r);
  finding.status |= row.status;
  const bool dense = table.col_stride == 1;
  if (dense && looks_right<window>(job, strip_of(job, table, r, row.live), row, lane, finding.status)) return;
  finding.add(judge_words<window>(job, r, lane));
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
PAGESTORM_JUDGE_HD void judge_owned(const Job& job, std::int64_t r, const Lane& lane, Finding& finding) {
  if (job.rows[r].owner < 0) return;
  judge_owned_pages(job, r, lane, finding);
  judge_owned_slots(job, r, lane, finding);
}

}  // namespace pagestorm::judge
