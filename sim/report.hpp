#pragma once
// Scenarios and violations in the words of people who serve models.

#include <string>
#include <vector>

#include "law.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// "page size 64 · context 2,048 · table width 32 · request rows 2 · no SWA", and what is unusual about the layout.
std::string describe(const Config& config);

/// One line for each step, with requests by letter; plays the world alone.
std::vector<std::string> describe_steps(const Scenario& scenario);

/// Two rows of cells around a wrong one, marked below, with the end of the table drawn; no line end after the last line.
std::string draw_map(const Violation& violation);

/// Configuration, steps up to the failing one, the place, what was expected and got, the map, and why.
std::string explain(const Scenario& scenario, const Violation& violation);

/// 1234567 as "1,234,567".
std::string grouped(std::int64_t number);

}  // namespace pagestorm::sim
