#pragma once
// Which clause of the contract a wrong word breaks.

#include <cstdint>
#include <string_view>

#include "sim/image.hpp"
#include "sim/scenario.hpp"
#include "sim/shrink.hpp"

namespace pagestorm::props {

/// What is wrong about a word.
enum class Wrong : std::uint8_t {
  value,         ///< it holds something else than the contract says
  missing,       ///< it was not written
  old_contents,  ///< what it holds depends on what it held before
  stray,         ///< it was written and must not be
};

/// A wrong word, and all that decides which clause it breaks.
struct Symptom {
  Wrong wrong = Wrong::value;
  sim::Part part = sim::Part::fence;  ///< for a stray word in or near a row of a table: the table

  // of the pass
  bool no_rows = false;
  bool mode_adds = false;         ///< the mode adds something to L
  bool looks_at_extends = false;  ///< the mode looks at extend_seq_lens
  bool width_zero = false;
  bool writes_clamped = false;

  // of the row, or of the row that an element of a vector is of
  bool clamped = false;
  bool negative_length = false;
  bool negative_extend = false;
  bool saturated = false;     ///< the K of a length, or the sum of an element
  bool padded = false;        ///< and the real rows are right in this part
  bool twin_differs = false;  ///< another row names the same request row, and is right here

  // of the element or cell
  bool element_zero = false;
  bool keys_right = false;    ///< of a sum of queries: all sums of K are right
  bool is_hostile = false;    ///< of a sum of queries: what was added is what no one may look at
  bool beyond_width = false;  ///< of a stray word
  bool one_too_many = false;  ///< of a stray word: the column after the live prefix, and no further one
  bool slot_absent = false;   ///< the slot of the cell, or the write slot, is negative
  bool outside_pool = false;  ///< the request row is
  bool outside_row = false;   ///< the position is
  bool outside_map = false;   ///< the slot is
  bool tombstone = false;     ///< its slot is mapped to 0
  bool ill_divided = false;   ///< what it holds is the right slot, divided otherwise
  bool tail = false;          ///< after the last write slot
};

/// The clause that a word breaks.
std::string_view clause_of(const Symptom& symptom);

/// The clause that a law's violation breaks where no word says more.
std::string_view clause_of_law(std::string_view law);

/// The clause behind `clause`, from the smallest scenario that breaks it: what is still unusual about page size, integer
/// types and strides could not be taken away, and no page size that is a power of two fails in its place.
std::string_view refined(std::string_view clause, const sim::Scenario& smallest, const sim::StillFails& still_fails);

}  // namespace pagestorm::props
