#include "refusals.hpp"

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

#include "pagestorm/ids.hpp"

namespace pagestorm::sim {
namespace {

using enum FlashOp;

bool verifies(FlashOp op) { return op == verify_expand || op == merged_verify; }
bool looks_up(FlashOp op) { return op != draft_expand && op != verify_expand && op != schedule; }
bool has_prompts(FlashOp op) { return op == prompt_window || has_encoder(op); }
bool any(FlashOp) { return true; }
template <FlashOp wanted>
bool is(FlashOp op) {
  return op == wanted;
}

/// The least that an operation must be given: what it does not need is absent, and nothing has an element too many.
struct LeastShapes {
  std::int32_t cell = 0;
  std::uint8_t sees = 0;
  std::uint32_t status = 0;
  FlashBatch in;
  FlashMetadata out;

  LeastShapes(FlashOp op, std::int64_t rows) {
    in = {.op = op,
          .page_size = 2,
          .rows = rows,
          .branches = 2,
          .draft_steps = 3,
          .draft_step = 1,
          .tokens_per_row = 2,
          .chunk = 4};
    const std::int64_t room = op == local_blocks ? 3 : rows * members_of(in);
    if (rows > 0) take_inputs(op, rows);
    if (room > 0) out.cache_seqlens = {&cell, room};
    out.cu_seqlens_q = out.cu_seqlens_k = {&cell, room + 1};
    out.page_table = {nullptr, room, 0, 0, 1};
    if (op != schedule && room > 0) out.page_table = {&cell, room, 1, 1, 1};
    if (op == draft_expand && rows > 0) out.prefix_seqlens = {&cell, rows};
    if (op == schedule) out.schedule = {&cell, schedule_size(rows)};
    out.status = &status;
  }

