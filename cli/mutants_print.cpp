// The report on generated mutants.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "mutants_result.hpp"
#include "options.hpp"

namespace pagestorm::cli {
namespace {

const Mutant& mutant(std::size_t number) { return mutants()[number - 1]; }

std::string place(const Mutant& m) { return fmt::format("{}:{} {}", m.file, m.line, m.function); }

std::string show(const Mutant& m) { return fmt::format("{}\n  - {}\n  + {}\n", place(m), m.original, m.mutated); }

std::string print_survivors(const MutantsGraded& graded) {
  std::string text;
  for (const std::size_t number : with_fate(graded, MutantFate::survived))
    text += fmt::format("survived {} plays: {}", graded.plays[number - 1], show(mutant(number)));
  for (const std::size_t number : with_fate(graded, MutantFate::refuted))
    text += fmt::format("{}: is argued to be equivalent, but {} found it: {}", mutant(number).file,
                        killer_of(graded.hunted[number - 1]), show(mutant(number)));
  for (const std::string_view stray : stray_arguments())
    text += fmt::format("src/mutant/equivalent.txt: an argument for what is no mutant: {}\n", stray);
  return text.empty() ? "" : text + "\n";
}

std::vector<std::pair<std::string, std::int64_t>> by_kills(const MutantsGraded& graded) {
  const auto kills = kills_by(graded);
  std::vector<std::pair<std::string, std::int64_t>> sorted(kills.begin(), kills.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

Spread cases_of(const MutantsGraded& graded) {
  std::vector<std::int64_t> cases;
  for (const Hunted& hunted : graded.hunted)
    if (hunted.lost.empty() && !killer_of(hunted).empty()) cases.push_back(hunted.hunts.front().cases);
  return spread_of(std::move(cases));
}

std::string figures(const MutantsGraded& graded) {
  const auto count = [&](MutantFate fate) { return with_fate(graded, fate).size(); };
  std::string text = fmt::format(
      "killed    {} of {} that no argument excuses ({:.1f} %); {} argued to be equivalent; {} mutants in all\n",
      count(MutantFate::killed) + count(MutantFate::refuted),
      count(MutantFate::killed) + count(MutantFate::refuted) + count(MutantFate::survived), kill_rate(graded),
      count(MutantFate::equivalent), mutants().size());
  const Spread cases = cases_of(graded);
  return text +
         fmt::format("plays     median {} · 95th percentile {} · most {}\n", cases.median, cases.high, cases.most);
}

std::string in_table(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

}  // namespace

std::string print_mutants(const MutantsGraded& graded) {
  std::string text = "\n" + print_survivors(graded) + figures(graded);
  text += fmt::format("time      {}{}, {:.0f} mutants a minute\n", show_seconds(graded.seconds),
                      graded.cut ? " (cut short)" : "",
                      60 * static_cast<double>(graded.hunted.size()) / std::max(graded.seconds, 1e-3));
  if (const auto missed = with_fate(graded, MutantFate::not_reached).size(); missed > 0)
    text += fmt::format("not reached: {} mutants\n", missed);
  text += "\nfirst to see\n";
  for (const auto& [killer, kills] : by_kills(graded)) text += fmt::format("  {:<34} {:>6}\n", killer, kills);
  return text;
}

std::string print_mutants_json(const MutantsGraded& graded) {
  nlohmann::json json{{"mutants", mutants().size()},

                      {"kill_rate", kill_rate(graded)},
                      {"killers", kills_by(graded)},
                      {"stray_arguments", std::vector<std::string>(stray_arguments().begin(), stray_arguments().end())},
                      {"seconds", graded.seconds},
                      {"exit_code", exit_code_of(graded)}};
  constexpr const char* fates[] = {"killed", "equivalent", "survived", "refuted", "not reached"};
  for (std::size_t m = 0; m < graded.hunted.size(); ++m) {
    const Mutant& one = mutants()[m];
    const Hunted& hunted = graded.hunted[m];
    json["table"].push_back({{"number", m + 1},
                             {"file", one.file},
                             {"line", one.line},
                             {"function", one.function},
                             {"original", one.original},
                             {"mutated", one.mutated},
                             {"argument", one.argument},
                             {"fate", fates[static_cast<int>(fate_of(graded, m + 1))]},
                             {"killer", killer_of(hunted)},
                             {"surveyed", graded.plays[m]},
                             {"plays", hunted.hunts.empty() ? 0 : hunted.hunts.front().cases}});
  }
  return json.dump(2) + "\n";
}

std::string print_mutants_markdown(const MutantsGraded& graded) {
  std::string text =
      "# Mutants\n\nGenerated changes of single expressions of `src/core`, hunted for as [testing](testing.md#mutants) "
      "says. "
      "Written by\n`pagestorm grade --mutants --markdown docs/mutants.md`.\n\n```\n" +
      figures(graded) + "```\n\n| first to see | mutants |\n| --- | --- |\n";
  for (const auto& [killer, kills] : by_kills(graded)) text += fmt::format("| `{}` | {} |\n", killer, kills);
  text += "\n## Survivors\n\n";
  const auto survivors = with_fate(graded, MutantFate::survived);
  if (survivors.empty()) text += "None that no argument excuses.\n";
  for (const std::size_t number : survivors)
    text += fmt::format("- {}: `{}` as `{}`\n", place(mutant(number)), mutant(number).original, mutant(number).mutated);
  text += "\n## Argued to be equivalent\n\n| where | mutant | why no result can differ |\n| --- | --- | --- |\n";
  for (const std::size_t number : with_fate(graded, MutantFate::equivalent)) {
    const Mutant& m = mutant(number);
    text += fmt::format("| {} `{}` | `{}` | {} |\n", m.file, m.function, in_table(m.mutated), in_table(m.argument));
  }
  return text;
}

}  // namespace pagestorm::cli
