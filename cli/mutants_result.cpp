#include "mutants_result.hpp"

namespace pagestorm::cli {

std::string killer_of(const Hunted& hunted) {
  if (!hunted.lost.empty()) return hunted.lost.starts_with("got nowhere") ? "ends_in_time" : "does_not_crash";
  return hunted.hunts.empty() ? "" : hunted.hunts.front().law;
}

MutantFate fate_of(const MutantsGraded& graded, std::size_t number) {
  const Hunted& hunted = graded.hunted[number - 1];
  const bool argued = !mutants()[number - 1].argument.empty();
  if (!killer_of(hunted).empty()) return argued ? MutantFate::refuted : MutantFate::killed;
  if (hunted.hunts.empty() || hunted.hunts.front().cut) return MutantFate::not_reached;
  return argued ? MutantFate::equivalent : MutantFate::survived;
}

std::vector<std::size_t> with_fate(const MutantsGraded& graded, MutantFate fate) {
  std::vector<std::size_t> numbers;
  for (std::size_t number = 1; number <= graded.hunted.size(); ++number)
    if (fate_of(graded, number) == fate) numbers.push_back(number);
  return numbers;
}

std::map<std::string, std::int64_t> kills_by(const MutantsGraded& graded) {
  std::map<std::string, std::int64_t> kills;
  for (const Hunted& hunted : graded.hunted)
    if (const std::string killer = killer_of(hunted); !killer.empty()) ++kills[killer];
  return kills;
}

double kill_rate(const MutantsGraded& graded) {
  const auto count = [&](MutantFate fate) { return static_cast<double>(with_fate(graded, fate).size()); };
  const double killed = count(MutantFate::killed) + count(MutantFate::refuted);
  const double judged = killed + count(MutantFate::survived);
  return judged == 0 ? 0 : 100 * killed / judged;
}

int exit_code_of(const MutantsGraded& graded) {
  const bool wrong = !with_fate(graded, MutantFate::survived).empty() ||
                     !with_fate(graded, MutantFate::refuted).empty() || !stray_arguments().empty();
  if (wrong) return 1;
  return with_fate(graded, MutantFate::not_reached).empty() ? 0 : 4;
}

}  // namespace pagestorm::cli
