// Traces drive the engine and are judged; what is no trace is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "props/laws.hpp"
#include "report.hpp"
#include "sim/text.hpp"

namespace pagestorm::cli {
namespace {

using nlohmann::json;

struct Sample {
  std::string file;
  std::string format;
};

const Sample samples[] = {
    {"mooncake_sample.jsonl", "mooncake"}, {"azure_sample.csv", "azure"}, {"lengths_sample.csv", "lengths"}};

TEST(Trace, EverySampleHolds) {
  for (const auto& [file, format] : samples) {
    const TempDir dir;
    const Reported reported = report_of(dir, {"trace", sample(file)});
    EXPECT_EQ(reported.ran.code, 0) << reported.ran.out << reported.ran.err;
    EXPECT_NE(reported.ran.out.find("\nheld: 0 violations in "), std::string::npos) << reported.ran.out;
    ASSERT_TRUE(reported.json.is_object()) << file;
    EXPECT_EQ(reported.json["exit_code"], 0);
    EXPECT_EQ(reported.json["command"], "trace");
    EXPECT_EQ(reported.json["format"], format);
    EXPECT_EQ(reported.json["trace"]["requests"], 40);
    EXPECT_EQ(reported.json["tally"]["requests"], 40);
    EXPECT_GT(reported.json["judged"]["steps"], 0);
    EXPECT_GE(reported.json["judged"]["rows"], reported.json["judged"]["steps"]);
    EXPECT_GT(reported.json["judged"]["cells"], reported.json["judged"]["rows"]);
    EXPECT_GT(reported.json["modes"]["verify"]["steps"], 0);
    EXPECT_EQ(reported.json["modes"]["decode"]["steps"], 0);
    EXPECT_NEAR(reported.json["mean_accepted"].get<double>(), 3, 0.2);
    EXPECT_EQ(reported.json["verdict"]["failures"], json::array());
  }
}

TEST(Trace, FiguresAreTheSameEachTime) {
  const TempDir dir;
  const auto figures = [&](const Args& more) {
    Args args = {"trace", sample("mooncake_sample.jsonl"), "--jobs", "2"};
    args.insert(args.end(), more.begin(), more.end());
    json report = report_of(dir, args).json;
    return json{report["judged"], report["modes"], report["memory"], report["mean_accepted"], report["trace"]};
  };
  const json once = figures({});
  EXPECT_EQ(figures({}), once);
  EXPECT_EQ(figures({"--builder", "host-audited"}), once);
  EXPECT_NE(figures({"--seed", "3"}), once);
}

TEST(Trace, DoesWhatItsOptionsSay) {
  const TempDir dir;
  const auto report = [&](const Args& more) {
    Args args = {"trace", sample("azure_sample.csv")};
    args.insert(args.end(), more.begin(), more.end());
    const Reported reported = report_of(dir, args);
    EXPECT_EQ(reported.ran.code, 0) << reported.ran.out << reported.ran.err;
    return reported.json;
  };
  EXPECT_EQ(report({"--limit", "7"})["trace"]["requests"], 7);
  EXPECT_EQ(report({"--limit", "7", "--format", "azure"})["trace"]["requests"], 7);
  const json plain = report({"--draft-tokens", "1"});
  EXPECT_EQ(plain["modes"]["verify"]["steps"], 0);
  EXPECT_GT(plain["modes"]["decode"]["steps"], 0);
  const json small = report({"--page-size", "16", "--context", "512", "--limit", "9"});
  EXPECT_EQ(small["memory"]["table_columns"], 32);
  EXPECT_GT(small["trace"]["clipped"], 0);
  const json hybrid = report({"--swa", "on", "--window", "128", "--limit", "9"});
  const auto of_the_family =
      static_cast<std::size_t>(std::ranges::count_if(props::law_catalogue(), &props::LawEntry::flash_only));
  EXPECT_EQ(hybrid["options"]["laws"].size(), props::law_catalogue().size() - of_the_family);
  EXPECT_EQ(plain["options"]["laws"].size(), hybrid["options"]["laws"].size() - 3) << "three laws are about SWA";
  const json asked = report({"--law", "paths_agree", "--limit", "3"});
  EXPECT_EQ(asked["options"]["laws"], json{"paths_agree"});
}

TEST(Trace, ThePrefixCacheIsOnWhereTheTraceHasPrefixIds) {
  const TempDir dir;
  const auto report = [&](const Args& more) { return report_of(dir, more).json; };
  const json on = report({"trace", sample("mooncake_sample.jsonl"), "--jobs", "1"});
  EXPECT_EQ(on["options"]["cache"], true);
  EXPECT_EQ(on["prefix"]["blocks"], on["trace"]["prefix_blocks"]);
  EXPECT_EQ(on["prefix"]["hit_blocks"].get<int>(),
            on["trace"]["prefix_blocks_hit"].get<int>() - on["trace"]["requests_repeated"].get<int>());
  EXPECT_GT(on["prefix"]["token_hit_share"], 0.5);
  const json off = report({"trace", sample("mooncake_sample.jsonl"), "--jobs", "1", "--cache", "off"});
  EXPECT_EQ(off["options"]["cache"], false);
  EXPECT_EQ(off["prefix"]["hit_tokens"], 0);
  EXPECT_LT(off["pools"]["pages_peak"], on["pools"]["pages_peak"]) << "a cache keeps what has finished";
  EXPECT_EQ(report({"trace", sample("azure_sample.csv")})["options"]["cache"], false);
  EXPECT_EQ(report({"trace", sample("azure_sample.csv"), "--cache", "on"})["prefix"]["hit_tokens"], 0);
}

// With trees, and without drafts: a decode has operations of its own.
TEST(Trace, JudgesTheFamilyFlashWhereAskedTo) {
  const TempDir dir;
  std::set<std::string> judged;
  for (const Args& drafts : {Args{"--top-k", "4", "--swa", "on", "--window", "128", "--mask", "whole"},
                             Args{"--draft-tokens", "1", "--context", "4096"}}) {
    Args args = {"trace",         sample("mooncake_sample.jsonl"),
                 "--family",      "flash",
                 "--local-chunk", "2048",
                 "--jobs",        "1",
                 "--limit",       "6"};
    args.insert(args.end(), drafts.begin(), drafts.end());
    const Reported reported = report_of(dir, args);
    EXPECT_EQ(reported.ran.code, 0) << reported.ran.out << reported.ran.err;
    EXPECT_NE(reported.ran.out.find("\nfamily    "), std::string::npos) << reported.ran.out;
    for (const json& row : reported.json["verdict"]["rows"])
      if (row["steps"] > 0) judged.insert(row["law"].get<std::string>());
  }
  for (const props::LawEntry& law : props::law_catalogue())
    EXPECT_TRUE(!law.flash_only() || judged.contains(std::string(law.name))) << law.name;
}

TEST(Trace, AFaultOfTheFamilyAsksForIt) {
  const TempDir dir;
  const Ran ran = run({"trace", sample("mooncake_sample.jsonl"), "--fault", "tree_taken_as_chain", "--top-k", "2"},
                      {.folder = dir.path()});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
}

TEST(Trace, BoundedPoolsRetractAndStillHold) {
  const TempDir dir;
  const Reported reported = report_of(dir, {"trace", sample("mooncake_sample.jsonl"), "--jobs", "1", "--pool-pages",
                                            "130", "--page-size", "64", "--saturated"});
  EXPECT_EQ(reported.ran.code, 0) << reported.ran.out << reported.ran.err;
  EXPECT_EQ(reported.json["tally"]["requests"], 40);
  EXPECT_EQ(reported.json["pools"]["pages"], 130);
  EXPECT_LE(reported.json["pools"]["pages_peak"], 130);
  EXPECT_GT(reported.json["pools"]["evicted_from_cache"], 0);
  EXPECT_EQ(reported.json["pools"]["retractions"], reported.json["pools"]["readmissions"]);
  EXPECT_NE(reported.ran.out.find(" pages evicted from the prefix cache"), std::string::npos) << reported.ran.out;
}

TEST(Trace, AcceptLengthsComeFromAFile) {
  const TempDir dir;
  const std::string file = dir.write("lengths", "length,weight\n1,1\n4,3\n");
  const Reported reported = report_of(dir, {"trace", sample("azure_sample.csv"), "--accept-from", file});
  EXPECT_EQ(reported.ran.code, 0) << reported.ran.out << reported.ran.err;
  EXPECT_NEAR(reported.json["mean_accepted"].get<double>(), 3.25, 0.1);
  EXPECT_EQ(reported.json["options"]["accept"], 3.25);
  EXPECT_EQ(reported.json["options"]["accept_from"], file);
}

TEST(Trace, WritesATimelineForEachEngine) {
  const TempDir dir;
  const json one = report_of(dir, {"trace", sample("mooncake_sample.jsonl"), "--jobs", "1", "--timeline",
                                   dir / "one.csv", "--timeline-every", "10"})
                       .json;
  const std::vector<std::string> lines = lines_of(text_of(dir / "one.csv"));
  EXPECT_EQ(lines.at(0), "virtual_s,step,mode,rows,live,waiting,free_pages,cached_pages,hit_tokens,retractions");
  EXPECT_EQ(static_cast<std::int64_t>(lines.size()) - 1, one["judged"]["steps"].get<std::int64_t>() / 10);
  run({"trace", sample("mooncake_sample.jsonl"), "--jobs", "2", "--timeline", dir / "two.csv"});
  EXPECT_GT(lines_of(text_of(dir / "two-1.csv")).size(), 10u);
  EXPECT_GT(lines_of(text_of(dir / "two-2.csv")).size(), 10u);
}

// What a trace saved about a fault that it must find.
Saved found(const std::string& fault, const How& how) {
  const Ran ran = run({"trace", sample("mooncake_sample.jsonl"), "--fault", fault}, how);
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  const Saved saved = saved_by(ran.out);
  EXPECT_EQ(saved.problem, "") << ran.out;
  return saved;
}

TEST(Trace, AFaultOfTheEngineIsFoundAndItsReplayCommandWorks) {
  const TempDir dir;
  const How how{.folder = dir.path()};
  const Saved saved = found("shared_page_freed_by_owner", how);
  ASSERT_EQ(saved.problem, "");
  EXPECT_EQ(sim::parse(text_of(dir / saved.file), saved.file).law, "pools_conserve_pages");
  EXPECT_EQ(run(saved.replay, how).code, 1);
}

TEST(Trace, AFaultIsFoundAndItsReplayCommandWorks) {
  const TempDir dir;
  const How how{.folder = dir.path()};
  const Saved saved = found("last_row_skipped", how);
  ASSERT_EQ(saved.problem, "");
  const sim::Finding finding = sim::parse(text_of(dir / saved.file), saved.file);
  EXPECT_EQ(finding.fault, "last_row_skipped");
  EXPECT_LE(finding.scenario.steps.size(), 3u);
  const Ran replayed = run(saved.replay, how);
  EXPECT_EQ(replayed.code, 1) << replayed.out << replayed.err;
  EXPECT_NE(replayed.out.find("\n" + finding.law + " is VIOLATED by host + last_row_skipped"), std::string::npos);
}

void expect_error(const Args& args, int code, const std::string& says) {
  const TempDir dir;
  const Ran ran = run(args, {.folder = dir.path()});
  EXPECT_EQ(ran.code, code) << ran.out << ran.err;
  EXPECT_EQ(ran.out, "");
  const std::vector<std::string> lines = lines_of(ran.err);
  ASSERT_GE(lines.size(), 1u) << says;
  EXPECT_TRUE(lines.size() == 1 || lines[1] == "Run with --help for what can be typed.") << ran.err;
  EXPECT_NE(lines[0].find(says), std::string::npos) << ran.err << "lacks " << says;
}

TEST(Trace, RefusesWhatIsNoTrace) {
  const TempDir dir;
  const std::string csv = sample("azure_sample.csv");
  expect_error({"trace", csv, "--format", "mooncake"}, 2, csv + ":1: ");
  expect_error({"trace", dir / "nowhere"}, 3, dir / "nowhere: cannot be read: No such file");
  expect_error({"trace", dir.path()}, 3, "is a folder");
  expect_error({"trace", dir.write("empty", "")}, 2, dir / "empty:1: ");
  const std::string text = text_of(csv);
  expect_error({"trace", dir.write("bad", text.substr(0, text.rfind(',')) + ",many\n")}, 2, dir / "bad:41: ");
}

TEST(Trace, RefusesOptionsThatCannotBe) {
  const std::string csv = sample("azure_sample.csv");
  expect_error({"trace", csv, "--page-size", "0"}, 2, "--page-size");
  expect_error({"trace", csv, "--batch", "1025"}, 2, "--batch");
  expect_error({"trace", csv, "--limit", "0"}, 2, "--limit");
  expect_error({"trace", csv, "--jobs", "0"}, 2, "--jobs");
  expect_error({"trace", csv, "--format", "foo"}, 2, "--format");
  expect_error({"trace", csv, "--draft-tokens", "4", "--accept", "5"}, 2,
               "--accept: 5 is more than the 4 draft tokens");
  expect_error({"trace", csv, "--pool-pages", "0"}, 2, "--pool-pages");
  expect_error({"trace", csv, "--page-size", "64", "--pool-pages", "9"}, 2,
               "--pool-pages: 9 pages of 64 tokens cannot hold request ");
  expect_error({"trace", csv, "--swa", "on", "--swa-pool-pages", "9"}, 2,
               "--swa-pool-pages: 9 pages of 64 tokens cannot hold");
  expect_error({"trace", csv, "--pool-pages", "16777216"}, 2,
               "--pool-pages: pages: 16777216 pages of 64 tokens are more than");
  expect_error({"trace", csv, "--swa-pool-pages", "9"}, 2, "--swa-pool-pages: there is no SWA pool; add --swa on");
  expect_error({"trace", csv, "--cache", "maybe"}, 2, "--cache");
  expect_error({"trace", csv, "--timeline-every", "9"}, 2, "--timeline-every: there is no timeline");
  expect_error({"trace", csv, "--timeline", "/nowhere/t.csv"}, 3, "/nowhere/t");
  expect_error({"trace", csv, "--accept-from", "/nowhere/a"}, 3, "/nowhere/a: cannot be read");
  expect_error({"trace", csv, "--accept-from", csv}, 2, csv + ":1: header: has no column of accept lengths");
  expect_error({"trace", csv, "--accept", "2", "--accept-from", csv}, 2, "--accept");
  expect_error({"trace", csv, "--accept-from", csv, "--draft-tokens", "1"}, 2, "--accept-from: with 1 draft token");
  expect_error({"trace", csv, "--builder", "foo"}, 2, "--builder: there is no builder 'foo'");
  expect_error({"trace", csv, "--fault", "foo"}, 2, "--fault: there is no fault 'foo'");
  expect_error({"trace", csv, "--law", "passes_share_out_the_keys"}, 2, "add --family flash");
  expect_error({"trace", csv, "--top-k", "2"}, 2, "--top-k: only drafts of the family flash have branches");
  expect_error({"trace", csv, "--local-chunk", "64"}, 2, "--local-chunk: only the family flash");
  expect_error({"trace", csv, "--mask", "whole"}, 2, "--mask: only the family flash");
  expect_error({"trace", csv, "--law", "foo"}, 2, "--law: there is no law 'foo'");
  expect_error({"trace", csv, "--seed", "foo"}, 2, "--seed: 'foo' is no seed");
}

}  // namespace
}  // namespace pagestorm::cli
