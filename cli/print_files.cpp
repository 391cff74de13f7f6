// Reports for machines.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "print.hpp"
#include "sim/pack.hpp"

namespace pagestorm::cli {
namespace {

nlohmann::json coverage_of(const sim::Coverage& coverage) {
  nlohmann::json json{{"scenarios", coverage.scenarios}, {"steps", coverage.steps},
                      {"no_ops", coverage.no_ops},       {"batches", coverage.batches},
                      {"rows", coverage.rows},           {"pages_peak", coverage.pages_peak}};
  for (int i = 0; i < mode_count; ++i)
    json["modes"][std::string(sim::name_of(static_cast<Mode>(i)))] = coverage.modes[static_cast<std::size_t>(i)];
  for (int i = 0; i < sim::step_kind_count; ++i)
    json["kinds"][std::string(sim::name_of(static_cast<sim::StepKind>(i)))] =
        coverage.kinds[static_cast<std::size_t>(i)];
  for (int i = 0; i < sim::class_count; ++i)
    json["classes"][std::string(sim::name_of(static_cast<sim::Class>(i)))] =
        coverage.classes[static_cast<std::size_t>(i)];
  for (int i = 0; i < sim::class_count; ++i)
    json["class_cases"][std::string(sim::name_of(static_cast<sim::Class>(i)))] =
        coverage.cases[static_cast<std::size_t>(i)];
  for (int op = 0; op < flash_op_count; ++op)
    for (std::size_t k = 1; k < 9; ++k)
      if (const std::int64_t count = coverage.asks[static_cast<std::size_t>(op)][k]; count > 0)
        json["family"][std::string(sim::name_of(static_cast<FlashOp>(op)))][std::to_string(k)] = count;
  if (coverage.asks_not_tried > 0) json["family_not_tried"] = coverage.asks_not_tried;
  for (const auto& [size, count] : coverage.page_sizes) json["page_sizes"][std::to_string(size)] = count;
  return json;
}

}  // namespace

std::string print_json(const Campaign& campaign, const Result& result, int exit_code) {
  nlohmann::json json = result;
  json["coverage"] = coverage_of(result.coverage);
  json["run_hash"] = fmt::format("{:#018x}", result.run_hash);
  json["seed"] = fmt::format("{:#x}", campaign.seed);
  json["fault"] = fault_name(campaign.fault);
  json["judge"] = name_of(campaign.judge);
  json["reader"] = name_of(campaign.reader);
  json["reruns"] = name_of(campaign.reruns);
  json["not_run"] = campaign.not_run;
  json["exit_code"] = exit_code;
  return json.dump(2) + "\n";
}

std::string print_junit(const Campaign& campaign, const Result& result) {
  pugi::xml_document document;
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  suite.append_attribute("name") = "pagestorm";
  suite.append_attribute("tests");
  suite.append_attribute("time") = result.seconds;
  pugi::xml_node seed = suite.append_child("properties").append_child("property");
  seed.append_attribute("name") = "seed";
  seed.append_attribute("value") = fmt::format("{:#x}", campaign.seed).c_str();
  std::int64_t tests = 0;
  std::int64_t failed = 0;
  std::int64_t skipped = 0;
  const auto add_case = [&](const std::string& builder, const std::string& law, double seconds) {
    ++tests;
    pugi::xml_node test = suite.append_child("testcase");
    test.append_attribute("classname") = builder.c_str();
    test.append_attribute("name") = law.c_str();
    test.append_attribute("time") = seconds;
    return test;
  };
  for (const LawRow& row : result.rows) {
    pugi::xml_node test = add_case(row.builder, row.law, row.seconds);
    if (row.steps == 0) {
      test.append_child("skipped").append_attribute("message") = "not reached: no step to which the law applies";
      ++skipped;
    }
    if (row.violated > 0) {
      pugi::xml_node failure = test.append_child("failure");
      failure.append_attribute("message") = fmt::format("violated in {} scenarios", row.violated).c_str();
      for (const Failure& found : result.failures)
        if (found.law == row.law && found.builder == row.builder)
          failure.append_child(pugi::node_pcdata).set_value(print_failure(found).c_str());
      ++failed;
    }
  }
  // Crashes, hangs and judges who do not agree belong to no law's row.
  for (const Failure& found : result.failures) {
    if (!sim::is_about_failing(found.law) && found.law != sim::judges_agree) continue;
    pugi::xml_node failure = add_case(found.builder, found.law, found.found_after_s).append_child("failure");
    failure.append_child(pugi::node_pcdata).set_value(print_failure(found).c_str());
    ++failed;
  }
  for (const AbsentBuilder& absent : result.absent) {
    add_case(absent.name, "present", 0).append_child("skipped").append_attribute("message") = absent.why.c_str();
    ++skipped;
  }
  if (!result.error.empty()) {
    add_case("pagestorm", "environment", 0).append_child("error").append_attribute("message") = result.error.c_str();
    suite.append_attribute("errors") = 1;
  }
  suite.attribute("tests") = static_cast<long long>(tests);
  suite.append_attribute("failures") = static_cast<long long>(failed);
  suite.append_attribute("skipped") = static_cast<long long>(skipped);
  std::ostringstream text;
  document.save(text, "  ");
  return std::move(text).str();
}

}  // namespace pagestorm::cli
