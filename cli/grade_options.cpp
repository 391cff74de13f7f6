#include "grade_options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <thread>

#include "error.hpp"
#include "options.hpp"

namespace pagestorm::cli {
namespace {

std::vector<Fault> faults_of(const std::vector<std::string>& names) {
  std::vector<Fault> asked, faults;
  for (const std::string& name : names) {
    asked.push_back(fault_of(name));
    if (asked.back() == Fault::none) throw UsageError("--fault: none is no fault; `pagestorm info` lists them");
  }
  for (const FaultEntry& entry : fault_catalogue())
    if (asked.empty() || std::find(asked.begin(), asked.end(), entry.fault) != asked.end())
      faults.push_back(entry.fault);
  return faults;
}

}  // namespace

void add_grade_options(CLI::App& command, GradeText& text) {
  const CLI::Validator filled([](const std::string& value) { return value.empty() ? "no value" : ""; }, "");
  Grading& grading = text.grading;
  grading.jobs = std::clamp<std::int64_t>(std::thread::hardware_concurrency(), 1, 256);
  command.add_option("--fault", text.faults, "fault to hunt for, more than one allowed [all]")
      ->check(filled)
      ->allow_extra_args(false);
  command.add_option("--law", text.laws, "law to judge by, more than one allowed [all]")->allow_extra_args(false);
  command.add_option("--builder", text.builder, "builder that has the fault, or runs in the engine that has it")
      ->check(filled)
      ->capture_default_str();
  command.add_option("--seeds", grading.seeds, "seeds to hunt on: 1, 2, 3 and so on")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command.add_option("--for", text.duration, "time to spend: 30s, 10m, 8h [until all is done]")->check(filled);
  command
      .add_option("--cases", text.cases,
                  "scenarios at most, for each fault and seed [20000], or for all mutants [2000]")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  command.add_option("--jobs", grading.jobs, "worker processes, 1 to 256")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command.add_option("--generator", text.generator, "how scenarios are drawn: uniform, swarm or boundaries")
      ->check(CLI::IsMember({"uniform", "swarm", "boundaries"}))
      ->capture_default_str();
  command.add_flag("--matrix", grading.matrix, "each law alone over each fault, too");
  command.add_flag("--compare", grading.compare, "all generators over each fault, too");
  command
      .add_flag("--mutants", grading.mutants,
                "generated mutants of src/core instead of faults, on seed 1 and on each way through it")
      ->excludes("--fault", "--builder", "--seeds", "--matrix", "--compare");
  command.add_option("--json", grading.json, "write every figure to this file")->check(filled);
  command.add_option("--markdown", grading.markdown, "write a document; asks for --matrix and --compare")
      ->check(filled);
}

Grading understand(const GradeText& text) {
  Grading grading = text.grading;
  require_known_builders({text.builder});
  grading.builder = text.builder;
  grading.laws = law_names(text.laws);
  grading.faults = faults_of(text.faults);
  if (!text.duration.empty()) grading.seconds = seconds_of(text.duration, "--for");
  for (const sim::Generator generator : {sim::Generator::uniform, sim::Generator::swarm, sim::Generator::boundaries})
    if (name_of(generator) == text.generator) grading.generator = generator;
  if (grading.mutants) grading.cases = mutant_cases;
  if (text.cases > 0) grading.cases = text.cases;
  // A document is whole.
  grading.matrix = grading.matrix || !grading.markdown.empty();
  grading.compare = grading.compare || !grading.markdown.empty();
  return grading;
}

}  // namespace pagestorm::cli
