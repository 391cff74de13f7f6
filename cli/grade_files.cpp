// The report of a grading for machines.

#include <nlohmann/json.hpp>

#include "grade_print.hpp"
#include "pagestorm/fault_facts.hpp"

namespace pagestorm::cli {
namespace {

nlohmann::json json_of(const Spread& spread) {
  return {{"median", spread.median}, {"percentile_95", spread.high}, {"most", spread.most}};
}

nlohmann::json json_of(const Summary& all) {
  return {{"found", all.found},
          {"hunts", all.hunts},
          {"cases", json_of(all.cases)},
          {"steps", json_of(all.steps)},
          {"shrink_ms", json_of(all.shrink_ms)},
          {"alike", all.alike},
          {"faults_alike_80", all.alike_faults},
          {"faults_found", all.faults}};
}

nlohmann::json json_of(const Grading& grading, Fault fault, const Hunted& hunted) {
  const FaultFacts facts = fault_facts(fault);
  return {{"fault", fault_name(fault)},
          {"class", name_of(facts.kind)},
          {"re_creates", facts.re_creates},
          {"no_fault_if", facts.no_fault_if},
          {"fate", name_of(fate_of(hunted, grading.seeds))},
          {"lost", hunted.lost},
          {"alike", alike(hunted)},
          {"seen_by", seen_by(hunted)},
          {"hunts", hunted.hunts}};
}

// Cases until found, by fault and law; null where it was not.
nlohmann::json matrix_of(const Grading& grading, const Graded& graded) {
  nlohmann::json json = nlohmann::json::object();
  for (std::size_t f = 0; f < graded.matrix.size(); ++f)
    for (std::size_t l = 0; l < grading.laws.size(); ++l) {
      const Hunted& cell = graded.matrix[f][l];
      nlohmann::json& place = json[std::string(fault_name(grading.faults[f]))][grading.laws[l]];
      if (found_on(cell) > 0) place = cell.hunts.front().cases;
    }
  return json;
}

nlohmann::json generators_of(const Grading& grading, const Graded& graded) {
  nlohmann::json json = nlohmann::json::object();
  for (const Compared& one : graded.generators) {
    nlohmann::json& place = json[std::string(name_of(one.generator))];
    const auto [found, hunts] = found_of(one);
    place = {{"found", found}, {"hunts", hunts}, {"cases", json_of(spread_of(one))}};
    for (std::size_t f = 0; f < one.faults.size(); ++f)
      if (found_on(one.faults[f]) == 0) place["never"].push_back(fault_name(grading.faults[f]));
  }
  return json;
}

}  // namespace

std::string print_grade_json(const Grading& grading, const Graded& graded, int exit_code) {
  nlohmann::json json{{"builder", grading.builder},
                      {"laws", grading.laws},
                      {"seeds", grading.seeds},
                      {"cases", grading.cases},
                      {"generator", name_of(grading.generator)},
                      {"summary", json_of(summary_of(grading, graded))},
                      {"matrix", matrix_of(grading, graded)},
                      {"generators", generators_of(grading, graded)},
                      {"interrupted", graded.interrupted},
                      {"out_of_time", graded.out_of_time},
                      {"seconds", graded.seconds},
                      {"exit_code", exit_code}};
  for (std::size_t f = 0; f < grading.faults.size(); ++f)
    json["faults"].push_back(json_of(grading, grading.faults[f], graded.faults[f]));
  return json.dump(2) + "\n";
}

}  // namespace pagestorm::cli
