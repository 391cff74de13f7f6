#pragma once
// The image laws where they speak of no row of a table: vectors, fences, unused rows, sweeps, and the status word.

#include "judge.hpp"

namespace pagestorm::judge {

/// Whether a word of rest zone `which` is live, in this output or in one after it.
PAGESTORM_JUDGE_APART bool is_live_in_rest(const Job& job, int which, std::int64_t word) {
  const ImageShape& image = job.image;
  switch (which) {
    case 0: return word == image.status.first;
    case 1: return is_element(image.cache_seqlens, job.in.rows, word);
    case 2: return is_element(image.cu_seqlens_q, job.in.rows + 1, word);
    case 3: return is_element(image.cu_seqlens_k, job.in.rows + 1, word);
    case 4:
    case 5: return is_live_from(job, image.page_table, 0, word);
    case 6:
    case 7: return is_live_from(job, image.swa_page_table, 0, word);
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

/// One lane's share of the words of all rest zones that nothing may write.
PAGESTORM_JUDGE_HD void judge_rest_zones(const Job& job, const RestZones& zones, const Lane& lane, Finding& finding) {
  RestWord at;
  for (std::int64_t from = lane.index; from < zones.words(); from += batch * lane.count) {
    RestWord words[batch];
    std::int32_t first[batch], second[batch];
    PAGESTORM_JUDGE_UNROLL
    for (int i = 0; i < batch; ++i) {
      const std::int64_t index = from + i * lane.count;
      const bool inside = index < zones.words();
      if (inside) at = rest_word(zones, index, at.zone);
      words[i] = at;
      first[i] = inside ? job.first[at.word] : first_poison;
      second[i] = inside ? job.second[at.word] : second_poison;
    }
    PAGESTORM_JUDGE_UNROLL
    for (int i = 0; i < batch; ++i) {
      if (is_kept(first[i], second[i]) || is_live_in_rest(job, words[i].zone, words[i].word)) continue;
      finding.require(false, ImageLaw::writes_only_live_cells, words[i].word);
    }
  }
}

/// One lane's share of all that belongs to no row.
PAGESTORM_JUDGE_APART Finding judge_rest(const Job& job, const RestZones& zones, const Lane& lane) {
  Finding finding;
  if (lane.index == 0) judge_sum_zero(job, finding);
  judge_rest_zones(job, zones, lane, finding);
  if (job.swa()) judge_write_slots(job, lane, finding);
  return finding;
}

/// The status word, once all bits that must be raised are known (C11.2).
PAGESTORM_JUDGE_HD void judge_status(const Job& job, Finding& finding) {
  judge_word(job, job.image.status.first, static_cast<std::int32_t>(finding.status), finding);
}

}  // namespace pagestorm::judge
