// How the world fills a batch up: padded rows, and rows about which the device is told something else.

#include "world.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t captured_fill = 1;  // length of a padded row (contract, "Padded rows")

}  // namespace

// A captured ragged verify has N tokens for each of its rows: what real rows leave goes to the padded ones.
std::int64_t World::ragged_share(std::int64_t row, std::int64_t to) const {
  const std::int64_t padded = to - forward_.real_rows;
  const std::int64_t left = to * config_.draft_tokens - forward_.written;
  return left / padded + (row == to - 1 ? left % padded : 0);
}

void World::pad(std::int64_t to) {
  const auto real = static_cast<std::int64_t>(forward_.rows.size());
  forward_.padded = real < to;
  for (std::int64_t r = real; r < to; ++r) {
    ForwardRow& row = forward_.rows.emplace_back();
    row.length = rules_.padded_length(captured_fill, forward_.draft_step);
    row.committed = row.length;
    if (forward_.cascade && forward_.branches > 0) row.length = row.length / config_.page_size * config_.page_size;
    row.writes = forward_.mode == Mode::ragged_verify ? ragged_share(r, to) : forward_.tokens_per_row;
    row.new_tokens = forward_.mode == Mode::ragged_verify ? row.writes : 0;
    if (static_cast<std::size_t>(r) >= captured_.size()) continue;
    const ForwardRow& before = captured_[static_cast<std::size_t>(r)];
    if (!rules_.refreshes_padded_indices()) row.pool_row = before.owner;
    if (rules_.refreshes_padded_write_slots() || before.writes < row.writes) continue;
    row.owner = before.owner;
    row.first_write = before.first_write;
  }
  if (rules_.fault != Fault::none) captured_ = forward_.rows;
}

void World::make_odd(const Step& step) {
  if (step.odd == Odd::none || forward_.rows.empty()) return;
  ForwardRow& row = forward_.rows[static_cast<std::size_t>(step.odd_row) % forward_.rows.size()];
  row.odd = step.odd;
  constexpr std::int64_t beyond_32_bits = (std::int64_t{1} << 32) + 5;
  switch (step.odd) {
    case Odd::duplicate:
      row.pool_row = forward_.rows.front().pool_row;
      row.length = forward_.rows.front().length;
      row.committed = forward_.rows.front().committed;
      break;
    case Odd::row_zero: row.pool_row = 0; break;
    case Odd::outside_pool: row.pool_row = config_.request_rows(); break;
    case Odd::before_pool: row.pool_row = -1; break;
    case Odd::negative_length: row.length = -3; break;
    case Odd::zero_length: row.length = 0; break;
    case Odd::huge_length:
      row.length = config_.layout.length_type == IntType::int64 ? beyond_32_bits : INT32_MAX;
      break;
    case Odd::negative_slot:
    case Odd::none: break;
  }
}

// Whether padded rows can take what a captured ragged verify leaves over: request row 0 has that many columns.
bool World::covers(std::int64_t bucket) const {
  return bucket > forward_.real_rows && captured_fill + ragged_share(bucket - 1, bucket) <= config_.columns();
}

bool World::idle(const Step& step) {
  const std::int64_t rows = std::min(step.amount, Inputs::row_capacity(config_));
  forward_.mode = Mode::idle;
  forward_.cascade = forward_.tree = false;
  forward_.branches = 0;
  forward_.draft_step = 0;
  forward_.tokens_per_row = 1;
  forward_.has_cached_prefix = true;
  forward_.real_rows = 0;
  forward_.rows.clear();
  pad(rows);
  make_odd(step);
  return true;
}

}  // namespace pagestorm::sim
