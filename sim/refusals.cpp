#include "refusals.hpp"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "pagestorm/ids.hpp"
#include "right_shapes.hpp"

namespace pagestorm::sim {
namespace {

struct Case {
  std::string_view argument;  ///< that must be named; empty where the call must be taken
  void (*change)(RightShapes&);
};

void drop_swa(RightShapes& s) {
  s.in.full_to_swa.data = nullptr;
  s.out.swa_page_table.data = nullptr;
}

// Everything that a call of no rows may leave out.
void empty(RightShapes& s) {
  s.in.rows = 0;
  s.in.req_to_token = {};
  s.in.req_pool_indices = s.in.seq_lens = s.in.extend_seq_lens = {};
  s.out.cache_seqlens = {};
  s.out.page_table.data = nullptr;
}

constexpr Case refused[] = {
    {"page_size", [](RightShapes& s) { s.in.page_size = 0; }},
    {"page_size", [](RightShapes& s) { s.in.page_size = page_size_max + 1; }},
    {"rows", [](RightShapes& s) { s.in.rows = -1; }},
    {"tokens_per_row", [](RightShapes& s) { s.in.tokens_per_row = 0; }},
    {"draft_step", [](RightShapes& s) { s.in.draft_step = -1; }},
    {"req_to_token", [](RightShapes& s) { s.in.req_to_token.data = nullptr; }},
    {"req_pool_indices", [](RightShapes& s) { s.in.req_pool_indices.data = nullptr; }},
    {"seq_lens", [](RightShapes& s) { s.in.seq_lens.data = nullptr; }},
    {"page_table", [](RightShapes& s) { s.out.page_table.data = nullptr; }},
    {"req_pool_indices", [](RightShapes& s) { s.in.req_pool_indices.size = 1; }},
    {"seq_lens", [](RightShapes& s) { s.in.seq_lens.size = 1; }},
    {"page_table", [](RightShapes& s) { s.out.page_table.rows = 1; }},
    {"status", [](RightShapes& s) { s.out.status = nullptr; }},
    {"swa_page_table", [](RightShapes& s) { s.out.swa_page_table.data = nullptr; }},
    {"swa_page_table", [](RightShapes& s) { s.in.full_to_swa.data = nullptr; }},
    {"swa_page_table", [](RightShapes& s) { s.out.swa_page_table.rows = 1; }},
    {"swa_page_table", [](RightShapes& s) { s.out.swa_page_table.cols = 3; }},
    {"swa_page_table", [](RightShapes& s) { s.out.swa_page_table.cols = 5; }},
    {"cu_seqlens_q", [](RightShapes& s) { s.out.cu_seqlens_q.data = nullptr; }},
    {"cu_seqlens_k", [](RightShapes& s) { s.out.cu_seqlens_k.data = nullptr; }},
    {"cache_seqlens", [](RightShapes& s) { s.out.cache_seqlens.data = nullptr; }},
    {"extend_seq_lens", [](RightShapes& s) { s.in.extend_seq_lens.size = 1; }},
    {"extend_seq_lens",
     [](RightShapes& s) {
       s.in.mode = Mode::ragged_verify;
       s.in.has_cached_prefix = false;
       s.in.extend_seq_lens.size = 1;
     }},
    {"cache_seqlens", [](RightShapes& s) { s.out.cache_seqlens.size = 1; }},
    {"cu_seqlens_q", [](RightShapes& s) { s.out.cu_seqlens_q.size = 2; }},
    {"cu_seqlens_k", [](RightShapes& s) { s.out.cu_seqlens_k.size = 2; }},
    // With one row the smallest batch that needs what a batch of none may leave out.
    {"req_to_token", [](RightShapes& s) { s.in.rows = 1, s.in.req_to_token.data = nullptr; }},
    {"req_pool_indices", [](RightShapes& s) { s.in.rows = 1, s.in.req_pool_indices.data = nullptr; }},
    {"seq_lens", [](RightShapes& s) { s.in.rows = 1, s.in.seq_lens.data = nullptr; }},
    {"page_table", [](RightShapes& s) { s.in.rows = 1, s.out.page_table.data = nullptr; }},
    {"page_table",
     [](RightShapes& s) {
       drop_swa(s);
       s.out.page_table.cols = 1;
       s.out.page_table.data = nullptr;
     }},
    {"cache_seqlens", [](RightShapes& s) { s.in.rows = 1, s.out.cache_seqlens.data = nullptr; }},
};

constexpr Case taken[] = {
    {"", [](RightShapes&) {}},
    {"", drop_swa},
    {"", empty},
    {"", [](RightShapes& s) { s.in.page_size = page_size_max; }},
    {"", [](RightShapes& s) { s.in.rows = 1; }},
    {"", [](RightShapes& s) { s.in.draft_step = 1; }},
    {"", [](RightShapes& s) { s.in.tokens_per_row = 2; }},
    {"", [](RightShapes& s) { s.out.page_table.rows = s.out.swa_page_table.rows = 3; }},
    {"", [](RightShapes& s) { s.in.has_cached_prefix = false, s.in.extend_seq_lens = {}; }},
    {"", [](RightShapes& s) { s.in.mode = Mode::decode, s.in.extend_seq_lens = {}; }},
    {"", [](RightShapes& s) { s.in.mode = Mode::ragged_verify; }},
    {"",
     [](RightShapes& s) {  // a table without columns needs no memory
       s.out.page_table.cols = s.out.swa_page_table.cols = 0;
       s.out.page_table.data = nullptr;
     }},
    {"",
     [](RightShapes& s) {  // build writes no lengths and no sums
       s.in.entry = Entry::build;
       s.in.extend_seq_lens = {};
       s.out.cache_seqlens = s.out.cu_seqlens_q = s.out.cu_seqlens_k = {};
     }},
};

std::string refusal_of(Builder& builder, RightShapes& shapes) {
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
      RightShapes shapes;
      one.change(shapes);
      const std::string said = refusal_of(builder, shapes);
      if (one.argument.empty() && !said.empty()) return said + ": refused, and must not be";
      if (!one.argument.empty() && !said.starts_with(std::string(one.argument) + ":"))
        return std::string(one.argument) + ": must be refused" + (said.empty() ? "" : ", and not for " + said);
    }
  return "";
}

}  // namespace pagestorm::sim
