#include "grade_result.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "commands.hpp"

namespace pagestorm::cli {
namespace {

// The smallest value that so many in a hundred are not above.
std::int64_t percentile(const std::vector<std::int64_t>& sorted, std::size_t hundredths) {
  if (sorted.empty()) return 0;
  return sorted[(sorted.size() * hundredths + 99) / 100 - 1];
}

std::int64_t milliseconds(double seconds) { return std::llround(seconds * 1000); }

}  // namespace

Spread spread_of(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  return {percentile(values, 50), percentile(values, 95), values.empty() ? 0 : values.back()};
}

std::int64_t found_on(const Hunted& hunted) {
  return std::count_if(hunted.hunts.begin(), hunted.hunts.end(), [](const Hunt& hunt) { return hunt.found; });
}

Fate fate_of(const Hunted& hunted, std::int64_t seeds) {
  if (found_on(hunted) == seeds) return Fate::found;
  const auto missed = [](const Hunt& hunt) { return !hunt.found && !hunt.cut; };
  if (std::any_of(hunted.hunts.begin(), hunted.hunts.end(), missed)) return Fate::missed;
  return hunted.lost.empty() ? Fate::not_reached : Fate::lost;
}

std::int64_t alike(const Hunted& hunted) {
  std::map<std::string_view, std::int64_t> groups;
  std::int64_t largest = 0;
  for (const Hunt& hunt : hunted.hunts)
    if (hunt.found) largest = std::max(largest, ++groups[hunt.scenario]);
  return largest;
}

std::vector<std::string> seen_by(const Hunted& hunted) {
  std::map<std::string, std::int64_t> counts;
  for (const Hunt& hunt : hunted.hunts)
    if (hunt.found) ++counts[hunt.law];
  std::vector<std::string> laws;
  laws.reserve(counts.size());
  for (const auto& [law, count] : counts) laws.push_back(law);
  std::stable_sort(laws.begin(), laws.end(), [&](const auto& a, const auto& b) { return counts[a] > counts[b]; });
  return laws;
}

std::vector<std::int64_t> cases_of(const Hunted& hunted) {
  std::vector<std::int64_t> cases;
  for (const Hunt& hunt : hunted.hunts)
    if (hunt.found) cases.push_back(hunt.cases);
  return cases;
}

Summary summary_of(const Grading& grading, const Graded& graded) {
  Summary summary{.hunts = static_cast<std::int64_t>(grading.faults.size()) * grading.seeds};
  std::vector<std::int64_t> cases, steps, shrink_ms;
  for (const Hunted& hunted : graded.faults) {
    const std::int64_t same = alike(hunted);
    const std::int64_t found = found_on(hunted);
    summary.found += found;
    summary.alike += same;
    if (found > 0) ++summary.faults;
    if (found > 0 && same * 5 >= found * 4) ++summary.alike_faults;
    for (const Hunt& hunt : hunted.hunts) {
      if (!hunt.found) continue;
      cases.push_back(hunt.cases);
      steps.push_back(hunt.steps);
      shrink_ms.push_back(milliseconds(hunt.shrink_s));
    }
  }
  summary.cases = spread_of(cases);
  summary.steps = spread_of(steps);
  summary.shrink_ms = spread_of(shrink_ms);
  return summary;
}

Spread spread_of(const Compared& compared) {
  std::vector<std::int64_t> cases;
  for (const Hunted& hunted : compared.faults)
    for (const Hunt& hunt : hunted.hunts) cases.push_back(hunt.found ? hunt.cases : compared_cases + 1);
  return spread_of(std::move(cases));
}

std::vector<std::size_t> killers(const Graded& graded, std::size_t f) {
  std::vector<std::size_t> laws;
  for (std::size_t l = 0; l < graded.matrix[f].size(); ++l)
    if (found_on(graded.matrix[f][l]) > 0) laws.push_back(l);
  return laws;
}

bool is_tried(const Hunted& cell) { return !cell.hunts.empty() && !cell.hunts.front().cut; }

std::optional<std::size_t> only_killer(const Graded& graded, std::size_t f) {
  const std::vector<std::size_t> laws = killers(graded, f);
  const bool tried = std::all_of(graded.matrix[f].begin(), graded.matrix[f].end(), is_tried);
  return tried && laws.size() == 1 ? std::optional(laws.front()) : std::nullopt;
}

std::int64_t kills(const Graded& graded, std::size_t l) {
  return std::count_if(graded.matrix.begin(), graded.matrix.end(),
                       [&](const std::vector<Hunted>& row) { return found_on(row[l]) > 0; });
}

std::int64_t seen_first(const Graded& graded, const std::string& law) {
  return std::count_if(graded.faults.begin(), graded.faults.end(), [&](const Hunted& hunted) {
    return std::any_of(hunted.hunts.begin(), hunted.hunts.end(), [&](const Hunt& hunt) { return hunt.law == law; });
  });
}

std::vector<std::string> idle_laws(const Grading& grading, const Graded& graded) {
  std::vector<std::string> laws;
  for (std::size_t l = 0; l < grading.laws.size(); ++l)
    if (std::all_of(graded.matrix.begin(), graded.matrix.end(), [&](const auto& row) {
          return found_on(row[l]) == 0 && (is_tried(row[l]) || !row[l].lost.empty());
        }))
      laws.push_back(grading.laws[l]);
  return laws;
}

std::pair<std::int64_t, std::int64_t> found_of(const Compared& compared) {
  std::int64_t found = 0;
  for (const Hunted& hunted : compared.faults) found += found_on(hunted);
  return {found, compared.seeds * static_cast<std::int64_t>(compared.faults.size())};
}

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::found: return "found";
    case Fate::missed: return "not found";
    case Fate::lost: return "lost";
    case Fate::not_reached: return "not reached";
  }
  return "";
}

std::string_view name_of(sim::Generator generator) {
  switch (generator) {
    case sim::Generator::uniform: return "uniform";
    case sim::Generator::swarm: return "swarm";
    case sim::Generator::boundaries: return "boundaries";
  }
  return "";
}

int exit_code_of(const Grading& grading, const Graded& graded) {
  const auto ended = [](const Hunt& hunt) { return !hunt.cut; };
  const auto judged = [&](const Hunted& hunted) {
    return !hunted.lost.empty() || std::any_of(hunted.hunts.begin(), hunted.hunts.end(), ended);
  };
  const auto found = [&](const Hunted& hunted) { return fate_of(hunted, grading.seeds) == Fate::found; };
  if (std::none_of(graded.faults.begin(), graded.faults.end(), judged)) return undecided;
  return std::all_of(graded.faults.begin(), graded.faults.end(), found) ? held : violated;
}

}  // namespace pagestorm::cli
