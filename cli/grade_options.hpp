#pragma once
// How a grading is typed.

#include <string>
#include <vector>

#include "grade_result.hpp"

namespace CLI {
class App;
}

namespace pagestorm::cli {

/// Typed values, before they are understood.
struct GradeText {
  std::vector<std::string> faults, laws;
  std::string builder = "host";
  std::string generator = "boundaries";
  std::string duration;
  std::int64_t cases = 0;  ///< 0 = not typed
  Grading grading;         ///< what needs no understanding
};

/// Adds the options of `grade` to a subcommand.
void add_grade_options(CLI::App& command, GradeText& text);

/// Understands what was typed. Throws UsageError that names the option and what it takes.
Grading understand(const GradeText& text);

}  // namespace pagestorm::cli
