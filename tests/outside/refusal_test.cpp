// Shapes that do not fit, offered to builders of somebody else: C2.6 holds, is excused, or names argument and shape.

#include <gtest/gtest.h>

#include <string>

#include "library.hpp"
#include "pagestorm/outside_builder.hpp"
#include "sim/refusals.hpp"

namespace pagestorm::outside {
namespace {

sim::Refusals of(const std::string& name) {
  return sim::offer_wrong_shapes(*outside_builder(library(name), {}).make(Fault::none));
}

cli::Ran conform(const std::string& name) {
  return cli::run({"conform", "--builder", library(name), "--cases", "3", "--seed", "1"});
}

/// The line of C2.6, and those about its failure.
std::string line_of(const cli::Ran& ran) {
  const std::size_t from = ran.out.find(" C2.6 ");
  return from == std::string::npos ? ran.out : ran.out.substr(from, ran.out.find(" C2.7 ") - from);
}

TEST(OutsideRefusals, OfRightBuildersHold) {
  for (const char* name : {"whole", "shifts", "full_width", "no_clamp", "element_zero", "zero_page"}) {
    const sim::Refusals all = of(name);
    EXPECT_FALSE(all.wrong) << name << ": " << all.wrong->place.text << ", " << all.wrong->got;
    EXPECT_GT(all.offered, 30) << name;
  }
  EXPECT_NE(line_of(conform("whole")).find(" wrong shapes\n"), std::string::npos) << "held";
}

TEST(OutsideRefusals, AreExcusedWhereShapesAreTakenOnTrust) {
  EXPECT_EQ(of("on_trust").offered, 0);
  const cli::Ran ran = conform("on_trust");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(line_of(ran).find("excused by refusals: takes shapes on trust"), std::string::npos) << ran.out;
}

TEST(OutsideRefusals, ThatDoNotComeAreAViolation) {
  const cli::Ran ran = conform("lenient");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  const std::string line = line_of(ran);
  EXPECT_NE(line.find("VIOLATED\n           page_size: is 0, expected a refusal before anything is written, got "),
            std::string::npos)
      << line;
  EXPECT_NE(line.find("was ended by signal 8"), std::string::npos) << "a division by 0: " << line;
  EXPECT_NE(line.find(", by refuses_wrong_shapes\n           pagestorm conform --builder "), std::string::npos) << line;
  EXPECT_NE(ran.out.find(", 1 violated, "), std::string::npos) << "and nothing else: " << ran.out;
}

TEST(OutsideRefusals, ThatComeTooLateSayWhatWasWritten) {
  const sim::Refusals all = of("hasty");
  ASSERT_TRUE(all.wrong);
  EXPECT_EQ(all.wrong->place.text, "page_size: is 0");
  EXPECT_EQ(all.wrong->got, "a refusal, after cu_seqlens_q, element 0, was written");
}

}  // namespace
}  // namespace pagestorm::outside
