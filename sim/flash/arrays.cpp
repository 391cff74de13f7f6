#include "arrays.hpp"

#include <algorithm>

#include "../fa/draft_branches.hpp"
#include "../fa/tree_mask.hpp"
#include "draft_tree.hpp"
#include "pagestorm/ids.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t alignment = 64;
constexpr std::int64_t sealed = 4;  // hostile elements after the last one in use
constexpr std::uint8_t hostile_byte = 0x5c;

std::int64_t bytes_of(IntType type) { return type == IntType::int64 ? 8 : 4; }

bool odd_length(const ForwardRow& row) {
  return row.odd == Odd::negative_length || row.odd == Odd::zero_length || row.odd == Odd::huge_length;
}

// What the device is told that the row has before the forward.
std::int64_t told(const ForwardRow& row) { return odd_length(row) ? row.length : row.committed; }

// What it is told that attention sees, where a pass reads all of a row.
std::int64_t keys(const ForwardRow& row, const Forward& forward) {
  if (odd_length(row)) return row.length;
  switch (forward.mode) {
    case Mode::draft_decode: return row.length + forward.draft_step + 1;
    case Mode::target_verify: return row.length + forward.tokens_per_row;
    case Mode::ragged_verify: return row.length + row.new_tokens;
    default: return row.length;
  }
}

bool keeps_prompt(FlashOp op) { return op == FlashOp::prompt_window || has_encoder(op); }

// What an operation on a whole row is told: of a model with an encoder, whose tokens the prompt is, without them.
std::int64_t told(const Ask& ask, const ForwardRow& row) {
  if (has_encoder(ask.op) && !odd_length(row)) return row.length - std::min(row.prompt, row.length);
  return keeps_prompt(ask.op) || ask.op == FlashOp::schedule ? row.length : told(row);
}

}  // namespace

FlashArrays::Plan FlashArrays::plan_of(const Config& config) {
  Plan plan;
  const Layout& layout = config.layout;
  const std::int64_t rows = Inputs::row_capacity(config);
  const auto place = [&](IntType type, std::int64_t capacity) {
    const Array array{plan.bytes, type, capacity + sealed};
    plan.bytes += (array.capacity * layout.input_stride * bytes_of(type) + alignment - 1) / alignment * alignment;
    return array;
  };
  plan.lengths = place(layout.length_type, rows);
  plan.queries = place(layout.length_type, rows);
  plan.prompts = place(layout.length_type, rows);
  plan.slots = place(layout.location_type, rows * std::max(config.top_k * config.draft_steps, config.draft_tokens));
  const std::int64_t columns = (config.whole_mask ? config.columns() : 0) + config.draft_tokens;
  plan.mask = plan.bytes;
  plan.mask_capacity = config.flash ? rows * config.draft_tokens * columns + sealed : 0;
  plan.bytes += (plan.mask_capacity * layout.input_stride + alignment - 1) / alignment * alignment;
  return plan;
}

std::int64_t FlashArrays::bytes(const Config& config) { return config.flash ? plan_of(config).bytes : 0; }

void FlashArrays::start(const Config& config, Inputs& inputs) {
  config_ = config;
  inputs_ = &inputs;
  plan_ = plan_of(config);
}

void FlashArrays::put(const Array& array, std::int64_t index, std::int64_t value) {
  std::byte* at = inputs_->annex() + array.offset + index * config_.layout.input_stride * bytes_of(array.type);
  if (array.type == IntType::int64)
    *reinterpret_cast<std::int64_t*>(at) = value;
  else
    *reinterpret_cast<std::int32_t*>(at) = static_cast<std::int32_t>(value);
}

IntVector FlashArrays::seal(const Array& array, std::int64_t used) {
  for (std::int64_t i = used; i < std::min(used + sealed, array.capacity); ++i) put(array, i, Inputs::hostile);
  const std::int64_t stride = config_.layout.input_stride;
  inputs_->note_annex(array.offset, std::min(used + sealed, array.capacity) * stride * bytes_of(array.type));
  return {inputs_->annex() + array.offset, used, stride, array.type};
}

// Slots are those of the request that owns them, whatever row the device is told to read.
std::int64_t FlashArrays::slot(const ForwardRow& row, std::int64_t position) const {
  return row.owner == 0 ? std::int64_t{sink} : inputs_->slot(row.owner, position);
}

IntVector FlashArrays::stage_branches(const Forward& forward) {
  const fa::DraftShape shape{config_.page_size, config_.top_k, config_.draft_steps};
  std::int64_t at = 0;
  for (const ForwardRow& row : forward.rows) {
    const std::int64_t first = at;
    for (const auto& branch : fa::branch_positions(row.committed, shape))
      for (const std::int64_t position : branch) put(plan_.slots, at++, slot(row, position));
    if (row.odd == Odd::negative_slot) put(plan_.slots, first, absent_slot);
  }
  return seal(plan_.slots, at);
}

