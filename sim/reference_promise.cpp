// What cells hold by a builder that promised something else of absent slots and tombstones. A pass of its own over the
// row, so that the contract's own cells cost nothing more.

#include <algorithm>

#include "element.hpp"
#include "reference.hpp"

namespace pagestorm::sim {
namespace {

std::int32_t value(Becomes becomes, std::int32_t by_contract) {
  if (becomes == Becomes::zero) return sink;
  return becomes == Becomes::minus_one ? absent_page : by_contract;
}

}  // namespace

void Reference::keep_promise(std::int64_t row) {
  const Matrix<const std::int32_t>& slots = batch_.req_to_token;
  const std::int64_t owner = element(batch_.req_pool_indices, row);
  const bool inside = owner >= 0 && owner < slots.rows;
  open_full_.assign(full_.size(), false);
  open_swa_.assign(full_.size(), false);
  for (std::size_t c = 0; c < full_.size(); ++c) {
    const std::int64_t position = static_cast<std::int64_t>(c) * batch_.page_size;
    // Only a slot that is there can be negative: what lies outside has a clause of its own.
    if (!inside || position >= slots.cols) continue;
    const std::int64_t slot = slots.data[owner * slots.row_stride + position * slots.col_stride];
    if (slot < 0) {
      absent_cells_ = true;
      full_[c] = value(promise_.absent, absent_page);
      if (swa()) swa_[c] = full_[c];
      open_full_[c] = open_swa_[c] = promise_.absent == Becomes::anything;
    } else if (swa() && slot < batch_.full_to_swa.size && element(batch_.full_to_swa, slot) == 0) {
      zero_mappings_ = true;
      tombstones_ = tombstones_ || slot != sink;
      swa_[c] = value(promise_.tombstone, sink);
      open_swa_[c] = promise_.tombstone == Becomes::anything;
    }
  }
}

bool Reference::is_open(std::int64_t row, std::int64_t column, bool in_swa_table) {
  if (!any_open()) return false;
  open(row);
  return (in_swa_table ? open_swa_ : open_full_)[static_cast<std::size_t>(column)];
}

void Reference::complete() {
  for (std::int64_t row = 0; row < rows(); ++row) open(row);
  if (!sums() || !swa()) return;
  for (std::int64_t i = 0; i < std::min(batch_.out_cache_loc.size, write_room_); ++i) write_slot(i);
}

}  // namespace pagestorm::sim
