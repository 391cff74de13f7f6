// pagestorm grade --mutants: hunts for every generated mutant of src/core.

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "clock.hpp"
#include "grade_pool.hpp"
#include "mutant_hunt.hpp"
#include "mutants_result.hpp"
#include "save.hpp"

namespace pagestorm::cli {
namespace {

constexpr double mutant_hangs_s = 2;  // of work: many mutants never end, and no play takes as long

std::vector<HuntTask> tasks_of(const Grading& grading, const std::vector<std::string>& laws, MutantsGraded& graded) {
  std::vector<HuntTask> tasks;
  auto plays = survey_cases(laws, grading.generator, grading.cases);
  for (std::size_t m = 0; m < mutants().size(); ++m) {
    graded.plays.push_back(static_cast<std::int64_t>(plays[m].size()));
    tasks.push_back({.laws = laws,
                     .generator = grading.generator,
                     .mutant = static_cast<int>(m + 1),
                     .plays = std::move(plays[m])});
  }
  return tasks;
}

}  // namespace

int grade_mutants(const Grading& grading) {
  for (const std::string& report : {grading.json, grading.markdown})
    if (!report.empty()) require_writable_file(report);
  fmt::print("{} mutants of src/core · generator {} · {} cases on each of {} ways\n", mutants().size(),
             name_of(grading.generator), grading.cases, mutant_builders().size());
  std::fflush(stdout);
  const std::uint64_t started = nanoseconds_now();
  MutantsGraded graded;
  graded.hunted.resize(mutants().size());
  const std::vector<HuntTask> tasks = tasks_of(grading, laws_about_builders(grading.laws), graded);
  HuntPool pool(grading.jobs, grading.seconds, mutant_hangs_s, HuntPool::Count::work);
  pool.run(tasks, [&](std::size_t task, Hunted hunted) { graded.hunted[task] = std::move(hunted); });
  graded.cut = pool.stopped();
  graded.seconds = seconds_since(started);
  fmt::print("{}", print_mutants(graded));
  std::fflush(stdout);
  if (!grading.json.empty()) write_file(grading.json, print_mutants_json(graded));
  if (!grading.markdown.empty()) write_file(grading.markdown, print_mutants_markdown(graded));
  return exit_code_of(graded);
}

}  // namespace pagestorm::cli