 private:
  void take_inputs(FlashOp op, std::int64_t rows) {
    const auto vector = [&](std::int64_t size) { return IntVector{&cell, size, 1, IntType::int32}; };
    in.seq_lens = vector(rows);
    if (looks_up(op)) in.req_to_token = {&cell, 3, 8, 8, 1};
    if (looks_up(op)) in.req_pool_indices = vector(rows);
    if (op == draft_expand) in.out_cache_loc = vector(rows * in.branches * in.draft_steps);
    if (verifies(op)) in.out_cache_loc = vector(rows * in.tokens_per_row);
    if (verifies(op)) in.tree_mask = {&sees, rows * in.tokens_per_row * in.tokens_per_row};
    if (has_prompts(op)) in.prompt_lens = vector(rows);
    if (op == local_blocks) in.query_lens = vector(rows);
  }
};

struct Case {
  std::string_view argument;  ///< that must be named; empty where the call must be taken
  bool (*of)(FlashOp);        ///< the operations that are asked
  void (*change)(LeastShapes&);
  std::int64_t rows_low = 1;  ///< the smallest batch that is asked, up to two rows
};

constexpr Case cases[] = {
    {"", any, [](LeastShapes&) {}, 0},
    {"page_size", any, [](LeastShapes& s) { s.in.page_size = 0; }, 0},
    {"page_size", any, [](LeastShapes& s) { s.in.page_size = page_size_max + 1; }, 0},
    {"", any, [](LeastShapes& s) { s.in.page_size = 1; }, 0},
    {"", any, [](LeastShapes& s) { s.in.chunk = s.in.page_size = page_size_max; }, 0},
    {"rows", any, [](LeastShapes& s) { s.in.rows = -1; }, 0},
    {"branches", any, [](LeastShapes& s) { s.in.branches = 0; }, 0},
    {"branches", any, [](LeastShapes& s) { s.in.branches = -1; }, 0},
    {"", any, [](LeastShapes& s) { s.in.branches = 1; }, 0},
    {"draft_steps", any, [](LeastShapes& s) { s.in.draft_steps = s.in.draft_step = 0; }, 0},
    {"", any, [](LeastShapes& s) { s.in.draft_steps = 1, s.in.draft_step = 0; }, 0},
    {"draft_step", any, [](LeastShapes& s) { s.in.draft_step = -1; }, 0},
    {"draft_step", any, [](LeastShapes& s) { s.in.draft_step = 3; }, 0},
    {"draft_step", any, [](LeastShapes& s) { s.in.draft_step = 4; }, 0},
    {"", any, [](LeastShapes& s) { s.in.draft_step = 0; }, 0},
    {"", any, [](LeastShapes& s) { s.in.draft_step = 2; }, 0},
    {"tokens_per_row", any, [](LeastShapes& s) { s.in.tokens_per_row = 0; }, 0},
    {"", any, [](LeastShapes& s) { s.in.tokens_per_row = 1; }, 0},
    {"window", any, [](LeastShapes& s) { s.in.window = -1; }, 0},
    {"", any, [](LeastShapes& s) { s.in.window = 1; }, 0},
    {"chunk", any, [](LeastShapes& s) { s.in.chunk = 0; }, 0},
    {"chunk", is<local_blocks>, [](LeastShapes& s) { s.in.chunk = 3; }, 0},
    {"chunk", is<local_blocks>, [](LeastShapes& s) { s.in.chunk = 1; }, 0},
    {"", is<local_blocks>, [](LeastShapes& s) { s.in.chunk = s.in.page_size = 1; }, 0},
    {"", is<schedule>, [](LeastShapes& s) { s.in.chunk = 1; }, 0},
    {"", is<draft_expand>, [](LeastShapes& s) { s.in.chunk = 3; }, 0},

    {"seq_lens", any, [](LeastShapes& s) { s.in.seq_lens.data = nullptr; }},
    {"seq_lens", any, [](LeastShapes& s) { --s.in.seq_lens.size; }},
    {"", any, [](LeastShapes& s) { ++s.in.seq_lens.size; }},
    {"req_to_token", looks_up, [](LeastShapes& s) { s.in.req_to_token.data = nullptr; }},
    {"req_pool_indices", looks_up, [](LeastShapes& s) { s.in.req_pool_indices.data = nullptr; }},
    {"req_pool_indices", looks_up, [](LeastShapes& s) { --s.in.req_pool_indices.size; }},
    {"", looks_up, [](LeastShapes& s) { ++s.in.req_pool_indices.size; }},
    {"out_cache_loc", is<draft_expand>, [](LeastShapes& s) { s.in.out_cache_loc.data = nullptr; }},
    {"out_cache_loc", is<draft_expand>, [](LeastShapes& s) { --s.in.out_cache_loc.size; }},
    {"", is<draft_expand>, [](LeastShapes& s) { s.in.out_cache_loc.size += 6; }},
    {"out_cache_loc", verifies, [](LeastShapes& s) { s.in.out_cache_loc.data = nullptr; }},
    {"out_cache_loc", verifies, [](LeastShapes& s) { --s.in.out_cache_loc.size; }},
    {"", verifies, [](LeastShapes& s) { s.in.out_cache_loc.size += 2; }},
    {"tree_mask", verifies, [](LeastShapes& s) { s.in.tree_mask.data = nullptr; }},
    {"tree_mask", verifies, [](LeastShapes& s) { --s.in.tree_mask.size; }},
    {"", verifies, [](LeastShapes& s) { s.in.tree_mask.size += 4; }},
    {"", verifies, [](LeastShapes& s) { s.in.whole_mask = true, s.in.tree_mask.size = 0; }},
    {"prompt_lens", has_prompts, [](LeastShapes& s) { s.in.prompt_lens.data = nullptr; }},
    {"prompt_lens", has_prompts, [](LeastShapes& s) { --s.in.prompt_lens.size; }},
    {"", has_prompts, [](LeastShapes& s) { ++s.in.prompt_lens.size; }},
    {"query_lens", is<local_blocks>, [](LeastShapes& s) { --s.in.query_lens.size; }},
    {"", is<local_blocks>, [](LeastShapes& s) { ++s.in.query_lens.size; }},
    {"", is<local_blocks>, [](LeastShapes& s) { s.in.query_lens = {}; }},
    {"", is<schedule>,
     [](LeastShapes& s) {
       s.in.query_lens = {&s.cell, 0};
     }},

    {"status", any, [](LeastShapes& s) { s.out.status = nullptr; }, 0},
    {"cu_seqlens_q", any, [](LeastShapes& s) { s.out.cu_seqlens_q.data = nullptr; }, 0},
    {"cu_seqlens_k", any, [](LeastShapes& s) { s.out.cu_seqlens_k.data = nullptr; }, 0},
    {"cu_seqlens_q", any, [](LeastShapes& s) { --s.out.cu_seqlens_q.size; }, 0},
    {"cu_seqlens_k", any, [](LeastShapes& s) { --s.out.cu_seqlens_k.size; }, 0},
    {"", any, [](LeastShapes& s) { ++s.out.cu_seqlens_q.size, ++s.out.cu_seqlens_k.size; }, 0},
    {"cache_seqlens", any, [](LeastShapes& s) { s.out.cache_seqlens.data = nullptr; }},
    {"cache_seqlens", [](FlashOp op) { return op != local_blocks; },
     [](LeastShapes& s) { --s.out.cache_seqlens.size; }},
    {"", is<draft_expand>,
     [](LeastShapes& s) {  // room for a row more
       for (auto* sums : {&s.out.cu_seqlens_q, &s.out.cu_seqlens_k}) sums->size += 2;
       s.out.cache_seqlens.size += 2;
       s.out.page_table.rows += 2;
     }},
    {"", is<local_blocks>,
     [](LeastShapes& s) {  // no room at all
       s.out.cache_seqlens.size = s.out.page_table.rows = 0;
       s.out.page_table.data = nullptr;
     }},
    {"page_table", any, [](LeastShapes& s) { --s.out.page_table.rows; }},
    {"", any, [](LeastShapes& s) { ++s.out.page_table.rows; }},
    {"page_table", [](FlashOp op) { return op != schedule; }, [](LeastShapes& s) { s.out.page_table.data = nullptr; }},
    {"", any, [](LeastShapes& s) { s.out.page_table.data = nullptr, s.out.page_table.cols = 0; }},
    {"prefix_seqlens", is<draft_expand>, [](LeastShapes& s) { s.out.prefix_seqlens.data = nullptr; }},
    {"prefix_seqlens", is<draft_expand>, [](LeastShapes& s) { --s.out.prefix_seqlens.size; }},
    {"", is<draft_expand>, [](LeastShapes& s) { ++s.out.prefix_seqlens.size; }},
    {"schedule", is<schedule>, [](LeastShapes& s) { s.out.schedule.data = nullptr; }, 0},
    {"schedule", is<schedule>, [](LeastShapes& s) { --s.out.schedule.size; }, 0},
    {"", is<schedule>, [](LeastShapes& s) { ++s.out.schedule.size; }, 0},
};

std::string refusal_of(Builder& builder, const LeastShapes& shapes) {
  try {
    builder.enqueue(FlashCall{.batch = shapes.in, .out = shapes.out});
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

std::string wrong_in(Builder& builder, const Case& one, FlashOp op, std::int64_t rows) {
  LeastShapes shapes(op, rows);
  one.change(shapes);
  const std::string said = refusal_of(builder, shapes);
  if (one.argument.empty() && !said.empty()) return said + ": refused, and must not be";
  if (!one.argument.empty() && !said.starts_with(std::string(one.argument) + ":"))
    return std::string(one.argument) + ": must be refused" + (said.empty() ? "" : ", and not for " + said);
  return "";
}

}  // namespace

std::string wrong_flash_refusal(Builder& builder) {
  for (const Case& one : cases)
    for (int op = 0; op < flash_op_count; ++op)
      for (std::int64_t rows = one.rows_low; one.of(static_cast<FlashOp>(op)) && rows <= 2; ++rows)
        if (const std::string wrong = wrong_in(builder, one, static_cast<FlashOp>(op), rows); !wrong.empty())
          return wrong;
  return "";
}

}  // namespace pagestorm::sim
