// pagestorm grade: how soon, by which law and how small each fault is found.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "commands.hpp"
#include "grade_options.hpp"
#include "grade_print.hpp"
#include "mutants_result.hpp"
#include "save.hpp"

namespace pagestorm::cli {
namespace {

HuntTask task_of(const Grading& grading, Fault fault) {
  return {.fault = fault,
          .builder = grading.builder,
          .laws = grading.laws,
          .generator = grading.generator,
          .seeds = grading.seeds,
          .cases = grading.cases};
}

void grade_faults(HuntPool& pool, const Grading& grading, Graded& graded) {
  std::vector<HuntTask> tasks;
  for (const Fault fault : grading.faults) tasks.push_back(task_of(grading, fault));
  graded.faults.resize(tasks.size());
  pool.run(tasks, [&](std::size_t task, Hunted hunted) {
    fmt::print("{}", print_fault_line(grading, tasks[task].fault, hunted));
    std::fflush(stdout);
    graded.faults[task] = std::move(hunted);
  });
}

void fill_matrix(HuntPool& pool, const Grading& grading, Graded& graded) {
  std::vector<HuntTask> tasks;
  for (const Fault fault : grading.faults)
    for (const std::string& law : grading.laws) {
      HuntTask task = task_of(grading, fault);
      task.laws = {law};
      task.seeds = 1;
      task.cases = matrix_cases;
      task.shrinks = false;
      tasks.push_back(task);
    }
  graded.matrix.assign(grading.faults.size(), std::vector<Hunted>(grading.laws.size()));
  pool.run(tasks, [&](std::size_t task, Hunted hunted) {
    graded.matrix[task / grading.laws.size()][task % grading.laws.size()] = std::move(hunted);
  });
}

void compare_generators(HuntPool& pool, const Grading& grading, Graded& graded) {
  for (const sim::Generator generator : {sim::Generator::uniform, sim::Generator::swarm, sim::Generator::boundaries}) {
    Compared compared{.generator = generator, .seeds = std::min(grading.seeds, compared_seeds)};
    std::vector<HuntTask> tasks;
    for (const Fault fault : grading.faults) {
      HuntTask task = task_of(grading, fault);
      task.generator = generator;
      task.seeds = compared.seeds;
      task.cases = compared_cases;
      task.shrinks = false;
      tasks.push_back(task);
    }
    compared.faults.resize(tasks.size());
    pool.run(tasks, [&](std::size_t task, Hunted hunted) { compared.faults[task] = std::move(hunted); });
    graded.generators.push_back(std::move(compared));
  }
}

Graded run_grading(const Grading& grading) {
  Graded graded;
  HuntPool pool(grading.jobs, grading.seconds);
  grade_faults(pool, grading, graded);
  // Both take minutes without a word.
  if (grading.matrix) fmt::print(stderr, "each law alone over each fault\n");
  if (grading.matrix) fill_matrix(pool, grading, graded);
  if (grading.compare) fmt::print(stderr, "each generator over each fault\n");
  if (grading.compare) compare_generators(pool, grading, graded);
  graded.interrupted = pool.interrupted();
  graded.out_of_time = pool.stopped() && !graded.interrupted;
  graded.seconds = pool.elapsed();
  return graded;
}

int grade(const Grading& grading) {
  if (grading.mutants) return grade_mutants(grading);
  for (const std::string& report : {grading.json, grading.markdown})
    if (!report.empty()) require_writable_file(report);
  fmt::print("{}", print_grade_header(grading));
  std::fflush(stdout);
  const Graded graded = run_grading(grading);
  const int code = exit_code_of(grading, graded);
  fmt::print("{}", print_grade(grading, graded));
  std::fflush(stdout);
  if (!grading.json.empty()) write_file(grading.json, print_grade_json(grading, graded, code));
  if (!grading.markdown.empty()) write_file(grading.markdown, print_grade_markdown(grading, graded));
  return code;
}

}  // namespace

void add_grade(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("grade",
                         "How soon, by which law and how small each built-in fault is found\n"
                         "  e.g. pagestorm grade --seeds 1\n"
                         "       pagestorm grade --fault spills_past_width --seeds 20 --matrix\n"
                         "       pagestorm grade --mutants\n"
                         "Exit codes: 0 every fault found on every seed, 1 one was not, 4 nothing graded.");
  auto text = std::make_shared<GradeText>();
  add_grade_options(*command, *text);
  command->callback([&run, text] { run = [text] { return grade(understand(*text)); }; });
}

}  // namespace pagestorm::cli
