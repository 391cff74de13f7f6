// Tokens are stored where a request has a page of its own, and nowhere else.

#include <gtest/gtest.h>

#include "pagestorm/builder.hpp"
#include "props/verdict.hpp"
#include "sim/text.hpp"

namespace pagestorm::props {
namespace {

// The engine has reserved nothing for the last step, and its first write slot is absent.
constexpr const char* absent_slot_without_a_page = R"(pagestorm scenario 1
page_size: 1
context: 1
requests: 1
pages: 1
draft_tokens: 1
draft_steps: 1
steps:
  admit
  verify amount=2
  draft odd=negative-slot
)";

TEST(KvWrites, AnAbsentSlotIsStrayWhereTheRequestHasNoPage) {
  const sim::Scenario scenario = sim::parse(absent_slot_without_a_page, "text").scenario;
  const BuilderEntry host = host_builders().front();
  Trial bent(host, Fault::reserve_ignores_lag, law_alone("attention_reads_what_was_written"));
  const auto violation = bent.play(scenario);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->place.text, "out_cache_loc, element 0");
  EXPECT_EQ(violation->got, "slot -1, no slot");
  Trial sound(host, Fault::none, law_alone("attention_reads_what_was_written"));
  EXPECT_FALSE(sound.play(scenario)) << "the request has a page there";
}

}  // namespace
}  // namespace pagestorm::props
