#include "asks.hpp"

#include <algorithm>
#include <array>

#include "../inputs.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::array op_names = {"draft_expand",  "verify_expand", "merged_verify", "local_blocks",
                                 "prompt_window", "encoder_table", "text_table",    "schedule"};

// A chunk more than a row can have whole ones, and sometimes too little room on purpose.
std::int64_t room_for_blocks(const Config& config, std::int64_t rows) {
  const std::int64_t most = rows * (config.columns() / config.chunk_tokens() + 2);
  return std::max<std::int64_t>(0, config.layout.write_room < 0 ? most / 4 + config.layout.write_room : most);
}

}  // namespace

std::string_view name_of(FlashOp op) { return op_names[static_cast<std::size_t>(op)]; }

std::vector<Ask> asks_of(const Config& config, const Forward& forward) {
  std::vector<Ask> asks;
  if (!config.flash) return asks;
  const auto ask = [&](FlashOp op, bool full, bool swa) {
    if (full) asks.push_back({op, false});
    if (swa && config.swa) asks.push_back({op, true});
  };
  if (forward.branches > 0) ask(FlashOp::draft_expand, true, true);
  if (forward.tree) ask(FlashOp::verify_expand, true, false);
  if (forward.tree) ask(FlashOp::merged_verify, !config.swa, true);
  if (config.chunk > 0 && !forward.cascade) ask(FlashOp::local_blocks, true, true);
  if (forward.mode != Mode::decode) return asks;
  ask(FlashOp::prompt_window, false, true);
  // Models with an encoder have no window.
  if (!config.swa) ask(FlashOp::encoder_table, true, false);
  if (!config.swa) ask(FlashOp::text_table, true, false);
  ask(FlashOp::schedule, true, false);
  return asks;
}

namespace {

AskShape shape_for(std::int64_t rows, const Ask& ask, const Config& config, const Forward& forward) {
  switch (ask.op) {
    case FlashOp::draft_expand: return {rows, rows * forward.branches, forward.draft_step + 2};
    case FlashOp::verify_expand: return {rows, rows * forward.tokens_per_row, forward.tokens_per_row};
    case FlashOp::merged_verify:
      return {rows, rows * forward.tokens_per_row,
              ask.swa ? std::min(config.window, config.context) : config.context + forward.tokens_per_row};
    case FlashOp::local_blocks: return {rows, room_for_blocks(config, rows), config.chunk_tokens() / config.page_size};
    case FlashOp::prompt_window:
    case FlashOp::encoder_table:
    case FlashOp::text_table: return {rows, rows, config.context};
    case FlashOp::schedule: return {rows, rows, 0, schedule_size(Inputs::row_capacity(config))};
  }
  return {};
}

}  // namespace

AskShape shape_of(const Ask& ask, const Config& config, const Forward& forward) {
  return shape_for(static_cast<std::int64_t>(forward.rows.size()), ask, config, forward);
}

AskShape capacity_of(const Ask& ask, const Config& config, const Forward& forward) {
  return shape_for(Inputs::row_capacity(config), ask, config, forward);
}

}  // namespace pagestorm::sim
