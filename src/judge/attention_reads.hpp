#pragma once
// Attention's eye as a body for kernels: walks tables and lengths of a batch as a paged attention kernel does, and
// compares the tag in each KV slot with the tag of the token that belongs there. It shares no formula with expect.hpp.

#include <cstdint>

#include "hd.hpp"
#include "job.hpp"
#include "pagestorm/batch.hpp"

namespace pagestorm::judge {

/// Tags from `first` on, up to the next run: base + position, or one of the two words below.
struct TagRun {
  std::int64_t first = 0;  ///< position in the request
  std::uint64_t base = 0;
};

inline constexpr std::uint64_t any_token = 0;  ///< as a base: the page must be one of the pool, its tokens may be any
inline constexpr std::uint64_t any_page = 1;   ///< as a base: nothing is asked, not even which page it is
inline constexpr std::uint64_t lost_tag = 1;   ///< in a slot: a write did not arrive, and nobody is to blame

/// What a row of the batch must read.
struct ReadRow {
  const TagRun* runs = nullptr;  ///< of its request, by rising position; null: the row is not looked at
  std::int64_t run_count = 0;    ///< 1 or more; what stands before the first run is any_token
  std::int64_t start = 0;        ///< position of the request that column 0 stands for, a multiple of the page size
  std::int64_t keys = 0;         ///< K, counted from `start`, up to and including its last query
  std::int64_t queries = 0;      ///< at most `keys`; they are the last keys
};

/// The tags of one pool of one model, [(pages + 1) x page size]; page 0 is the sink.
struct KvTags {
  const std::uint64_t* tags = nullptr;
  std::int64_t pages = 0;
};

/// One batch as one model's attention sees it. All pointers are of the side that reads.
struct AttentionBatch {
  std::int64_t rows = 0;
  std::int32_t page_size = 1;      ///< tokens
  std::int64_t window = 1;         ///< tokens that a query of an SWA layer sees, itself included
  Metadata out;                    ///< what a builder made; cache_seqlens, cu_seqlens_q and the tables are read
  KvTags full, swa;                ///< swa: only read where out.swa_page_table is present
  const ReadRow* truth = nullptr;  ///< [rows]
};

/// What is wrong, in the order in which a row is looked at.
enum class Misread : std::uint8_t {
  none,
  keys,       ///< cache_seqlens is not K
  queries,    ///< cu_seqlens_q does not rise by the row's queries
  page,       ///< the table names no page of the pool
  token,      ///< the slot holds another token
  swa_page,   ///< the same of swa_page_table
  swa_token,  ///< the same of the SWA pool
};

/// The first thing that is wrong; none where all is right.
struct FirstMisread {
  Misread what = Misread::none;
  std::int64_t row = 0;
  std::int64_t key = 0;    ///< index of the key in its row, from 0; 0 for lengths
  std::uint64_t want = 0;  ///< a length or a tag; nothing for pages
  std::uint64_t got = 0;   ///< a length, a tag, or the page as it stands in the table

  PAGESTORM_JUDGE_HD bool is_after(const FirstMisread& other) const {
    if (what == Misread::none || other.what == Misread::none) return what == Misread::none;
    if (row != other.row) return row > other.row;
    if (stage() != other.stage()) return stage() > other.stage();
    return key > other.key;
  }

  /// Keeps the earlier one: by row, then lengths before tables, the full table before the SWA table, then by key.
  PAGESTORM_JUDGE_HD void add(const FirstMisread& other) {
    if (is_after(other)) *this = other;
  }

