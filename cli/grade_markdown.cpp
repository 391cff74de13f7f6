// The report of a grading as a document. It says nothing that differs between machines.

#include <fmt/format.h>

#include "grade_print.hpp"
#include "pagestorm/fault_facts.hpp"
#include "sim/report.hpp"

namespace pagestorm::cli {
namespace {

using sim::grouped;

std::string in_code(std::string_view name) { return fmt::format("`{}`", name); }

std::string in_code(const std::vector<std::string>& names, std::string_view between) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}{}", text.empty() ? "" : between, in_code(name));
  return text;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// "sglang-jax-994" as "sglang-jax 994", with the scenario that re-creates it behind.
std::string bugs(std::string_view re_creates) {
  std::string text;
  for (const std::string& file : words_of(re_creates)) {
    const std::size_t number = file.rfind('-');
    text += fmt::format("{}[{} {}](../tests/corpus/{}.scenario)", text.empty() ? "" : ", ", file.substr(0, number),
                        file.substr(number + 1), file);
  }
  return text;
}

std::string command(const Grading& grading) {
  std::string text = fmt::format("pagestorm grade --seeds {}", grading.seeds);
  if (grading.builder != "host") text += " --builder " + grading.builder;
  if (grading.generator != sim::Generator::boundaries)
    text += fmt::format(" --generator {}", name_of(grading.generator));
  if (grading.cases != Grading{}.cases) text += fmt::format(" --cases {}", grading.cases);
  return text + " --markdown docs/faults.md";
}

std::string head(const Grading& grading, const Graded& graded) {
  const Summary all = summary_of(grading, graded);
  std::string text = fmt::format(
      "# Faults\n\nWritten by `{}`, and to be written again when a fault, a law or the generator changes.\n\n"
      "{} faults, each hunted on seeds 1 to {} of builder `{}` by {} laws, in {} cases at most: {} of {} hunts found "
      "their "
      "fault.\n\n",
      command(grading), grading.faults.size(), grading.seeds, grading.builder, grading.laws.size(),
      grouped(grading.cases), grouped(all.found), grouped(all.hunts));
  if (graded.interrupted || graded.out_of_time) text += "**The run was cut short: figures are incomplete.**\n\n";
  text += "| over all hunts | median | 95 % | most |\n| --- | --- | --- | --- |\n";
  for (const auto& [what, spread] :
       {std::pair("cases until found", all.cases), {"steps of the shrunk scenario", all.steps}})
    text += fmt::format("| {} | {} | {} | {} |\n", what, grouped(spread.median), grouped(spread.high),
                        grouped(spread.most));
  if (all.found == 0) return text;
  return text + fmt::format(
                    "\nOf a fault's seeds, {} % end in the scenario that is most frequent for it; {} of {} faults have "
                    "80 % or "
                    "more.\n",
                    all.alike * 100 / all.found, all.alike_faults, all.faults);
}

std::string not_found(const Grading& grading, const Graded& graded) {
  std::string text;
  for (const bool by_nobody : {true, false})
    for (std::size_t f = 0; f < grading.faults.size(); ++f) {
      const Hunted& hunted = graded.faults[f];
      const std::int64_t found = found_on(hunted);
      if (found == grading.seeds || (found == 0) != by_nobody) continue;
      text += fmt::format("- {}: {} on {} of {} seeds\n", in_code(fault_name(grading.faults[f])),
                          name_of(fate_of(hunted, grading.seeds)), grading.seeds - found, grading.seeds);
    }
  return "\n## Not found\n\n" + (text.empty() ? "Nothing: every fault was found on every seed.\n" : text);
}

std::string row_of(const Grading& grading, Fault fault, const Hunted& hunted) {
  const FaultFacts facts = fault_facts(fault);
  std::string text =
      fmt::format("| {} | {} | {} |", in_code(fault_name(fault)), name_of(facts.kind), bugs(facts.re_creates));
  if (found_on(hunted) == 0) return text + fmt::format(" {} | | | | |\n", name_of(fate_of(hunted, grading.seeds)));
  std::vector<std::int64_t> steps;
  for (const Hunt& hunt : hunted.hunts)
    if (hunt.found) steps.push_back(hunt.steps);
  const Spread cases = spread_of(cases_of(hunted));
  const Spread size = spread_of(steps);
  return text + fmt::format(" {} | {} | {} | {} | {} of {} |\n", grouped(cases.median), grouped(cases.high),
                            in_code(seen_by(hunted), ", "),
                            size.median == size.most ? fmt::format("{}", size.most)
                                                     : fmt::format("{}, at most {}", size.median, size.most),
                            alike(hunted), found_on(hunted));
}

std::string fault_table(const Grading& grading, const Graded& graded) {
  std::string text =
      "\n## Faults\n\nCases are scenarios played until a law is broken. *Seen by* are the laws that were first to be "
      "broken, the most frequent first.\nSteps are those of the shrunk scenario. *Alike* are the seeds that shrink to "
      "the same "
      "one.\n\n"
      "| fault | class | public bug | cases, median | 95 % | seen by | steps | alike |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (std::size_t f = 0; f < grading.faults.size(); ++f) text += row_of(grading, grading.faults[f], graded.faults[f]);
  return text;
}

std::string laws(const Grading& grading, const Graded& graded) {
  const bool alone = !graded.matrix.empty();
  std::string text = "\n## Laws\n\nFaults that a law is the first to see on some seed";
  if (alone)
    text += fmt::format(", and those that it sees when it judges alone, in {} cases of seed 1", grouped(matrix_cases));
  text += alone ? ".\n\n| | law | first | alone |\n| --- | --- | --- | --- |\n"
                : ".\n\n| | law | first |\n| --- | --- | --- |\n";
  for (std::size_t l = 0; l < grading.laws.size(); ++l)
    text += fmt::format("| {} | {} | {} |{}\n", l + 1, in_code(grading.laws[l]), seen_first(graded, grading.laws[l]),
                        alone ? fmt::format(" {} |", kills(graded, l)) : "");
  if (!alone) return text;
  const std::string idle = in_code(idle_laws(grading, graded), ", ");
  return text + fmt::format("\nLaws that see nothing alone: {}.\n", idle.empty() ? "none" : idle);
}

std::string matrix(const Grading& grading, const Graded& graded) {
  if (graded.matrix.empty()) return "";
  std::string text =
      "\n## Each law alone\n\nCases until the law of that number sees the fault. An empty cell: not seen. !: the "
      "engine stopped at an assertion of its own before the law saw anything.\n\n| fault |";
  std::string line = "| --- |";
  for (std::size_t l = 0; l < grading.laws.size(); ++l) {
    text += fmt::format(" {} |", l + 1);
    line += " --- |";
  }
  text += "\n" + line + "\n";
  std::string single;
  for (std::size_t f = 0; f < grading.faults.size(); ++f) {
    text += fmt::format("| {} |", in_code(fault_name(grading.faults[f])));
    for (const Hunted& cell : graded.matrix[f])
      text += is_tried(cell) && found_on(cell) == 0 ? " |" : fmt::format(" {} |", show_cell(cell));
    text += "\n";
    if (const auto only = only_killer(graded, f))
      single += fmt::format("| {} | {} |\n", in_code(fault_name(grading.faults[f])), in_code(grading.laws[*only]));
  }
  if (single.empty()) return text + "\nNo fault is seen by one law alone.\n";
  return text + "\nFaults that one law alone sees:\n\n| fault | law |\n| --- | --- |\n" + single;
}

std::string generators(const Grading& grading, const Graded& graded) {
  if (graded.generators.empty()) return "";
  std::string text = fmt::format(
      "\n## Generators\n\nThe same hunts in {} cases at most, on {} seeds. *Uniform* draws every kind of step as often "
      "as the next, and sizes "
      "evenly from their range. *Swarm* switches kinds of steps off for a whole scenario, weighs the others unequally, "
      "and "
      "plays in some scenarios steps that belong together. *Boundaries* is swarm with sizes that sit where formulas "
      "change: the "
      "default.\n\n| generator | hunts that found their fault | cases, median | 95 % | faults never found |\n| --- | "
      "--- | --- | --- | --- |\n",
      grouped(compared_cases), graded.generators.front().seeds);
  for (const Compared& one : graded.generators) {
    std::vector<std::string> never;
    for (std::size_t f = 0; f < one.faults.size(); ++f)
      if (found_on(one.faults[f]) == 0) never.emplace_back(fault_name(grading.faults[f]));
    const auto [found, hunts] = found_of(one);
    const Spread cases = spread_of(one);
    text += fmt::format("| {} | {} of {} | {} | {} | {} |\n", name_of(one.generator), grouped(found), grouped(hunts),
                        show_compared(cases.median), show_compared(cases.high),
                        never.empty() ? "none" : in_code(never, ", "));
  }
  return text;
}

std::string meanings(const Grading& grading) {
  std::string text =
      "\n## What goes wrong, and where it does not\n\nWhere the last column holds, a builder or an engine with the "
      "fault is as "
      "good as one without.\n\n| fault | what is wrong | no fault if |\n| --- | --- | --- |\n";
  for (const FaultEntry& entry : fault_catalogue()) {
    if (std::find(grading.faults.begin(), grading.faults.end(), entry.fault) == grading.faults.end()) continue;
    text += fmt::format("| {} | {} | {} |\n", in_code(entry.name), entry.what, fault_facts(entry.fault).no_fault_if);
  }
  return text;
}

}  // namespace

std::string print_grade_markdown(const Grading& grading, const Graded& graded) {
  return head(grading, graded) + not_found(grading, graded) + fault_table(grading, graded) + laws(grading, graded) +
         matrix(grading, graded) + generators(grading, graded) + meanings(grading);
}

}  // namespace pagestorm::cli
