#pragma once
// A pass in the words of those who ask a reader, and in those of the body that reads: there and back. Of this, only
// take_in() is for devices.

#include <cstdint>
#include <span>
#include <vector>

#include "attention_reads.hpp"
#include "pagestorm/device_reader.hpp"
#include "token_stores.hpp"

namespace pagestorm::judge {

static_assert(any_token == any_token_base && any_page == any_page_base && lost_tag == unwritten_tag);
static_assert(static_cast<int>(Misread::swa_token) == static_cast<int>(MisreadKind::swa_token));

/// What all rows must read, for one model, in memory that can be carried elsewhere.
struct Truth {
  std::vector<TagRun> runs;                ///< of one row after the other
  std::vector<ReadRow> rows;               ///< without their `runs`
  std::vector<std::int64_t> first_of_row;  ///< index of the row's first run; -1: the row is not looked at
};

inline Truth truth_of(std::span<const RowReads> reads) {
  Truth truth;
  for (const RowReads& row : reads) {
    truth.first_of_row.push_back(row.runs.empty() ? -1 : static_cast<std::int64_t>(truth.runs.size()));
    truth.rows.push_back({nullptr, static_cast<std::int64_t>(row.runs.size()), row.start, row.keys, row.queries});
    for (const ReadRun& run : row.runs) truth.runs.push_back({run.first, run.base});
  }
  return truth;
}

/// Gives `rows`, a copy of those of `truth`, their runs, the first of which lies at `runs` for those who read.
inline void point_at_runs(const Truth& truth, std::span<ReadRow> rows, const TagRun* runs) {
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (truth.first_of_row[row] >= 0) rows[row].runs = runs + truth.first_of_row[row];
}

/// `out` with sums that say nothing of queries: all are the one at `saturated`, which is INT32_MAX.
inline Metadata with_saturated_sums(Metadata out, std::int32_t* saturated) {
  out.cu_seqlens_q.data = saturated;
  out.cu_seqlens_q.stride = 0;
  return out;
}

/// The batch as the attention of `model` sees it. `out` and `truth` lie where it is read; a null `truth`: the model does
/// not run.
inline AttentionBatch attention_of(const KvMemory& memory, std::size_t model, std::int64_t window, std::int64_t rows,
                                   const Metadata& out, const ReadRow* truth) {
  return {.rows = rows,
          .page_size = memory.page_size,
          .window = window,
          .out = out,
          .full = {memory.tags[model][0], memory.pages[0]},
          .swa = {memory.tags[model][1], memory.pages[1]},
          .truth = truth};
}

/// What the models misread first. Both find the same lengths wrong; in a row, the target model reads before the draft
/// model.
inline KvMisread first_of(std::span<const FirstMisread, kv_models> models) {
  const bool draft_is_first =
      models[1].what != Misread::none && (models[0].what == Misread::none || models[1].row < models[0].row);
  const FirstMisread& first = models[draft_is_first ? 1 : 0];
  const bool of_table = first.what != Misread::keys && first.what != Misread::queries;
  return {.what = static_cast<MisreadKind>(first.what),
          .model = draft_is_first && of_table ? KvModel::draft : KvModel::target,
          .row = first.row,
          .key = first.key,
          .want = first.want,
          .got = first.got};
}

/// One step of the way from the first misreads of `2 x half` lanes to the first of all: lane `lane` takes in that of lane
/// lane + half. All lanes must have done the step before.
PAGESTORM_JUDGE_HD void take_in(FirstMisread* found, std::int32_t lane, std::int32_t half) {
  if (lane < half) found[lane].add(found[lane + half]);
}

}  // namespace pagestorm::judge
