// check is the same every time, and does what its options say.

#include <gtest/gtest.h>

#include <algorithm>

#include <set>

#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "report.hpp"

namespace pagestorm::cli {
namespace {

using nlohmann::json;

// The report of a check that must hold.
json held(const Args& options) {
  const TempDir dir;
  Args args = {"check", "--seed", "1"};
  args.insert(args.end(), options.begin(), options.end());
  const Reported reported = report_of(dir, args);
  EXPECT_EQ(reported.ran.code, 0) << reported.ran.out << reported.ran.err;
  EXPECT_NE(reported.ran.out.find("\nheld: 0 violations in "), std::string::npos) << reported.ran.out;
  EXPECT_TRUE(reported.json.is_object());
  EXPECT_EQ(reported.json["exit_code"], 0);
  return counts(reported.json);
}

std::set<std::int64_t> page_sizes(const json& report) {
  std::set<std::int64_t> sizes;
  for (const auto& [size, count] : report["coverage"]["page_sizes"].items()) sizes.insert(std::stoll(size));
  return sizes;
}

std::size_t laws_of_every_pass() {
  const auto& all = props::law_catalogue();
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const props::LawEntry& entry) { return !entry.flash_only(); }));
}

TEST(Check, PlaysEveryCaseOnEveryHostBuilder) {
  const json report = held({"--cases", "200"});
  EXPECT_EQ(report["coverage"]["scenarios"], 200);
  std::set<std::string> present(report["builders"].begin(), report["builders"].end());
  for (const BuilderEntry& entry : host_builders()) EXPECT_TRUE(present.contains(std::string(entry.name)));
  EXPECT_EQ(report["cases"], 200 * static_cast<std::int64_t>(present.size()));
  EXPECT_EQ(report["rows"].size(), present.size() * laws_of_every_pass());
}

TEST(Check, CountsTheSameEachTimeAndWithAnyNumberOfWorkers) {
  const json once = held({"--cases", "200"});
  EXPECT_EQ(held({"--cases", "200"}), once);
  EXPECT_EQ(held({"--cases", "200", "--jobs", "2"}), once);
  EXPECT_EQ(held({"--cases", "200", "--jobs", "3"}), once);
  EXPECT_EQ(held({"--cases", "200", "--in-process"}), once);
}

TEST(Check, AnotherSeedPlaysOtherScenarios) {
  const TempDir dir;
  const json other = counts(report_of(dir, {"check", "--cases", "200", "--seed", "2"}).json);
  EXPECT_NE(other["coverage"], held({"--cases", "200"})["coverage"]);
}

TEST(Check, JudgesByTheLawsAskedForInTheOrderOfTheCatalogue) {
  for (const props::LawEntry& entry : props::law_catalogue()) {
    const json report = held({"--cases", "60", "--builder", "host", "--law", std::string(entry.name), "--family",
                              entry.flash_only() ? "flash" : "paged"});
    ASSERT_EQ(report["rows"].size(), 1u);
    EXPECT_EQ(report["rows"][0]["law"], entry.name);
    EXPECT_GT(report["rows"][0]["steps"], 0);
  }
  const json two =
      held({"--law", "paths_agree", "--law", "writes_only_live_cells", "--cases", "20", "--builder", "host"});
  ASSERT_EQ(two["rows"].size(), 2u);
  EXPECT_EQ(two["rows"][0]["law"], "writes_only_live_cells");
  EXPECT_EQ(two["rows"][1]["law"], "paths_agree");
}

TEST(Check, OfTheFamilyFlashAsksForItsOperations) {
  const json report = held({"--cases", "100", "--builder", "host", "--family", "flash", "--top-k", "3..4"});
  EXPECT_EQ(report["rows"].size(), props::law_catalogue().size());
  const json& asked = report["coverage"]["family"];
  for (const char* op : {"draft_expand", "verify_expand", "merged_verify", "local_blocks", "prompt_window",
                         "encoder_table", "text_table", "schedule"}) {
    EXPECT_TRUE(asked[op].contains("3")) << op;
    EXPECT_TRUE(asked[op].contains("4")) << op;
    EXPECT_FALSE(asked[op].contains("1")) << op;
  }
  EXPECT_FALSE(held({"--cases", "100", "--builder", "host"})["coverage"].contains("family"));
}

