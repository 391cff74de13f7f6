#include "sim/fit.hpp"

#include <gtest/gtest.h>

#include "sim/rng.hpp"
#include "sim/swarm.hpp"
#include "sim/text.hpp"

namespace pagestorm::sim {
namespace {

// A builder that takes as little as can be.
Promise narrow() {
  Promise promise;
  promise.page_size_low = 16;
  promise.page_size_high = 128;
  promise.page_size_power_of_two = true;
  promise.rows_high = 3;
  promise.index_types = {true, false};
  promise.length_types = promise.location_types = promise.map_types = {false, true};
  promise.input_strides = promise.output_strides = promise.own_swa_stride = promise.padded_tables = false;
  promise.far_rows = false;
  return promise;
}

Scenario drawn(std::uint64_t i) { return draw(sub_seed(71, i), {}); }

TEST(Fit, LeavesAScenarioAloneThatTheBuilderTakes) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Fitted fitted = fit(drawn(i), {});
    EXPECT_EQ(fitted.scenario, drawn(i));
    EXPECT_TRUE(fitted.by.none());
  }
}

TEST(Fit, MakesALegalScenarioThatIsTaken) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Fitted fitted = fit(drawn(i), narrow());
    EXPECT_EQ(complaint(fitted.scenario.config), "");
    EXPECT_EQ(misfit(fitted.scenario.config, narrow()), std::nullopt);
    EXPECT_EQ(fit(fitted.scenario, narrow()).scenario, fitted.scenario) << "a second time";
    EXPECT_EQ(fitted.scenario.steps, drawn(i).steps);
  }
}

TEST(Fit, TakesThePageSizeBelowAndKeepsTheTokensOfThePools) {
  Promise promise;
  promise.page_size_power_of_two = true;
  const Fitted fitted = fit({.config = {.page_size = 96, .pages = 20, .swa_pages = 10}}, promise);
  EXPECT_EQ(fitted.scenario.config.page_size, 64);
  EXPECT_EQ(fitted.scenario.config.pages, 30);
  EXPECT_EQ(fitted.scenario.config.swa_pages, 15);
  EXPECT_TRUE(has(fitted.by, Excuse::page_sizes));
  promise.page_size_low = 128;
  EXPECT_EQ(fit({.config = {.page_size = 96}}, promise).scenario.config.page_size, 128);
}

TEST(Fit, SaysWhyAScenarioIsNotTaken) {
  Config config;
  config.layout.table_stride = 2;
  Promise promise;
  promise.output_strides = false;
  EXPECT_EQ(misfit(config, promise), Excuse::output_strides);
  promise = {};
  promise.swa = false;
  EXPECT_EQ(misfit(config, promise), std::nullopt);
  config.swa = true;
  EXPECT_EQ(misfit(config, promise), Excuse::swa);
}

TEST(Excuses, AreDeclaredByWhatDiffersFromTheWholeContract) {
  EXPECT_TRUE(declared({}).none());
  EXPECT_EQ(declared({.promise = narrow()}).count(), 8u);
  EXPECT_TRUE(has(declared({.orders = false}), Excuse::orders));
  for (std::size_t i = 0; i < excuse_count; ++i)
    EXPECT_EQ(excuse_catalogue()[i].excuse, static_cast<Excuse>(i)) << excuse_catalogue()[i].name;
}

}  // namespace
}  // namespace pagestorm::sim
