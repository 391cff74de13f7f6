// The status word is added to: a builder that takes away what it held, or adds in another way, is seen.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "declared_builder.hpp"
#include "props/laws.hpp"
#include "sim/player.hpp"

namespace pagestorm::props {
namespace {

// Whether a decode in which `odd` raises bits keeps what the word held.
bool keeps_bits(Bend bend, sim::Odd odd, bool promised = true) {
  Capabilities capabilities;
  capabilities.promise.status = promised;
  DeclaredBuilder builder(host_builders().front().make(Fault::none), capabilities, std::move(bend));
  std::vector<std::unique_ptr<sim::Law>> laws;
  laws.push_back(status_is_ored_in());
  sim::Player player(builder, nullptr, laws);
  return player
      .play({.steps = {{.kind = sim::StepKind::admit, .amount = 3}, {.kind = sim::StepKind::decode, .odd = odd}}})
      .empty();
}

// Puts together, in its own way, what the word held and the bits of the call.
Bend puts(std::uint32_t (*together)(std::uint32_t held, std::uint32_t raised)) {
  const auto held = std::make_shared<std::uint32_t>(0);
  return {.before =
              [held](const Call& call) {
                *held = *call.out.status;
                *call.out.status = 0;
              },
          .after = [held, together](const Call& call) { *call.out.status = together(*held, *call.out.status); }};
}

TEST(StatusIsOredIn, HoldsWhereBitsAreAdded) {
  for (const sim::Odd odd : {sim::Odd::none, sim::Odd::negative_length, sim::Odd::outside_pool})
    EXPECT_TRUE(keeps_bits(puts([](std::uint32_t held, std::uint32_t raised) { return held | raised; }), odd));
}

TEST(StatusIsOredIn, SeesOtherWaysToPutBitsInTheWord) {
  const sim::Odd odd = sim::Odd::negative_length;
  EXPECT_FALSE(keeps_bits({.before = [](const Call& call) { *call.out.status = 0; }}, sim::Odd::none)) << "cleared";
  EXPECT_FALSE(keeps_bits(puts([](std::uint32_t, std::uint32_t raised) { return raised; }), odd)) << "stored";
  EXPECT_FALSE(keeps_bits(puts([](std::uint32_t held, std::uint32_t raised) { return held + raised; }), odd))
      << "added";
  EXPECT_FALSE(keeps_bits(puts([](std::uint32_t held, std::uint32_t raised) { return held ^ raised; }), odd)) << "xor";
  EXPECT_FALSE(keeps_bits(puts([](std::uint32_t held, std::uint32_t raised) { return held == 0 ? raised : held; }),
                          sim::Odd::huge_length))
      << "the first one alone is told";
}

TEST(StatusIsOredIn, SaysNothingOfABuilderThatReportsNothing) {
  EXPECT_TRUE(keeps_bits({.before = [](const Call& call) { *call.out.status = 0; }}, sim::Odd::none, false));
}

}  // namespace
}  // namespace pagestorm::props