TEST(Check, PlaysOnTheBuildersAskedFor) {
  for (const BuilderEntry& entry : host_builders()) {
    const json report = held({"--cases", "50", "--builder", std::string(entry.name)});
    EXPECT_EQ(report["builders"], json({entry.name}));
    EXPECT_EQ(report["cases"], 50);
    EXPECT_EQ(report["coverage"], held({"--cases", "50"})["coverage"]);
  }
  EXPECT_EQ(held({"--cases", "9", "--builder", "host-audited", "--builder", "host"})["cases"], 18);
}

TEST(Check, AnAbsentBuilderIsNamedWithItsReason) {
  const TempDir dir;
  const Ran all = run({"check", "--cases", "5"}, {.folder = dir.path()});
  EXPECT_EQ(all.code, 0);
  for (const BuilderEntry& entry : builders()) {
    if (entry.absent_because.empty()) continue;
    const std::string header = all.out.substr(0, all.out.find('\n'));
    EXPECT_NE(header.find(entry.name), std::string::npos) << header;
    EXPECT_NE(header.find(entry.absent_because), std::string::npos) << header;
    const Ran asked = run({"check", "--cases", "5", "--builder", std::string(entry.name)}, {.folder = dir.path()});
    EXPECT_EQ(asked.code, 3);
    EXPECT_EQ(asked.out, "");
    ASSERT_EQ(lines_of(asked.err).size(), 1u) << asked.err;
    EXPECT_NE(asked.err.find("builder " + std::string(entry.name) + " is absent: " + std::string(entry.absent_because)),
              std::string::npos)
        << asked.err;
  }
}

TEST(Check, SendsOnlyTheModesAskedFor) {
  const json report = held({"--mode", "decode,verify", "--cases", "200"});
  for (const auto& [mode, count] : report["coverage"]["modes"].items())
    EXPECT_EQ(count > 0, mode == "decode" || mode == "verify") << mode << " " << count;
}

TEST(Check, KeepsToThePageSizesAskedFor) {
  EXPECT_EQ(page_sizes(held({"--page-size", "64", "--cases", "30"})), std::set<std::int64_t>{64});
  EXPECT_EQ(page_sizes(held({"--page-size", "1,16,64", "--cases", "100"})), (std::set<std::int64_t>{1, 16, 64}));
  EXPECT_EQ(page_sizes(held({"--page-size", "3,5..6", "--cases", "100"})), (std::set<std::int64_t>{3, 5, 6}));
  const std::set<std::int64_t> range = page_sizes(held({"--page-size", "1..256", "--cases", "200"}));
  EXPECT_GT(range.size(), 10u);
  EXPECT_GE(*range.begin(), 1);
  EXPECT_LE(*range.rbegin(), 256);
}

TEST(Check, ReachesTheModelsOptionsAskedFor) {
  const auto window = [](const json& report) { return report["coverage"]["classes"]["window evicted"]; };
  const auto far = [](const json& report) { return report["coverage"]["classes"]["far offsets"]; };
  const auto odd = [](const json& report) { return report["coverage"]["classes"]["odd row"]; };
  const json on = held({"--swa", "on", "--cases", "150"});
  const json off = held({"--swa", "off", "--cases", "150"});
  EXPECT_GT(window(on), 0);
  EXPECT_EQ(window(off), 0);
  for (const json& row : off["rows"]) EXPECT_EQ(row["steps"] == 0, row["law"] == "swa_slots_are_valid") << row;
  EXPECT_GT(far(held({"--cases", "200"})), 0);
  EXPECT_EQ(far(held({"--cases", "200", "--near"})), 0);
  EXPECT_GT(odd(held({"--cases", "200"})), 0);
  EXPECT_EQ(odd(held({"--cases", "200", "--clean"})), 0);
}

TEST(Check, TakesLongRequestsAndManyRows) {
  held({"--seq-len", "0..131072", "--cases", "50"});
  held({"--seq-len", "0", "--cases", "50"});
  const json one = held({"--rows", "1", "--cases", "50"});
  EXPECT_EQ(one["coverage"]["classes"]["batch odd"], 0);
  held({"--rows", "64", "--cases", "30"});
}

TEST(Check, EndsWhenItsTimeIsOver) {
  const json report = held({"--for", "1s"});
  EXPECT_GT(report["cases"], 0);
  EXPECT_EQ(report["interrupted"], false);
}

}  // namespace
}  // namespace pagestorm::cli
