#include "candidates.hpp"

#include <fmt/format.h>

#include <utility>

#include "clock.hpp"
#include "stand.hpp"

namespace pagestorm::cli {

Candidates::Candidates(std::string law, const Replay& replay)
    : law_(std::move(law)), replay_(replay), patience_(law_, nanoseconds_now) {}

bool Candidates::fails(const sim::Scenario& scenario) {
  if (patience_.is_over()) return false;
  const auto met = replay_(scenario);
  patience_.note(met);
  const sim::Violation* own = of_law(met, law_);
  if (own != nullptr && sim::costs_a_process(law_)) last_ = *own;
  return own != nullptr;
}

bool Candidates::comes_back(const sim::Scenario& scenario, int times) {
  for (int i = 0; i < times && (i == 0 || !patience_.is_over()); ++i)
    if (!fails(scenario)) return false;
  return true;
}

sim::Violation Candidates::violation_of(const sim::Scenario& smallest, const sim::Violation& before) const {
  if (sim::costs_a_process(law_)) return last_.value_or(before);
  const sim::Violation* again = of_law(replay_(smallest), law_);
  return again == nullptr ? before : *again;
}

std::string Candidates::cut_short() const {
  const std::string why = patience_.why_over();
  return why.empty() ? "" : fmt::format("  smaller   there may be one: shrinking ended after {}\n", why);
}

}  // namespace pagestorm::cli
