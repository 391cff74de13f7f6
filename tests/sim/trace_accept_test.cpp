#include "sim/trace_accept.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sim/trace.hpp"
#include "trace_rig.hpp"

namespace pagestorm::sim {
namespace {

using Entries = std::vector<std::pair<double, double>>;

Entries entries(const std::string& text, std::int64_t draft_tokens = 4) {
  Entries found;
  for (const auto& [tokens, weight] : read_accept_lengths(text, "a", draft_tokens).entries)
    found.emplace_back(tokens, weight);
  return found;
}

std::string refusal(const std::string& text, std::int64_t draft_tokens = 4) {
  try {
    read_accept_lengths(text, "a", draft_tokens);
  } catch (const TraceError& error) {
    return error.what();
  }
  return "none";
}

TEST(AcceptLengths, AreReadFromEachForm) {
  EXPECT_EQ(entries("1\n 4 \n\n2.5\r\n"), (Entries{{1, 1}, {4, 1}, {2.5, 1}}));
  EXPECT_EQ(entries("length\n2\n3\n"), (Entries{{2, 1}, {3, 1}}));
  EXPECT_EQ(entries("weight,length\n0.25,2\n0,3\n1e2,4\n"), (Entries{{2, 0.25}, {3, 0}, {4, 100}}));
  EXPECT_EQ(entries("question_id,turn,verify_steps_minus1,new_tokens,mean_tokens_per_step\n"
                    "81,0,334,1026,3.0627\n81,1,126,471,3.7087\n"),
            (Entries{{3.0627, 335}, {3.7087, 127}}));
  const std::string runs =
      "target_model,num_draft_tokens,draft,accept_length\nq,4,none,1.0\nq,4,eagle,2.64\nq,6,eagle,3.01\n";
  EXPECT_EQ(entries(runs), (Entries{{2.64, 1}}));
  EXPECT_EQ(entries(runs, 6), (Entries{{3.01, 1}}));
  EXPECT_DOUBLE_EQ(read_accept_lengths("length,weight\n1,1\n4,3\n", "a", 4).mean(), 3.25);
}

TEST(AcceptLengths, SayWhatIsWrongWhere) {
  EXPECT_EQ(refusal(""), "a:1: lengths: none counts for 4 draft tokens; give at least one of a weight above 0");
  EXPECT_EQ(refusal("2\nx\n"), "a:2: length: \"x\" is not a number; write a decimal number");
  EXPECT_EQ(refusal("2\nnan\n"), "a:2: length: \"nan\" is not a number; write a decimal number");
  EXPECT_EQ(refusal("0.5\n"), "a:1: length: \"0.5\" is below 1; write 1 to 4: the bonus token counts");
  EXPECT_EQ(refusal("3\n4.01\n"),
            "a:2: length: \"4.01\" is more than the draft tokens; write 1 to 4, or raise the draft tokens");
  EXPECT_EQ(refusal("size,weight\n1,1\n"),
            "a:1: header: has no column of accept lengths; name one length, mean_tokens_per_step or accept_length, or "
            "give one number a line");
  EXPECT_EQ(refusal("length,weight\n1,1\n2\n"), "a:3: columns: there are 1; write 2 as in the header");
  EXPECT_EQ(refusal("length,weight\n1,-1\n"), "a:2: weight: \"-1\" is negative; write 0 or more");
  EXPECT_EQ(refusal("length,weight\n1,0\n"),
            "a:2: lengths: none counts for 4 draft tokens; give at least one of a weight above 0");
  EXPECT_EQ(refusal("num_draft_tokens,accept_length\n6,3\n"),
            "a:2: lengths: none counts for 4 draft tokens; give at least one of a weight above 0");
}

TEST(AcceptDraw, DrawsEachRowAsTheLengthsSay) {
  const AcceptLengths lengths{.entries = {{1, 1}, {2.25, 2}, {4, 1}}};
  AcceptDraw draw(lengths, 4, 5);
  std::map<std::int64_t, int> counts;
  constexpr int steps = 4000, rows = 10;
  for (int i = 0; i < steps; ++i) {
    const Step step = draw.next(rows);
    ASSERT_EQ(draw.by_row().size(), std::size_t{rows});
    EXPECT_EQ(step.kind, StepKind::verify);
    EXPECT_GE(step.amount, 1);
    for (const std::int64_t tokens : draw.by_row()) ++counts[tokens];
  }
  const auto share = [&](std::int64_t tokens) { return counts[tokens] / double{steps * rows}; };
  EXPECT_NEAR(share(1), 0.25, 0.01);
  EXPECT_NEAR(share(2), 0.375, 0.01);
  EXPECT_NEAR(share(3), 0.125, 0.01);
  EXPECT_NEAR(share(4), 0.25, 0.01);
}

TEST(AcceptDraw, TheWorldAcceptsWhatWasDrawn) {
  const auto requests = lengths();
  DriveOptions options = fitting(requests);
  options.accept_lengths = {.entries = {{1, 1}, {4, 1}}};
  Rig rig(requests, options);
  const DriveTally& tally = rig.run();
  EXPECT_TRUE(rig.drive().violations().empty());
  EXPECT_EQ(tally.requests, static_cast<std::int64_t>(requests.size()));
  EXPECT_NEAR(tally.mean_accepted(), 2.5, 0.05);
  EXPECT_EQ(tally.verified, rows_of(tally, Mode::target_verify));
}

}  // namespace
}  // namespace pagestorm::sim
