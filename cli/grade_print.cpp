#include "grade_print.hpp"

#include <fmt/format.h>

#include "options.hpp"
#include "sim/report.hpp"

namespace pagestorm::cli {
namespace {

using sim::grouped;

std::int64_t slowest_shrink_ms(const Hunted& hunted) {
  std::vector<std::int64_t> all;
  for (const Hunt& hunt : hunted.hunts)
    if (hunt.found) all.push_back(static_cast<std::int64_t>(hunt.shrink_s * 1000));
  return spread_of(std::move(all)).most;
}

std::int64_t median_steps(const Hunted& hunted) {
  std::vector<std::int64_t> all;
  for (const Hunt& hunt : hunted.hunts)
    if (hunt.found) all.push_back(hunt.steps);
  return spread_of(std::move(all)).median;
}

double seconds_to_find(const Hunted& hunted) {
  double seconds = 0;
  for (const Hunt& hunt : hunted.hunts) seconds += hunt.seconds;
  return seconds;
}

std::string show_spread(const Spread& spread) {
  return fmt::format("median {} · 95th percentile {} · most {}", grouped(spread.median), grouped(spread.high),
                     grouped(spread.most));
}

std::string show_ms(std::int64_t ms) { return show_seconds(static_cast<double>(ms) / 1000); }

// "3 of 5 seeds, in 20,000 cases each": where a fault was looked for in vain, was not looked for, or was lost.
std::string shortfall(const Grading& grading, const Hunted& hunted) {
  const std::string seeds = fmt::format("{} of {} seeds", grading.seeds - found_on(hunted), grading.seeds);
  switch (fate_of(hunted, grading.seeds)) {
    case Fate::found: return "";
    case Fate::missed: return fmt::format("not found on {}, in {} cases each", seeds, grouped(grading.cases));
    case Fate::lost: return fmt::format("lost on {}: its process {}", seeds, hunted.lost);
    case Fate::not_reached: return fmt::format("not reached on {}", seeds);
  }
  return "";
}

std::string print_shortfalls(const Grading& grading, const Graded& graded) {
  std::string text;
  for (const Fate fate : {Fate::missed, Fate::lost, Fate::not_reached})
    for (const bool by_nobody : {true, false})
      for (std::size_t f = 0; f < grading.faults.size(); ++f) {
        const Hunted& hunted = graded.faults[f];
        if (fate_of(hunted, grading.seeds) != fate || (found_on(hunted) == 0) != by_nobody) continue;
        text += fmt::format("{:<36} {}\n", fault_name(grading.faults[f]), shortfall(grading, hunted));
      }
  return text.empty() ? "" : text + "\n";
}

std::string print_summary(const Grading& grading, const Graded& graded) {
  const Summary all = summary_of(grading, graded);
  const char* cut = graded.interrupted ? " (interrupted)" : graded.out_of_time ? " (out of time)" : "";
  std::string text = fmt::format("found     {} of {} pairs of a fault and a seed, {}{}\n", grouped(all.found),
                                 grouped(all.hunts), show_seconds(graded.seconds), cut);
  if (all.found == 0) return text;
  text += fmt::format("cases     {}\nsteps     {}\n", show_spread(all.cases), show_spread(all.steps));
  text += fmt::format("shrinking median {} · 95th percentile {} · most {}\n", show_ms(all.shrink_ms.median),
                      show_ms(all.shrink_ms.high), show_ms(all.shrink_ms.most));
  text += fmt::format("alike     {} % of the seeds end in the scenario that is most frequent for their fault; ",
                      all.alike * 100 / all.found);
  return text + fmt::format("{} of {} faults have 80 % or more\n", all.alike_faults, all.faults);
}

std::string print_laws(const Grading& grading, const Graded& graded) {
  const bool alone = !graded.matrix.empty();
  std::string text =
      fmt::format("\n{:>2} {:<34} {:>12} {:>12}\n", "", "law", "first to see", alone ? "sees alone" : "");
  for (std::size_t l = 0; l < grading.laws.size(); ++l)
    text += fmt::format("{:>2} {:<34} {:>12} {:>12}\n", l + 1, grading.laws[l], seen_first(graded, grading.laws[l]),
                        alone ? std::to_string(kills(graded, l)) : "");
  return text;
}

std::string print_matrix(const Grading& grading, const Graded& graded) {
  if (graded.matrix.empty()) return "";
  std::string text = fmt::format(
      "\ncases until each law alone sees a fault, {} at most (- not seen, ! the process ended, ? not reached)\n{:<36}",
      grouped(matrix_cases), "");
  for (std::size_t l = 0; l < grading.laws.size(); ++l) text += fmt::format(" {:>4}", l + 1);
  text += "\n";
  for (std::size_t f = 0; f < grading.faults.size(); ++f) {
    text += fmt::format("{:<36}", fault_name(grading.faults[f]));
    for (const Hunted& cell : graded.matrix[f]) text += fmt::format(" {:>4}", show_cell(cell));
    text += "\n";
  }
  text += fmt::format("\nlaws that see nothing alone: {}\n", listed(idle_laws(grading, graded)));
  text += "faults that one law alone sees:\n";
  for (std::size_t f = 0; f < grading.faults.size(); ++f)
    if (const auto only = only_killer(graded, f))
      text += fmt::format("  {:<34} {}\n", fault_name(grading.faults[f]), grading.laws[*only]);
  return text;
}

std::string print_generators(const Graded& graded) {
  std::string text;
  for (const Compared& one : graded.generators) {
    if (text.empty())
      text = fmt::format("\n{:<12} {:>14} {:>8} {:>8}   in {} cases on {} seeds\n", "generator", "found", "median",
                         "95 %", grouped(compared_cases), one.seeds);
    const Spread cases = spread_of(one);
    const auto [found, hunts] = found_of(one);
    text += fmt::format("{:<12} {:>14} {:>8} {:>8}\n", name_of(one.generator),
                        fmt::format("{} of {}", grouped(found), grouped(hunts)), show_compared(cases.median),
                        show_compared(cases.high));
  }
  return text;
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string show_cell(const Hunted& cell) {
  if (found_on(cell) > 0) return std::to_string(cell.hunts.front().cases);
  return is_tried(cell) ? "-" : cell.lost.empty() ? "?" : "!";
}

std::string show_compared(std::int64_t cases) {
  return cases > compared_cases ? "> " + grouped(compared_cases) : grouped(cases);
}

std::string print_grade_header(const Grading& grading) {
  return fmt::format(
      "builder {} · {} faults · seeds 1 to {} · generator {} · {} cases at most\n\n{:<36} {:>7} {:>8} {:>9} {:>6} "
      "{:>8} "
      "{:>8}  {}\n",
      grading.builder, grading.faults.size(), grading.seeds, name_of(grading.generator), grouped(grading.cases),
      "fault", "cases", "at most", "time", "steps", "shrunk", "alike", "first seen by");
}

std::string print_fault_line(const Grading& grading, Fault fault, const Hunted& hunted) {
  std::string text = fmt::format("{:<36} ", fault_name(fault));
  const std::int64_t found = found_on(hunted);
  if (found > 0) {
    const Spread cases = spread_of(cases_of(hunted));
    text += fmt::format("{:>7} {:>8} {:>9} {:>6} {:>8} {:>8}  {}", grouped(cases.median), grouped(cases.most),
                        show_seconds(seconds_to_find(hunted)), median_steps(hunted), show_ms(slowest_shrink_ms(hunted)),
                        fmt::format("{} of {}", alike(hunted), found), fmt::join(seen_by(hunted), " "));
  }
  const std::string less = shortfall(grading, hunted);
  if (!less.empty()) text += (found > 0 ? "; " : "") + less;
  return text + "\n";
}

std::string print_grade(const Grading& grading, const Graded& graded) {
  return "\n" + print_shortfalls(grading, graded) + print_summary(grading, graded) + print_laws(grading, graded) +
         print_matrix(grading, graded) + print_generators(graded);
}

}  // namespace pagestorm::cli
