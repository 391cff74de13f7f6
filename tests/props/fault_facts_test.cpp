// What is written down about faults is true: bugs have their scenarios, and where a fault is none, no law sees it.

#include "pagestorm/fault_facts.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>

#include "props/laws.hpp"
#include "props/verdict.hpp"
#include "sim/report.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"
#include "sim/text.hpp"
#include "tests/source_root.hpp"

namespace pagestorm::props {
namespace {

TEST(FaultFacts, AreWrittenDownOnceForAFault) {
  std::set<Fault> seen;
  for (const FaultFacts& facts : fault_fact_list()) {
    EXPECT_TRUE(seen.insert(facts.fault).second) << fault_name(facts.fault);
    EXPECT_NE(facts.kind, FaultClass::unclassed) << fault_name(facts.fault);
  }
  // A new fault may come before what is known of it.
  for (const FaultEntry& entry : fault_catalogue())
    if (!seen.contains(entry.fault)) std::cout << "no facts yet: " << entry.name << "\n";
}

TEST(FaultFacts, AreEmptyForAFaultThatNobodyWroteAbout) {
  const FaultFacts facts = fault_facts(Fault::none);
  EXPECT_EQ(facts.kind, FaultClass::unclassed);
  EXPECT_EQ(facts.re_creates, "");
  EXPECT_EQ(name_of(facts.kind), "unclassed");
}

TEST(FaultFacts, NameBugsWhoseScenariosHaveThatFault) {
  for (const FaultFacts& facts : fault_fact_list()) {
    std::istringstream names{std::string(facts.re_creates)};
    for (std::string name; names >> name;) {
      const auto path = source_root() / "tests" / "corpus" / (name + ".scenario");
      std::ifstream file(path, std::ios::binary);
      ASSERT_TRUE(file) << path;
      const sim::Finding finding = sim::parse(std::string(std::istreambuf_iterator<char>(file), {}), path.string());
      EXPECT_EQ(finding.fault, fault_name(facts.fault)) << path;
    }
  }
}

// Scenarios to which the words of `no_fault_if` apply; nothing for words that do not speak of what may be drawn.
std::optional<sim::Space> space_of(std::string_view no_fault_if) {
  sim::Space space;
  const auto never = [&](Mode mode) { space.modes[static_cast<std::size_t>(mode)] = false; };
  if (no_fault_if.starts_with("no SWA")) {
    space.swa = false;
  } else if (no_fault_if == "pages hold one token") {
    space.page_sizes = {1};
  } else if (no_fault_if == "the page size is a power of two") {
    space.page_sizes = {1, 2, 16, 64, 4096};
  } else if (no_fault_if == "no slot is absent") {
    space.odd = false;
  } else if (no_fault_if == "nothing is drafted or verified") {
    for (const Mode mode : {Mode::draft_decode, Mode::target_verify, Mode::ragged_verify, Mode::draft_extend})
      never(mode);
  } else {
    return std::nullopt;
  }
  return space;
}

TEST(FaultFacts, WhereAFaultIsNoneNoLawSeesIt) {
  constexpr std::uint64_t cases = 300;
  int held = 0;
  for (const FaultFacts& facts : fault_fact_list()) {
    auto space = space_of(facts.no_fault_if);
    if (!space) continue;
    space->flash = needs_flash(facts.fault);
    ++held;
    Trial trial(host_builders().front(), facts.fault, all_laws());
    for (std::uint64_t i = 0; i < cases; ++i) {
      const sim::Scenario scenario = sim::draw(sim::sub_seed(5, i), *space);
      const auto violation = trial.play(scenario);
      ASSERT_FALSE(violation) << fault_name(facts.fault) << "\n" << sim::explain(scenario, *violation);
    }
  }
  EXPECT_GE(held, 20);
}

}  // namespace
}  // namespace pagestorm::props
