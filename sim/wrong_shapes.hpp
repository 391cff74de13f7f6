#pragma once
// Shapes that do not fit, each one change of a right call, and shapes at the edge that must be taken.

#include <optional>
#include <string_view>

#include "pagestorm/builder.hpp"
#include "pagestorm/ids.hpp"

namespace pagestorm::sim::shapes {

/// One of them.
struct Case {
  std::string_view argument;  ///< that is wrong; empty where the call must be taken
  std::string_view shape;     ///< how
  void (*change)(Call&);
  std::optional<Mode> mode = {};      ///< that looks at it; absent: any
  bool Promise::*promised = nullptr;  ///< without which nobody looks at it
};

inline void drop_swa(Call& call) {
  call.batch.full_to_swa = {};
  call.out.swa_page_table = {};
  call.out.swa_out_cache_loc = {};
}

// Everything that a call of no rows may leave out.
inline void empty(Call& call) {
  call.batch.rows = 0;
  call.batch.req_to_token = {};
  call.batch.req_pool_indices = call.batch.seq_lens = call.batch.extend_seq_lens = {};
  call.out.cache_seqlens = {};
  call.out.page_table.data = nullptr;
}

inline constexpr std::string_view absent = "is absent";
inline constexpr std::string_view absent_for_one = "is absent, in a batch of one row";
inline constexpr std::string_view element_less = "has an element less than the batch has rows";
inline constexpr std::string_view row_less = "has a row less than the batch";
inline constexpr std::string_view as_many_as_rows = "has as many elements as the batch has rows, and needs one more";

/// Wrong in apply and in build.
inline constexpr Case refused[] = {
    {"page_size", "is 0", [](Call& c) { c.batch.page_size = 0; }},
    {"page_size", "is 4,097", [](Call& c) { c.batch.page_size = page_size_max + 1; }},
    {"rows", "is -1", [](Call& c) { c.batch.rows = -1; }},
    {"req_to_token", absent, [](Call& c) { c.batch.req_to_token.data = nullptr; }},
    {"req_pool_indices", absent, [](Call& c) { c.batch.req_pool_indices.data = nullptr; }},
    {"seq_lens", absent, [](Call& c) { c.batch.seq_lens.data = nullptr; }},
    {"page_table", absent, [](Call& c) { c.out.page_table.data = nullptr; }},
    {"req_pool_indices", element_less, [](Call& c) { --c.batch.req_pool_indices.size; }},
    {"seq_lens", element_less, [](Call& c) { --c.batch.seq_lens.size; }},
    {"page_table", row_less, [](Call& c) { --c.out.page_table.rows; }},
    {"status", absent, [](Call& c) { c.out.status = nullptr; }, {}, &Promise::status},
    {"swa_page_table", absent, [](Call& c) { c.out.swa_page_table.data = nullptr; }, {}, &Promise::swa},
    {"swa_page_table",
     "is given without full_to_swa",
     [](Call& c) { c.batch.full_to_swa.data = nullptr; },
     {},
     &Promise::swa},
    {"swa_page_table", row_less, [](Call& c) { --c.out.swa_page_table.rows; }, {}, &Promise::swa},
    {"swa_page_table",
     "is a column narrower than page_table",
     [](Call& c) { --c.out.swa_page_table.cols; },
     {},
     &Promise::swa},
    {"swa_page_table",
     "is a column wider than page_table",
     [](Call& c) { ++c.out.swa_page_table.cols; },
     {},
     &Promise::swa},
    // With one row the smallest batch that needs what a batch of none may leave out.
    {"req_to_token", absent_for_one, [](Call& c) { c.batch.rows = 1, c.batch.req_to_token.data = nullptr; }},
    {"req_pool_indices", absent_for_one, [](Call& c) { c.batch.rows = 1, c.batch.req_pool_indices.data = nullptr; }},
    {"seq_lens", absent_for_one, [](Call& c) { c.batch.rows = 1, c.batch.seq_lens.data = nullptr; }},
    {"page_table", absent_for_one, [](Call& c) { c.batch.rows = 1, c.out.page_table.data = nullptr; }},
    {"page_table", "is absent, of one column",
     [](Call& c) {
       drop_swa(c);
       c.out.page_table.cols = 1;
       c.out.page_table.data = nullptr;
     }},
};

/// Wrong in apply: build does not look there.
inline constexpr Case refused_by_apply[] = {
    {"tokens_per_row", "is 0", [](Call& c) { c.batch.tokens_per_row = 0; }, Mode::target_verify},
    {"tokens_per_row", "is 0", [](Call& c) { c.batch.tokens_per_row = 0; }, Mode::draft_extend},
    {"draft_step", "is -1", [](Call& c) { c.batch.draft_step = -1; }, Mode::draft_decode},
    {"cu_seqlens_q", absent, [](Call& c) { c.out.cu_seqlens_q.data = nullptr; }},
    {"cu_seqlens_k", absent, [](Call& c) { c.out.cu_seqlens_k.data = nullptr; }},
    {"cache_seqlens", absent, [](Call& c) { c.out.cache_seqlens.data = nullptr; }},
    {"extend_seq_lens", absent, [](Call& c) { c.batch.extend_seq_lens.data = nullptr; }, Mode::extend},
    {"extend_seq_lens", absent, [](Call& c) { c.batch.extend_seq_lens.data = nullptr; }, Mode::ragged_verify},
    {"extend_seq_lens", element_less, [](Call& c) { --c.batch.extend_seq_lens.size; }, Mode::extend},
    {"extend_seq_lens", element_less, [](Call& c) { --c.batch.extend_seq_lens.size; }, Mode::ragged_verify},
    {"cache_seqlens", element_less, [](Call& c) { --c.out.cache_seqlens.size; }},
    {"cu_seqlens_q", as_many_as_rows, [](Call& c) { --c.out.cu_seqlens_q.size; }},
    {"cu_seqlens_k", as_many_as_rows, [](Call& c) { --c.out.cu_seqlens_k.size; }},
    // With one row the smallest batch that needs what a batch of none may leave out.
    {"extend_seq_lens", absent_for_one, [](Call& c) { c.batch.rows = 1, c.batch.extend_seq_lens.data = nullptr; },
     Mode::extend},
    {"cache_seqlens", absent_for_one, [](Call& c) { c.batch.rows = 1, c.out.cache_seqlens.data = nullptr; }},
};

/// Right, all of them.
inline constexpr Case taken[] = {
    {"", "as it is", [](Call&) {}},
    {"", "without SWA", drop_swa},
    {"", "without rows", empty},
    {"", "page_size 1", [](Call& c) { c.batch.page_size = 1; }},
    {"", "page_size 4,096", [](Call& c) { c.batch.page_size = page_size_max; }},
    {"", "one row", [](Call& c) { c.batch.rows = 1; }},
    {"", "draft_step 1", [](Call& c) { c.batch.draft_step = 1; }, Mode::draft_decode},
    {"", "tokens_per_row 2", [](Call& c) { c.batch.tokens_per_row = 2; }, Mode::target_verify},
    {"", "tables with a row more", [](Call& c) { ++c.out.page_table.rows, ++c.out.swa_page_table.rows; }},
    {"", "no cached prefix", [](Call& c) { c.batch.has_cached_prefix = false, c.batch.extend_seq_lens = {}; },
     Mode::extend},
    {"", "a decode", [](Call& c) { c.batch.extend_seq_lens = {}; }, Mode::decode},
    {"", "a ragged verify", [](Call&) {}, Mode::ragged_verify},
    {"", "a table without columns",
     [](Call& c) {  // it needs no memory
       c.out.page_table.cols = c.out.swa_page_table.cols = 0;
       c.out.page_table.data = nullptr;
     }},
    {"", "a build",
     [](Call& c) {  // it writes no lengths and no sums
       c.batch.entry = Entry::build;
       c.batch.extend_seq_lens = {};
       c.out.cache_seqlens = c.out.cu_seqlens_q = c.out.cu_seqlens_k = {};
     }},
};

}  // namespace pagestorm::sim::shapes