IntVector FlashArrays::stage_draft_tokens(const Forward& forward) {
  std::int64_t at = 0;
  for (const ForwardRow& row : forward.rows) {
    const std::int64_t first = at;
    for (std::int64_t t = 0; t < forward.tokens_per_row; ++t) put(plan_.slots, at++, slot(row, row.committed + t));
    if (row.odd == Odd::negative_slot) put(plan_.slots, first, absent_slot);
  }
  return seal(plan_.slots, at);
}

void FlashArrays::stage_lines(const ForwardRow& row, std::uint8_t* line, std::int64_t prefix) {
  constexpr std::int64_t near = 8;  // columns of the prefix that a line that is off would meet
  const std::int64_t n = config_.draft_tokens;
  const std::int64_t stride = config_.layout.input_stride;
  const fa::TreeMask mask = fa::tree_mask(draft_tree(row.tree, n, config_.top_k).parents, n);
  for (std::int64_t j = 0; j < n; ++j, line += (prefix + n) * stride) {
    for (std::int64_t c = std::max<std::int64_t>(0, prefix - near); c < prefix; ++c) line[c * stride] = 1;
    for (std::int64_t t = 0; t < n; ++t) line[(prefix + t) * stride] = mask.at(0, j, t) ? 1 : 0;
  }
}

// Lines follow one another by the lengths that the device is told. Where one is too long, the mask ends before.
Vector<const std::uint8_t> FlashArrays::stage_mask(const Forward& forward) {
  const std::int64_t n = config_.draft_tokens;
  const std::int64_t stride = config_.layout.input_stride;
  auto* mask = reinterpret_cast<std::uint8_t*>(inputs_->annex() + plan_.mask);
  std::int64_t used = 0;
  for (const ForwardRow& row : forward.rows) {
    const std::int64_t prefix = config_.whole_mask ? std::max<std::int64_t>(0, told(row)) : 0;
    const std::int64_t elements = n * (prefix + n);
    if (used + elements + sealed > plan_.mask_capacity) break;
    stage_lines(row, mask + used * stride, prefix);
    used += elements;
  }
  for (std::int64_t i = used; i < used + sealed; ++i) mask[i * stride] = hostile_byte;
  inputs_->note_annex(plan_.mask, ((used + sealed) * stride + 3) / 4 * 4);
  return {mask, used, stride};
}

void FlashArrays::stage_local(const Forward& forward, FlashBatch& batch) {
  const auto rows = static_cast<std::int64_t>(forward.rows.size());
  for (std::int64_t b = 0; b < rows; ++b) {
    const ForwardRow& row = forward.rows[static_cast<std::size_t>(b)];
    put(plan_.lengths, b, keys(row, forward));
    put(plan_.queries, b, forward.counts_tokens() ? row.writes : Inputs::hostile);
  }
  batch.seq_lens = seal(plan_.lengths, rows);
  const IntVector queries = seal(plan_.queries, rows);
  if (forward.counts_tokens()) batch.query_lens = queries;
}

void FlashArrays::blank_lengths(std::int64_t rows) {
  for (std::int64_t b = 0; b < rows; ++b) put(plan_.lengths, b, 0);
}

FlashBatch FlashArrays::stage(const Ask& ask, const Forward& forward) {
  const Batch& main = inputs_->batch();
  FlashBatch batch{.op = ask.op,
                   .page_size = main.page_size,
                   .rows = main.rows,
                   .branches = static_cast<std::int32_t>(std::max<std::int64_t>(1, forward.branches)),
                   .draft_steps = static_cast<std::int32_t>(config_.draft_steps),
                   .draft_step = static_cast<std::int32_t>(forward.draft_step),
                   .tokens_per_row = static_cast<std::int32_t>(forward.tokens_per_row),
                   .window = static_cast<std::int32_t>(ask.swa ? config_.window : 0),
                   .chunk = static_cast<std::int32_t>(std::max(config_.page_size, config_.chunk_tokens())),
                   .whole_mask = config_.whole_mask,
                   .req_to_token = main.req_to_token,
                   .req_pool_indices = main.req_pool_indices};
  if (ask.swa) batch.full_to_swa = main.full_to_swa;
  if (ask.op == FlashOp::local_blocks) {
    stage_local(forward, batch);
    return batch;
  }
  for (std::int64_t b = 0; b < main.rows; ++b) {
    const ForwardRow& row = forward.rows[static_cast<std::size_t>(b)];
    put(plan_.lengths, b, told(ask, row));
    put(plan_.prompts, b, keeps_prompt(ask.op) ? row.prompt : Inputs::hostile);
  }
  batch.seq_lens = seal(plan_.lengths, main.rows);
  batch.prompt_lens = seal(plan_.prompts, main.rows);
  if (ask.op == FlashOp::draft_expand) batch.out_cache_loc = stage_branches(forward);
  if (ask.op == FlashOp::verify_expand || ask.op == FlashOp::merged_verify) {
    batch.out_cache_loc = stage_draft_tokens(forward);
    batch.tree_mask = stage_mask(forward);
  }
  return batch;
}

}  // namespace pagestorm::sim
