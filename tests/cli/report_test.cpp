// Reports for machines: every figure, in a form that other programs read.

#include <gtest/gtest.h>

#include <map>
#include <pugixml.hpp>
#include <set>

#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "report.hpp"

namespace pagestorm::cli {
namespace {

using nlohmann::json;

TEST(JsonReport, HasEveryFigure) {
  const TempDir dir;
  const Reported reported = report_of(dir, {"check", "--cases", "40", "--seed", "0x5eed"});
  ASSERT_TRUE(reported.json.is_object());
  EXPECT_EQ(reported.json["seed"], "0x5eed");
  EXPECT_EQ(reported.json["exit_code"], reported.ran.code);
  EXPECT_EQ(reported.json["fault"], "none");
  EXPECT_EQ(reported.json["failures"], json::array());
  EXPECT_EQ(reported.json["error"], "");
  EXPECT_GT(reported.json["seconds"], 0);
  ASSERT_FALSE(reported.json["rows"].empty());
  for (const json& row : reported.json["rows"])
    for (const char* field : {"law", "builder", "cases", "steps", "rows", "violated", "seconds"})
      EXPECT_TRUE(row.contains(field)) << row << field;
  const json& coverage = reported.json["coverage"];
  for (const char* field :
       {"scenarios", "steps", "no_ops", "batches", "rows", "pages_peak", "modes", "kinds", "classes", "page_sizes"})
    EXPECT_TRUE(coverage.contains(field)) << field;
  EXPECT_EQ(coverage["modes"].size(), 7u);
}

TEST(JsonReport, HasEveryFailure) {
  const TempDir dir;
  const Reported reported =
      report_of(dir, {"check", "--cases", "40", "--seed", "7", "--fault", "last_row_skipped", "--builder", "host"});
  EXPECT_EQ(reported.ran.code, 1);
  EXPECT_EQ(reported.json["exit_code"], 1);
  EXPECT_EQ(reported.json["fault"], "last_row_skipped");
  ASSERT_EQ(reported.json["failures"].size(), 1u);
  const json& failure = reported.json["failures"][0];
  EXPECT_EQ(failure["builder"], "host");
  EXPECT_EQ(failure["fault"], "last_row_skipped");
  EXPECT_EQ(failure["flaky"], false);
  EXPECT_LE(failure["steps_after"], failure["steps_before"]);
  EXPECT_EQ(failure["file"], saved_by(reported.ran.out).file);
}

// Test cases of a JUnit file by builder and law.
struct Junit {
  std::map<std::pair<std::string, std::string>, std::string> cases;  ///< the outcome of each: its first child's name
  std::size_t count = 0;
  pugi::xml_document document;

  explicit Junit(const std::string& path) {
    const pugi::xml_parse_result parsed = document.load_file(path.c_str());
    EXPECT_TRUE(parsed) << parsed.description();
    for (const pugi::xml_node& test : suite().children("testcase")) {
      ++count;
      cases[{test.attribute("classname").value(), test.attribute("name").value()}] = test.first_child().name();
    }
    std::size_t failed = 0;
    std::size_t skipped = 0;
    for (const auto& [name, outcome] : cases) {
      failed += outcome == "failure";
      skipped += outcome == "skipped";
    }
    EXPECT_EQ(suite().attribute("tests").as_ullong(), count);
    EXPECT_EQ(suite().attribute("failures").as_ullong(), failed);
    EXPECT_EQ(suite().attribute("skipped").as_ullong(), skipped);
  }

  pugi::xml_node suite() const { return document.child("testsuites").child("testsuite"); }
};

TEST(JunitReport, HasOneTestCaseForEachLawAndBuilder) {
  const TempDir dir;
  const Ran ran = run({"check", "--cases", "200", "--seed", "1", "--junit", dir / "junit.xml"}, {.folder = dir.path()});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Junit junit(dir / "junit.xml");
  std::size_t expected = 0;
  for (const BuilderEntry& builder : builders()) {
    if (!builder.absent_because.empty()) {
      EXPECT_EQ(junit.cases.at({std::string(builder.name), "present"}), "skipped");
      ++expected;
      continue;
    }
    for (const props::LawEntry& law : props::law_catalogue()) {
      if (law.flash_only()) continue;
      EXPECT_EQ(junit.cases.at({std::string(builder.name), std::string(law.name)}), "") << builder.name << law.name;
      ++expected;
    }
  }
  EXPECT_EQ(junit.count, expected);
  const pugi::xml_node property = junit.suite().child("properties").child("property");
  EXPECT_STREQ(property.attribute("name").value(), "seed");
  EXPECT_STREQ(property.attribute("value").value(), "0x1");
}

TEST(JunitReport, SaysWhatIsViolatedAndWhatIsNotReached) {
  const TempDir dir;
  const Ran ran = run({"check", "--cases", "200", "--seed", "1", "--fault", "last_row_skipped", "--swa", "off",
                       "--builder", "host", "--junit", dir / "junit.xml"},
                      {.folder = dir.path()});
  EXPECT_EQ(ran.code, 1) << ran.err;
  const Junit junit(dir / "junit.xml");
  EXPECT_EQ(junit.cases.at({"host", "swa_slots_are_valid"}), "skipped");
  EXPECT_EQ(junit.cases.at({"host", "writes_only_live_cells"}), "failure");
  const pugi::xml_node failure =
      junit.suite().find_node([](const pugi::xml_node& node) { return std::string_view(node.name()) == "failure"; });
  EXPECT_NE(std::string(failure.text().as_string()).find("pagestorm replay "), std::string::npos);
}

}  // namespace
}  // namespace pagestorm::cli
