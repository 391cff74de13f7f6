// A campaign by clauses, for machines.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "conform_page.hpp"
#include "props/conform/clauses.hpp"

namespace pagestorm::cli {

std::string print_page_json(const Campaign& campaign, const Result& result, int exit_code) {
  nlohmann::json json = result;
  json.erase("coverage");
  json["clauses"] = nlohmann::json::array();
  const auto lines = clause_lines(result);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const props::ClauseEntry& entry = props::clause_catalogue()[i];
    nlohmann::json clause{{"clause", entry.id},
                          {"title", entry.title},
                          {"status", name_of(lines[i].status)},
                          {"tried_by", entry.tried},
                          {"passes", lines[i].tried},
                          {"laws", entry.laws},
                          {"excuses", nlohmann::json::array()}};
    for (const ExcuseRow* excuse : lines[i].excuses) clause["excuses"].push_back(excuse->excuse);
    if (lines[i].failure != nullptr) clause["failure"] = *lines[i].failure;
    json["clauses"].push_back(std::move(clause));
  }
  json["seed"] = fmt::format("{:#x}", campaign.seed);
  json["fault"] = fault_name(campaign.fault);
  json["command"] = conform_command(campaign, result);
  json["exit_code"] = exit_code;
  return json.dump(2) + "\n";
}

std::string print_page_junit(const Campaign& campaign, const Result& result) {
  pugi::xml_document document;
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  const std::string builder = fmt::format("{}", fmt::join(campaign.builders, " "));
  const auto lines = clause_lines(result);
  std::int64_t failures = 0, skipped = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const props::ClauseEntry& entry = props::clause_catalogue()[i];
    pugi::xml_node test = suite.append_child("testcase");
    test.append_attribute("classname") = builder.c_str();
    test.append_attribute("name") = fmt::format("{} {}", entry.id, entry.title).c_str();
    if (lines[i].failure != nullptr) {
      pugi::xml_node failure = test.append_child("failure");
      failure.append_attribute("message") = lines[i].failure->law.c_str();
      failure.append_child(pugi::node_pcdata)
          .set_value((lines[i].failure->explanation + lines[i].failure->replay).c_str());
      ++failures;
    } else if (lines[i].status != ClauseStatus::held) {
      std::string why(name_of(lines[i].status));
      for (const ExcuseRow* excuse : lines[i].excuses) why += fmt::format(" by {}", excuse->excuse);
      test.append_child("skipped").append_attribute("message") = why.c_str();
      ++skipped;
    }
  }
  suite.append_attribute("name") = "pagestorm conform";
  suite.append_attribute("tests") = static_cast<long long>(lines.size());
  suite.append_attribute("failures") = static_cast<long long>(failures);
  suite.append_attribute("skipped") = static_cast<long long>(skipped);
  suite.append_attribute("time") = result.seconds;
  if (!result.error.empty()) {
    suite.append_child("testcase").append_child("error").append_attribute("message") = result.error.c_str();
    suite.append_attribute("errors") = 1;
  }
  std::ostringstream text;
  document.save(text, "  ");
  return std::move(text).str();
}

}  // namespace pagestorm::cli