 private:
  // A row's pages and tokens are met together, key by key.
  PAGESTORM_JUDGE_HD int stage() const {
    if (what == Misread::token) return static_cast<int>(Misread::page);
    if (what == Misread::swa_token) return static_cast<int>(Misread::swa_page);
    return static_cast<int>(what);
  }
};

/// Keys [first, last) of a row.
struct KeyRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// The keys that query `query` of a row reads: up to itself, in an SWA layer the last `window` of them.
template <bool window>
PAGESTORM_JUDGE_HD KeyRange keys_of_query(const AttentionBatch& in, std::int64_t row, std::int64_t query) {
  const ReadRow& truth = in.truth[row];
  const std::int64_t last = truth.keys - truth.queries + query + 1;
  const std::int64_t first = window && last > in.window ? last - in.window : 0;
  return {first, last};
}

/// The keys that any query of a row reads, as far as the table has columns: the ranges of neighbours overlap or touch.
template <bool window>
PAGESTORM_JUDGE_HD KeyRange keys_of_row(const AttentionBatch& in, std::int64_t row) {
  const std::int64_t queries = in.truth[row].queries;
  if (queries <= 0) return {};
  const std::int64_t columns = window ? in.out.swa_page_table.cols : in.out.page_table.cols;
  const std::int64_t last = keys_of_query<window>(in, row, queries - 1).last;
  const std::int64_t reached = columns * in.page_size;
  return {keys_of_query<window>(in, row, 0).first, last < reached ? last : reached};
}

/// The base of the token at `position`.
PAGESTORM_JUDGE_HD std::uint64_t base_at(const ReadRow& row, std::int64_t position) {
  std::int64_t below = 0, above = row.run_count;  // runs before `below` begin at `position` or earlier
  while (below < above) {
    const std::int64_t middle = below + (above - below) / 2;
    if (row.runs[middle].first <= position)
      below = middle + 1;
    else
      above = middle;
  }
  return below == 0 ? any_token : row.runs[below - 1].base;
}

/// Both lengths of a row; what is wrong with them. A sum that is saturated says nothing about queries.
PAGESTORM_JUDGE_HD FirstMisread read_lengths(const AttentionBatch& in, std::int64_t row) {
  const ReadRow& truth = in.truth[row];
  const auto misread = [row](Misread what, std::int64_t want, std::int64_t got) {
    return FirstMisread{what, row, 0, static_cast<std::uint64_t>(want), static_cast<std::uint64_t>(got)};
  };
  const std::int64_t keys = in.out.cache_seqlens.data[row * in.out.cache_seqlens.stride];
  if (keys != truth.keys) return misread(Misread::keys, truth.keys, keys);
  const Vector<std::int32_t>& sums = in.out.cu_seqlens_q;
  const std::int64_t sum = sums.data[(row + 1) * sums.stride];
  const std::int64_t queries = sum - sums.data[row * sums.stride];
  if (queries != truth.queries && sum != INT32_MAX) return misread(Misread::queries, truth.queries, queries);
  return {};
}

/// One lane's share of the keys of a row: follows the table to the slot of each. `window`: the SWA table and pool.
template <bool window>
PAGESTORM_JUDGE_HD FirstMisread read_keys(const AttentionBatch& in, std::int64_t row, const Lane& lane) {
  const ReadRow& truth = in.truth[row];
  const Matrix<std::int32_t>& table = window ? in.out.swa_page_table : in.out.page_table;
  const KvTags& pool = window ? in.swa : in.full;
  const KeyRange range = keys_of_row<window>(in, row);
  const auto size = static_cast<std::uint32_t>(in.page_size);
  for (std::int64_t key = range.first + lane.index; key < range.last; key += lane.count) {
    const std::uint64_t base = base_at(truth, truth.start + key);
    if (base == any_page) continue;
    const std::uint32_t column = static_cast<std::uint32_t>(key) / size;  // a K has 31 bits
    const std::int64_t page = table.data[row * table.row_stride + column * table.col_stride];
    if (page < 0 || page > pool.pages)
      return {window ? Misread::swa_page : Misread::page, row, key, 0, static_cast<std::uint64_t>(page)};
    if (base == any_token) continue;
    const std::uint64_t want = base + static_cast<std::uint64_t>(truth.start + key);
    const std::uint64_t got = pool.tags[page * size + (static_cast<std::uint32_t>(key) - column * size)];
    if (got != want && got != lost_tag) return {window ? Misread::swa_token : Misread::token, row, key, want, got};
  }
  return {};
}

/// One lane's share of a row. The first misread of a row is the first of those of all its lanes.
PAGESTORM_JUDGE_HD FirstMisread read_row(const AttentionBatch& in, std::int64_t row, const Lane& lane) {
  if (in.truth[row].runs == nullptr) return {};
  FirstMisread first = read_lengths(in, row);
  if (first.what != Misread::none) return first;  // keys are counted from lengths: without them nothing can be followed
  first = read_keys<false>(in, row, lane);
  if (in.out.swa_page_table.data != nullptr) first.add(read_keys<true>(in, row, lane));
  return first;
}

}  // namespace pagestorm::judge
