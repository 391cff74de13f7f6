#include "cell_facts.hpp"

#include <algorithm>
#include <limits>

#include "sim/element.hpp"

namespace pagestorm::props {

Symptom CellFacts::of_pass() const {
  Symptom symptom;
  const Mode mode = batch_.mode;
  symptom.no_rows = batch_.rows == 0;
  symptom.mode_adds = mode == Mode::draft_decode || mode == Mode::target_verify || mode == Mode::ragged_verify;
  symptom.looks_at_extends = mode == Mode::ragged_verify || (mode == Mode::extend && batch_.has_cached_prefix);
  symptom.width_zero = expected_.width() == 0;
  symptom.writes_clamped = batch_.out_cache_loc.size > moment_.extent().write_slots;
  return symptom;
}

Symptom CellFacts::of_row(sim::Part part, std::int64_t row, bool real_wrong) const {
  Symptom symptom = of_pass();
  symptom.part = part;
  symptom.padded = is_padded(row) && moment_.forward().real_rows > 0 && !real_wrong;
  symptom.negative_length = sim::element(batch_.seq_lens, row) < 0;
  symptom.negative_extend = symptom.looks_at_extends && sim::element(batch_.extend_seq_lens, row) < 0;
  symptom.saturated = expected_.keys(row) == std::numeric_limits<std::int32_t>::max();
  symptom.clamped = needed(row) > expected_.width();
  return symptom;
}

void CellFacts::add_cell(Symptom& symptom, std::int64_t row, std::int64_t column, std::int32_t got) const {
  const Matrix<const std::int32_t>& slots = batch_.req_to_token;
  const std::int64_t owner = sim::element(batch_.req_pool_indices, row);
  const std::int64_t position = column * batch_.page_size;
  symptom.outside_pool = owner < 0 || owner >= slots.rows;
  symptom.outside_row = !symptom.outside_pool && position >= slots.cols;
  if (symptom.outside_pool || symptom.outside_row) return;
  const std::int64_t slot = slots.data[owner * slots.row_stride + position * slots.col_stride];
  symptom.slot_absent = slot < 0;
  symptom.ill_divided = is_ill_divided(got, slot);
  symptom.twin_differs = twin_differs(symptom.part, row, column, got);
  if (!expected_.swa() || slot < 0) return;
  // What is mapped below 0 is no tombstone, and no slot: it is what lies beyond the map, in the map.
  symptom.outside_map = slot >= batch_.full_to_swa.size || sim::element(batch_.full_to_swa, slot) < 0;
  symptom.tombstone = !symptom.outside_map && slot != sink && sim::element(batch_.full_to_swa, slot) == 0;
}

bool CellFacts::is_padded(std::int64_t row) const {
  return row >= moment_.forward().real_rows &&
         moment_.forward().rows[static_cast<std::size_t>(row)].odd == sim::Odd::none;
}

std::int64_t CellFacts::needed(std::int64_t row) const {
  return (std::int64_t{expected_.keys(row)} + batch_.page_size - 1) / batch_.page_size;
}

bool CellFacts::is_spilled(sim::Part part, std::int64_t row, std::int64_t column,
                           std::optional<std::int32_t> got) const {
  const sim::Section& table = moment_.layout().section(part);
  for (std::int64_t r = std::min(row, batch_.rows) - 1; r >= 0; --r) {
    const std::int64_t words = (row - r) * table.row_stride + column * table.col_stride;
    const std::int64_t reached = words / table.col_stride;
    const bool reaches = needed(r) > table.cols && words % table.col_stride == 0 && reached < needed(r);
    if (reaches && (!got || *got == page_of(part, r, reached))) return true;
  }
  return false;
}

// What a column of a row would hold in a table without end.
std::int32_t CellFacts::page_of(sim::Part part, std::int64_t row, std::int64_t column) const {
  const Matrix<const std::int32_t>& slots = batch_.req_to_token;
  const std::int64_t owner = sim::element(batch_.req_pool_indices, row);
  const std::int64_t position = column * batch_.page_size;
  if (owner < 0 || owner >= slots.rows || position >= slots.cols) return absent_page;
  std::int64_t slot = slots.data[owner * slots.row_stride + position * slots.col_stride];
  if (part == sim::Part::swa_page_table && slot >= 0)
    slot = slot < batch_.full_to_swa.size ? sim::element(batch_.full_to_swa, slot) : absent_slot;
  return slot < 0 ? absent_page : static_cast<std::int32_t>(slot / batch_.page_size);
}

bool CellFacts::is_ill_divided(std::int32_t got, std::int64_t slot) const {
  const std::int64_t size = batch_.page_size;
  return size > 1 &&
         (got == slot || got == slot / size / size || got == slot / (2 * size) || got == (slot + size - 1) / size);
}

// A row before names the same request row and has something else there.
bool CellFacts::twin_differs(sim::Part part, std::int64_t row, std::int64_t column, std::int32_t got) const {
  const sim::Section& table = moment_.layout().section(part);
  const std::int64_t owner = sim::element(batch_.req_pool_indices, row);
  for (std::int64_t r = 0; r < row; ++r)
    if (sim::element(batch_.req_pool_indices, r) == owner && column < expected_.live(r) &&
        moment_.first().words()[table.at(r, column)] != got)
      return true;
  return false;
}

}  // namespace pagestorm::props
