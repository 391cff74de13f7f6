#include "refusals.hpp"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "pagestorm/ids.hpp"

namespace pagestorm::sim {
namespace {

/// A right call of two rows, in the mode that needs most of its arguments. Only its shapes are looked at.
struct Shapes {
  std::int32_t cell = 0;
  std::int64_t wide_cell = 0;
  std::uint32_t status = 0;
  Batch in;
  Metadata out;

  Shapes() {
    const IntVector two{&cell, 2, 1, IntType::int32};
    in = {.mode = Mode::extend,
          .rows = 2,
          .req_to_token = {&cell, 3, 8, 8, 1},
          .req_pool_indices = two,
          .seq_lens = two,
          .extend_seq_lens = two,
          .out_cache_loc = two,
          .full_to_swa = two};
    out = {.cache_seqlens = {&cell, 2},
           .cu_seqlens_q = {&cell, 3},
           .cu_seqlens_k = {&cell, 3},
           .page_table = {&cell, 2, 4, 4, 1},
           .swa_page_table = {&cell, 2, 4, 4, 1},
           .swa_out_cache_loc = {&wide_cell, 2},
           .status = &status};
  }
};

struct Case {
  std::string_view argument;  ///< that must be named; empty where the call must be taken
  void (*change)(Shapes&);
};

void drop_swa(Shapes& s) {
  s.in.full_to_swa.data = nullptr;
  s.out.swa_page_table.data = nullptr;
}

// Everything that a call of no rows may leave out.
void empty(Shapes& s) {
  s.in.rows = 0;
  s.in.req_to_token = {};
  s.in.req_pool_indices = s.in.seq_lens = s.in.extend_seq_lens = {};
  s.out.cache_seqlens = {};
  s.out.page_table.data = nullptr;
}

constexpr Case refused[] = {
    {"page_size", [](Shapes& s) { s.in.page_size = 0; }},
    {"page_size", [](Shapes& s) { s.in.page_size = page_size_max + 1; }},
    {"rows", [](Shapes& s) { s.in.rows = -1; }},
    {"tokens_per_row", [](Shapes& s) { s.in.tokens_per_row = 0; }},
    {"draft_step", [](Shapes& s) { s.in.draft_step = -1; }},
    {"req_to_token", [](Shapes& s) { s.in.req_to_token.data = nullptr; }},
    {"req_pool_indices", [](Shapes& s) { s.in.req_pool_indices.data = nullptr; }},
    {"seq_lens", [](Shapes& s) { s.in.seq_lens.data = nullptr; }},
    {"page_table", [](Shapes& s) { s.out.page_table.data = nullptr; }},
    {"req_pool_indices", [](Shapes& s) { s.in.req_pool_indices.size = 1; }},
    {"seq_lens", [](Shapes& s) { s.in.seq_lens.size = 1; }},
    {"page_table", [](Shapes& s) { s.out.page_table.rows = 1; }},
    {"status", [](Shapes& s) { s.out.status = nullptr; }},
    {"swa_page_table", [](Shapes& s) { s.out.swa_page_table.data = nullptr; }},
    {"swa_page_table", [](Shapes& s) { s.in.full_to_swa.data = nullptr; }},
    {"swa_page_table", [](Shapes& s) { s.out.swa_page_table.rows = 1; }},
    {"swa_page_table", [](Shapes& s) { s.out.swa_page_table.cols = 3; }},
    {"swa_page_table", [](Shapes& s) { s.out.swa_page_table.cols = 5; }},
    {"cu_seqlens_q", [](Shapes& s) { s.out.cu_seqlens_q.data = nullptr; }},
    {"cu_seqlens_k", [](Shapes& s) { s.out.cu_seqlens_k.data = nullptr; }},
    {"cache_seqlens", [](Shapes& s) { s.out.cache_seqlens.data = nullptr; }},
    {"extend_seq_lens", [](Shapes& s) { s.in.extend_seq_lens.size = 1; }},
    {"extend_seq_lens",
     [](Shapes& s) {
       s.in.mode = Mode::ragged_verify;
       s.in.has_cached_prefix = false;
       s.in.extend_seq_lens.size = 1;
     }},
    {"cache_seqlens", [](Shapes& s) { s.out.cache_seqlens.size = 1; }},
    {"cu_seqlens_q", [](Shapes& s) { s.out.cu_seqlens_q.size = 2; }},
    {"cu_seqlens_k", [](Shapes& s) { s.out.cu_seqlens_k.size = 2; }},
    // With one row the smallest batch that needs what a batch of none may leave out.
    {"req_to_token", [](Shapes& s) { s.in.rows = 1, s.in.req_to_token.data = nullptr; }},
    {"req_pool_indices", [](Shapes& s) { s.in.rows = 1, s.in.req_pool_indices.data = nullptr; }},
    {"seq_lens", [](Shapes& s) { s.in.rows = 1, s.in.seq_lens.data = nullptr; }},
    {"page_table", [](Shapes& s) { s.in.rows = 1, s.out.page_table.data = nullptr; }},
    {"page_table",
     [](Shapes& s) {
       drop_swa(s);
       s.out.page_table.cols = 1;
       s.out.page_table.data = nullptr;
     }},
    {"cache_seqlens", [](Shapes& s) { s.in.rows = 1, s.out.cache_seqlens.data = nullptr; }},
};

constexpr Case taken[] = {
    {"", [](Shapes&) {}},
    {"", drop_swa},
    {"", empty},
    {"", [](Shapes& s) { s.in.page_size = page_size_max; }},
    {"", [](Shapes& s) { s.in.rows = 1; }},
    {"", [](Shapes& s) { s.in.draft_step = 1; }},
    {"", [](Shapes& s) { s.in.tokens_per_row = 2; }},
    {"", [](Shapes& s) { s.out.page_table.rows = s.out.swa_page_table.rows = 3; }},
    {"", [](Shapes& s) { s.in.has_cached_prefix = false, s.in.extend_seq_lens = {}; }},
    {"", [](Shapes& s) { s.in.mode = Mode::decode, s.in.extend_seq_lens = {}; }},
    {"", [](Shapes& s) { s.in.mode = Mode::ragged_verify; }},
    {"",
     [](Shapes& s) {  // a table without columns needs no memory
       s.out.page_table.cols = s.out.swa_page_table.cols = 0;
       s.out.page_table.data = nullptr;
     }},
    {"",
     [](Shapes& s) {  // build writes no lengths and no sums
       s.in.entry = Entry::build;
       s.in.extend_seq_lens = {};
       s.out.cache_seqlens = s.out.cu_seqlens_q = s.out.cu_seqlens_k = {};
     }},
};

std::string refusal_of(Builder& builder, Shapes& shapes) {
  try {
    builder.enqueue({.batch = shapes.in, .out = shapes.out});
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

}  // namespace

std::string wrong_refusal(Builder& builder) {
  for (const std::span<const Case> cases : {std::span<const Case>(refused), std::span<const Case>(taken)})
    for (const Case& one : cases) {
      Shapes shapes;
      one.change(shapes);
      const std::string said = refusal_of(builder, shapes);
      if (one.argument.empty() && !said.empty()) return said + ": refused, and must not be";
      if (!one.argument.empty() && !said.starts_with(std::string(one.argument) + ":"))
        return std::string(one.argument) + ": must be refused" + (said.empty() ? "" : ", and not for " + said);
    }
  return "";
}

}  // namespace pagestorm::sim
