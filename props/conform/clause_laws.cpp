// What other laws say of a pass, clause by clause.

#include <algorithm>

#include "attribute.hpp"
#include "clause_judge.hpp"

namespace pagestorm::props {
namespace {

using sim::Moment;
using sim::Part;

bool is_table(Part part) { return part == Part::page_table || part == Part::swa_page_table; }

// Outputs in which one wrong word brings others with it: a K decides cells, and what is around tables is written by them.
enum class Kin { cells, sums, write_slots };

Kin kin_of(Part part) {
  if (part == Part::cu_seqlens_q || part == Part::cu_seqlens_k) return Kin::sums;
  return part == Part::swa_out_cache_loc ? Kin::write_slots : Kin::cells;
}

}  // namespace

std::string_view clause_of(const Moment& moment, const sim::Violation& violation, const std::vector<Breach>& known) {
  const std::string_view law = violation.law;
  if (law == "agrees_with_reference") return "";
  if (law == "writes_only_live_cells") return violation.expected == "no access" ? "C13.6" : "";
  const Part part = violation.place.part;
  const bool follows = std::ranges::any_of(known, [&](const Breach& breach) {
    return part == Part::status || kin_of(part) == kin_of(breach.violation.place.part);
  });
  if (follows) return "";
  if (law == "paths_agree") {
    if (!violation.why.starts_with("build")) return "";
    return moment.batch().rows == 0 ? "C12.2" : "C3.4";
  }
  const bool padded_cell = is_table(violation.place.part) && violation.place.row >= moment.forward().real_rows;
  if (law == "padding_is_inert" && padded_cell) return "C10.2";
  return clause_of_law(law);
}

}  // namespace pagestorm::props
