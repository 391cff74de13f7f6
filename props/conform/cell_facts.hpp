#pragma once
// What is true of the rows and cells of a pass, whatever a builder made of them.

#include <optional>

#include "attribute.hpp"
#include "sim/law.hpp"

namespace pagestorm::props {

class CellFacts {
 public:
  explicit CellFacts(sim::Moment& moment) : moment_(moment), batch_(moment.batch()), expected_(moment.expected()) {}

  /// What a symptom says of the pass, before a word is looked at.
  Symptom of_pass() const;

  /// And of a row. `real_wrong`: a row that is no padding is wrong in this part, too.
  Symptom of_row(sim::Part part, std::int64_t row, bool real_wrong) const;

  /// And of a live cell in which `got` was found.
  void add_cell(Symptom& symptom, std::int64_t row, std::int64_t column, std::int32_t got) const;

  /// A row that only fills up the batch, as the engine means it.
  bool is_padded(std::int64_t row) const;

  /// Columns that a row would have in a table without end.
  std::int64_t needed(std::int64_t row) const;

  /// Whether a row before this one, which is cut, reaches the word if it is not, and would leave `got` there. `got` is
  /// absent for a word that is nobody's: whatever is there was spilled.
  bool is_spilled(sim::Part part, std::int64_t row, std::int64_t column, std::optional<std::int32_t> got) const;

 private:
  std::int32_t page_of(sim::Part part, std::int64_t row, std::int64_t column) const;
  bool is_ill_divided(std::int32_t got, std::int64_t slot) const;
  bool twin_differs(sim::Part part, std::int64_t row, std::int64_t column, std::int32_t got) const;

  sim::Moment& moment_;
  const Batch& batch_;
  sim::Reference& expected_;
};

}  // namespace pagestorm::props
