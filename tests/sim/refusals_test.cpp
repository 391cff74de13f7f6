// Shapes that do not fit: who looks at them holds, and each one that is not looked at is named.

#include "sim/refusals.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/check.hpp"
#include "pagestorm/builder.hpp"
#include "sim/flash/refusals.hpp"

namespace pagestorm::sim {
namespace {

TEST(Refusals, AreThoseOfTheContract) {
  for (const BuilderEntry& entry : host_builders()) {
    const Refusals all = offer_wrong_shapes(*entry.make(Fault::none));
    EXPECT_FALSE(all.wrong) << entry.name << ": " << all.wrong->place.text << ", " << all.wrong->got;
    EXPECT_GT(all.offered, 30);
    EXPECT_EQ(wrong_flash_refusal(*entry.make(Fault::none)), "") << entry.name;
  }
}

/// Takes everything.
class Lenient final : public Builder {
 public:
  std::string_view name() const override { return "lenient"; }
  Capabilities capabilities() const override { return {}; }
  void enqueue(const Call&) override {}
  void enqueue(const FlashCall&) override {}
  void complete() override {}
};

TEST(Refusals, OfABuilderOfThisProgramMustCome) {
  Lenient lenient;
  const Refusals all = offer_wrong_shapes(lenient);
  ASSERT_TRUE(all.wrong);
  EXPECT_EQ(all.offered, 1);
  EXPECT_EQ(all.wrong->place.text, "page_size: is 0");
  EXPECT_EQ(all.wrong->got, "taken");
  EXPECT_EQ(wrong_flash_refusal(lenient), "page_size: must be refused");
}

/// Stands for one in a process of its own: it refuses while it runs, but for what is wrong with one argument.
class Forgetful final : public Builder {
 public:
  explicit Forgetful(std::string argument, Promise promise = {}) : forgotten_(std::move(argument)), promise_(promise) {}
  std::string_view name() const override { return "forgetful"; }
  Capabilities capabilities() const override { return {.isolated = true, .promise = promise_}; }
  void enqueue(const Call& call) override { call_ = call; }
  void complete() override {
    const char* problem = core::complaint(call_.batch, call_.out);
    if (writes_first) *call_.out.cache_seqlens.data = 7;
    if (problem == nullptr && fails) throw BuilderFailed(BuilderFailed::How::crashed, "crashed");
    if (problem == nullptr) return host_->run(call_);
    if (!std::string(problem).starts_with(forgotten_ + ":")) throw BuilderFailed(BuilderFailed::How::refused, problem);
    if (crashes) throw BuilderFailed(BuilderFailed::How::crashed, "was ended by signal 11");
  }

  bool writes_first = false;
  bool crashes = false;
  bool fails = false;  ///< in right calls

 private:
  std::string forgotten_;
  Promise promise_;
  Call call_;
  std::unique_ptr<Builder> host_ = host_builders().front().make(Fault::none);
};

TEST(Refusals, OfOthersAreMissedByArgument) {
  for (const char* argument :
       {"page_size", "rows", "tokens_per_row", "draft_step", "req_to_token", "req_pool_indices", "seq_lens",
        "page_table", "status", "swa_page_table", "cu_seqlens_q", "cu_seqlens_k", "cache_seqlens", "extend_seq_lens"}) {
    Forgetful builder(argument);
    const Refusals all = offer_wrong_shapes(builder);
    ASSERT_TRUE(all.wrong) << argument;
    EXPECT_TRUE(all.wrong->place.text.starts_with(std::string(argument) + ": ")) << all.wrong->place.text;
    EXPECT_EQ(all.wrong->expected, "a refusal before anything is written");
    EXPECT_EQ(all.wrong->got, "taken");
  }
  Forgetful sound("nothing");
  EXPECT_FALSE(offer_wrong_shapes(sound).wrong);
}

TEST(Refusals, ThatComeAfterAWordWasWrittenAreNone) {
  Forgetful builder("nothing");
  builder.writes_first = true;
  const Refusals all = offer_wrong_shapes(builder);
  ASSERT_TRUE(all.wrong);
  EXPECT_EQ(all.wrong->got, "a refusal, after cache_seqlens, element 0, was written");
}

TEST(Refusals, ACrashInTheirPlaceIsSaid) {
  Forgetful builder("seq_lens");
  builder.crashes = true;
  const Refusals all = offer_wrong_shapes(builder);
  ASSERT_TRUE(all.wrong);
  EXPECT_EQ(all.wrong->place.text, "seq_lens: is absent");
  EXPECT_EQ(all.wrong->got, "was ended by signal 11");
}

TEST(Refusals, AreAskedForBesideARightCallOnly) {
  Forgetful builder("page_size");
  builder.fails = true;
  EXPECT_EQ(offer_wrong_shapes(builder).offered, 0);
  EXPECT_FALSE(offer_wrong_shapes(builder).wrong);
}

TEST(Refusals, AreAskedForWhereTheyWerePromised) {
  const auto wrong = [](const char* argument, auto declare) {
    Promise promise;
    declare(promise);
    Forgetful builder(argument, promise);
    return offer_wrong_shapes(builder).wrong.has_value();
  };
  EXPECT_FALSE(wrong("page_size", [](Promise& p) { p.refusals = false; }));
  EXPECT_FALSE(wrong("status", [](Promise& p) { p.status = false; }));
  EXPECT_FALSE(wrong("swa_page_table", [](Promise& p) { p.swa = false; }));
  const auto decodes = [](Promise& p) { p.modes = {false, true, false, false, false, false, false}; };
  for (const char* argument : {"tokens_per_row", "draft_step", "extend_seq_lens"})
    EXPECT_FALSE(wrong(argument, decodes)) << argument;
  EXPECT_TRUE(wrong("seq_lens", decodes));
  EXPECT_TRUE(wrong("page_table", [](Promise& p) { p.rows_high = 1, p.page_size_low = p.page_size_high = 4096; }));
}

}  // namespace
}  // namespace pagestorm::sim
