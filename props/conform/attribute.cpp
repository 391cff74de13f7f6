#include "attribute.hpp"

#include "sim/text.hpp"

namespace pagestorm::props {
namespace {

using sim::Part;

std::string_view of_stray(const Symptom& s) {
  if (s.part == Part::swa_out_cache_loc) return s.writes_clamped ? "C9.4" : "C9.3";
  if (s.part != Part::page_table && s.part != Part::swa_page_table) return "C3.2";
  if (s.width_zero) return "C12.3";
  if (s.beyond_width) return s.clamped ? "C5.2" : "C3.2";
  if (s.negative_length) return "C4.2";
  return s.one_too_many ? "C5.1" : "C5.3";
}

std::string_view of_length(const Symptom& s) {
  if (s.wrong == Wrong::missing) return s.padded ? "C10.2" : "C4.1";
  if (s.negative_length) return "C4.2";
  if (s.negative_extend) return "C4.4";
  if (s.saturated) return "C4.3";
  if (s.padded) return "C10.2";
  return s.mode_adds ? "C1.1" : "C4.1";
}

std::string_view of_sum(const Symptom& s) {
  if (s.element_zero) return "C8.1";
  if (s.wrong == Wrong::missing) return s.padded ? "C10.2" : "C8.2";
  if (s.saturated) return "C8.3";
  if (s.padded) return "C10.2";
  if (!s.keys_right || s.part == Part::cu_seqlens_k) return "C8.2";
  if (s.negative_extend) return "C4.4";
  return !s.looks_at_extends && s.is_hostile ? "C1.4" : "C1.1";
}

std::string_view of_cell(const Symptom& s) {
  if (s.padded) return "C10.2";
  if (s.wrong == Wrong::missing) return s.clamped ? "C5.2" : "C5.1";
  if (s.outside_pool) return "C7.2";
  if (s.outside_row) return "C7.3";
  if (s.slot_absent) return "C7.1";
  if (s.part == Part::swa_page_table) {
    if (s.outside_map) return "C6.5";
    return s.tombstone ? "C6.4" : "C6.3";
  }
  if (s.ill_divided) return "C6.2";
  return s.twin_differs ? "C6.6" : "C6.1";
}

std::string_view of_write_slot(const Symptom& s) {
  if (s.tail) return "C9.3";
  if (s.slot_absent || s.outside_map) return "C9.2";
  if (s.padded) return "C10.3";
  return s.writes_clamped ? "C9.4" : "C9.1";
}

}  // namespace

std::string_view clause_of(const Symptom& s) {
  if (s.wrong == Wrong::stray) return of_stray(s);
  if (s.wrong == Wrong::old_contents) return "C3.3";
  if (s.no_rows) return "C12.1";
  switch (s.part) {
    case Part::status: return "C11.2";
    case Part::cache_seqlens: return of_length(s);
    case Part::cu_seqlens_q:
    case Part::cu_seqlens_k: return of_sum(s);
    case Part::swa_out_cache_loc: return of_write_slot(s);
    default: return of_cell(s);
  }
}

std::string_view clause_of_law(std::string_view law) {
  if (law == "reads_only_live_cells") return "C13.4";
  if (law == "lane_order_is_irrelevant") return "C13.7";
  if (law == "replay_equals_fresh") return "C13.5";
  if (law == "padding_is_inert") return "C10.4";
  if (law == "paths_agree") return "C3.4";
  if (law == "metadata_needs_no_host_sync") return "C13.1";
  if (law == "status_is_ored_in") return "C11.1";
  if (law == "writes_only_live_cells") return "C13.6";
  if (law == "swa_slots_are_valid") return "C6.3";
  if (law == "attention_reads_what_was_written") return "C6.1";
  return "C2.7";
}

std::string_view refined(std::string_view clause, const sim::Scenario& smallest, const sim::StillFails& still_fails) {
  const bool of_words = clause == "C3.2" || clause == "C3.4" || clause.starts_with("C5.") ||
                        clause.starts_with("C6.") || clause == "C10.2" || clause == "C10.4" || clause == "C13.4";
  if (!of_words) return clause;
  const sim::Config& config = smallest.config;
  const sim::Layout& layout = config.layout;
  if (layout.far != sim::Far::none || layout.input_stride > 1 || layout.output_stride > 1 || layout.slots_stride > 1 ||
      layout.table_stride > 1 || layout.swa_table_stride > 1 || layout.slots_padding > 0 || layout.table_padding > 0 ||
      layout.swa_table_padding > 0)
    return "C2.4";
  const sim::Layout plain;
  if (layout.index_type != plain.index_type || layout.length_type != plain.length_type ||
      layout.location_type != plain.location_type || layout.map_type != plain.map_type)
    return "C2.3";
  // What is read between pages can only be read where pages have more than one slot.
  if (clause == "C13.4" || (config.page_size & (config.page_size - 1)) == 0) return clause;
  sim::Scenario other = smallest;
  for (const std::int64_t size : {1, 2, 4, 8, 16, 32, 64}) {
    other.config.page_size = size;
    if (sim::complaint(other.config).empty() && still_fails(other)) return clause;
  }
  return "C2.1";
}

}  // namespace pagestorm::props
