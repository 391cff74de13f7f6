// conform: a page of clauses, each with the verdict that it should have.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "pagestorm/fault.hpp"
#include "report.hpp"

namespace pagestorm::cli {
namespace {

using nlohmann::json;

// The clauses of a page by their status.
std::map<std::string, std::set<std::string>> by_status(const json& page) {
  std::map<std::string, std::set<std::string>> all;
  for (const json& clause : page["clauses"]) all[clause["status"]].insert(clause["clause"].get<std::string>());
  return all;
}

TEST(Conform, HoldsOnASoundBuilderAndSaysWhatWasNotTried) {
  const TempDir dir;
  const Reported page = report_of(dir, {"conform", "--builder", "host", "--cases", "150", "--seed", "1"});
  EXPECT_EQ(page.ran.code, 0) << page.ran.out << page.ran.err;
  auto clauses = by_status(page.json);
  EXPECT_EQ(clauses["violated"], std::set<std::string>());
  EXPECT_EQ(clauses["excused"], std::set<std::string>());
  EXPECT_EQ(clauses["not tried"], (std::set<std::string>{"C13.3", "C13.6"})) << "a device, an audited builder";
  EXPECT_EQ(clauses["held"].size(), 53u);
  EXPECT_EQ(page.json["edge_calls"], 150);
  EXPECT_TRUE(page.ran.out.ends_with("pagestorm conform --builder host --seed 0x1 --cases 150\n")) << page.ran.out;
}

TEST(Conform, CountsTheSameWithAnyNumberOfWorkers) {
  const auto of = [](const Args& more) {
    const TempDir dir;
    Args args = {"conform", "--builder", "host", "--cases", "40", "--seed", "2"};
    args.insert(args.end(), more.begin(), more.end());
    return report_of(dir, args).json["clauses"];
  };
  EXPECT_EQ(of({}), of({"--jobs", "2"}));
}

TEST(Conform, WritesATestCaseForEachClause) {
  const TempDir dir;
  const Ran ran = run({"conform", "--builder", "host", "--fault", "cumulative_zero_unwritten", "--cases", "10",
                       "--seed", "1", "--junit", dir / "page.xml"},
                      {.folder = dir.path()});
  EXPECT_EQ(ran.code, 1);
  const std::string text = text_of(dir / "page.xml");
  EXPECT_NE(text.find("tests=\"55\" failures=\"2\""), std::string::npos) << text.substr(0, 2000);
  // A batch without rows has an element 0, too.
  EXPECT_NE(text.find("name=\"C8.1 element 0 of the sums is written\""), std::string::npos);
}

TEST(Conform, WantsABuilderAndAFaultOfBuilders) {
  EXPECT_EQ(run({"conform"}).code, 2);
  EXPECT_EQ(run({"conform", "--builder", "no-such"}).code, 2);
  const Ran engine = run({"conform", "--builder", "host", "--fault", "sink_page_freed"});
  EXPECT_EQ(engine.code, 2);
  EXPECT_NE(engine.err.find("'sink_page_freed' breaks no clause of C1 to C13"), std::string::npos) << engine.err;
}

struct Broken {
  Fault fault;
  const char* clause;
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << fault_name(broken.fault); }

// A fault of the builder, and the clause that it breaks.
constexpr Broken faults[] = {
    {Fault::one_page_too_many, "C5.1"},
    {Fault::stale_page_kept, "C13.5"},
    {Fault::translated_after_dividing, "C6.3"},
    {Fault::tail_not_zeroed, "C9.3"},
    {Fault::spills_past_width, "C5.2"},
    {Fault::negative_slot_divided, "C7.1"},
    {Fault::padding_row_hits_live_slot, "C10.2"},
    {Fault::cumulative_sum_off_by_a_row, "C8.2"},
    {Fault::cumulative_zero_unwritten, "C8.1"},
    {Fault::end_of_page_read, "C13.4"},
    {Fault::build_rounds_down, "C3.4"},
    {Fault::lengths_read_on_host, "C13.1"},
    {Fault::draft_step_ignored, "C1.1"},
    {Fault::verify_tokens_ignored, "C1.1"},
    {Fault::inner_stride_ignored, "C2.4"},
    {Fault::swa_stride_borrowed, "C2.4"},
    {Fault::length_cut_to_32_bits, "C4.3"},
    {Fault::page_size_rounded_to_power_of_two, "C2.1"},
    {Fault::swa_table_untranslated, "C6.3"},
    {Fault::extend_lengths_always_used, "C1.4"},
    {Fault::queries_one_short, "C1.1"},
    {Fault::padded_rows_skipped, "C10.2"},
    {Fault::padded_rows_not_summed, "C10.2"},
    {Fault::last_length_unwritten, "C4.1"},
    {Fault::last_sum_unwritten, "C8.2"},
    {Fault::empty_batch_skipped, "C12.1"},
    {Fault::write_slots_read_past_end, "C9.3"},
    {Fault::clamped_one_late, "C5.2"},
    {Fault::pages_taken_as_consecutive, "C6.1"},
    {Fault::slots_not_divided, "C6.2"},
    {Fault::divided_twice, "C6.2"},
    {Fault::status_overwritten, "C11.1"},
};

class ConformFaults : public testing::TestWithParam<Broken> {};

TEST_P(ConformFaults, AreAttributedToTheClauseThatTheyBreak) {
  const TempDir dir;
  const std::string fault(fault_name(GetParam().fault));
  const Reported page = report_of(
      dir, {"conform", "--builder", "host", "--fault", fault, "--cases", "60", "--seed", "1", "--in-process"});
  EXPECT_EQ(page.ran.code, 1) << page.ran.out << page.ran.err;
  const auto violated = by_status(page.json)["violated"];
  EXPECT_TRUE(violated.contains(GetParam().clause)) << fault << ": " << json(violated).dump();
  EXPECT_LE(violated.size(), 4u) << fault << ": " << json(violated).dump();
}

INSTANTIATE_TEST_SUITE_P(All, ConformFaults, testing::ValuesIn(faults),
                         [](const auto& info) { return std::string(fault_name(info.param.fault)); });

}  // namespace
}  // namespace pagestorm::cli
