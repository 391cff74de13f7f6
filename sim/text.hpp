#pragma once
// The text form of scenarios: what is saved, read by people, and replayed anywhere.

#include <stdexcept>
#include <string>
#include <string_view>

#include "scenario.hpp"

namespace pagestorm::sim {

/// A malformed scenario. what() reads "file:line: field: problem; remedy".
class TextError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The text of a finding; parse() of it gives the finding back. Fields that hold their default are left out.
std::string print(const Finding& finding);

/// One step as it stands in a scenario file, without line end.
std::string print(const Step& step);

/// Reads a scenario file of schema 1 (docs/replay.md). `file` is only used in messages. Every value is checked against
/// the ranges in scenario.hpp. Throws TextError.
Finding parse(std::string_view text, std::string_view file);

/// The first range of scenario.hpp that a configuration breaks, as "field: problem; remedy"; empty when there is none.
std::string complaint(const Config& config);

}  // namespace pagestorm::sim
