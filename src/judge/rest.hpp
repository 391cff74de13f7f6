#pragma once
// The image laws where they speak of no row of a table: vectors, fences, unused rows, sweeps, and the status word.

#include "judge.hpp"

namespace pagestorm::judge {

/// Whether a word of a rest zone is live, in this output or in one after it.
PAGESTORM_JUDGE_APART bool is_live_in_rest(const Job& job, RestZone which, std::int64_t word) {
  const ImageShape& image = job.image;
  switch (which) {
    case RestZone::status: return word == image.status.first;
    case RestZone::cache_seqlens: return is_element(image.cache_seqlens, job.in.rows, word);
    case RestZone::cu_seqlens_q: return is_element(image.cu_seqlens_q, job.in.rows + 1, word);
    case RestZone::cu_seqlens_k: return is_element(image.cu_seqlens_k, job.in.rows + 1, word);
    case RestZone::next_row:
    case RestZone::sweep: return is_live_from(job, image.page_table, 0, word);
    case RestZone::next_window_row:
    case RestZone::window_sweep: return is_live_from(job, image.swa_page_table, 0, word);
    default: return is_element(image.swa_out_cache_loc, job.write_slots, word);
  }
}

/// One lane's share of swa_out_cache_loc, tail included (C9.3, C9.4).
PAGESTORM_JUDGE_HD void judge_write_slots(const Job& job, const Lane& lane, Finding& finding) {
  for (std::int64_t e = lane.index; e < job.write_slots; e += lane.count) {
    const Count want = write_slot(job, e);
    const std::int64_t word = at(job.image.swa_out_cache_loc, 0, e);
    const std::int64_t first = long_at(job.first, word);
    finding.status |= want.status;
    finding.require(first == long_at(job.second, word), ImageLaw::writes_only_live_cells, word);
    finding.require(first == want.value, ImageLaw::agrees_with_reference, word);
  }
  if (job.in.out_cache_loc.size > job.write_slots) finding.status |= bit(Status::write_slots_clamped);
}

/// A word of a rest zone that was written.
PAGESTORM_JUDGE_APART Finding judge_stray_in_rest(const Job& job, RestZone which, std::int64_t word) {
  Finding finding;
  finding.require(is_live_in_rest(job, which, word), ImageLaw::writes_only_live_cells, word);
  return finding;
}

/// One lane's share of the words of a rest zone, which nothing may write besides what is live.
PAGESTORM_JUDGE_HD void judge_rest(const Job& job, RestZone which, const Rest& rest, const Lane& lane,
                                   Finding& finding) {
  const auto [zone, live] = rest;
  const std::int64_t step = std::int64_t{four} * lane.count;
  for (std::int64_t at = down_to_four(zone.first) + four * lane.index; at < zone.last; at += step) {
    const Four first = load_four(job.first, at, zone.first, zone.last, first_poison);
    const Four second = load_four(job.second, at, zone.first, zone.last, second_poison);
    PAGESTORM_JUDGE_UNROLL
    for (std::int32_t i = 0; i < four; ++i) {
      const std::int64_t word = at + i;
      if (is_kept(first.word[i], second.word[i]) || (word >= live.first && word < live.last)) continue;
      finding.add(judge_stray_in_rest(job, which, word));
    }
  }
}

/// The status word, once all bits that must be raised are known (C11.2).
PAGESTORM_JUDGE_HD void judge_status(const Job& job, Finding& finding) {
  judge_word(job, job.image.status.first, static_cast<std::int32_t>(finding.status), finding);
}

}  // namespace pagestorm::judge
