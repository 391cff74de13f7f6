#pragma once
// What grading says: to people while it runs and at its end, to machines, and as a document.

#include <cstdint>
#include <string>
#include <vector>

#include "grade_result.hpp"

namespace pagestorm::cli {

/// What is going to be graded, and the heads of the columns.
std::string print_grade_header(const Grading& grading);

/// One fault, as soon as its hunts have ended.
std::string print_fault_line(const Grading& grading, Fault fault, const Hunted& hunted);

/// What nobody found first, then the figures over all faults, laws and generators.
std::string print_grade(const Grading& grading, const Graded& graded);

/// Every figure.
std::string print_grade_json(const Grading& grading, const Graded& graded, int exit_code);

/// The same as a document, without times: for the same seeds it is the same text, whatever the machine.
std::string print_grade_markdown(const Grading& grading, const Graded& graded);

/// Names by comma; "none" when there are none.
std::string listed(const std::vector<std::string>& names);

/// A cell of the matrix: cases until the fault was seen, or why there are none.
std::string show_cell(const Hunted& cell);

/// Cases where generators are compared: "> 2,000" where not all were found in so many.
std::string show_compared(std::int64_t cases);

}  // namespace pagestorm::cli
