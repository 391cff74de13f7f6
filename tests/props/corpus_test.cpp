// The corpus: scenarios after public bugs. Each holds as it is, and breaks its law with the fault that it names.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "props/laws.hpp"
#include "props/verdict.hpp"
#include "sim/report.hpp"
#include "sim/text.hpp"
#include "tests/source_root.hpp"

namespace pagestorm::props {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return source_root() / "tests" / "corpus"; }

// What our own world or laws once had wrong: names no fault, and holds.
fs::path own_folder() { return folder() / "own"; }

std::vector<std::string> names(const fs::path& where) {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(where))
    if (entry.path().extension() == ".scenario") found.push_back(entry.path().stem());
  std::sort(found.begin(), found.end());
  return found;
}

sim::Finding read(const fs::path& where, const std::string& name) {
  const fs::path path = where / (name + ".scenario");
  std::ifstream file(path, std::ios::binary);
  return sim::parse(std::string(std::istreambuf_iterator<char>(file), {}), path.string());
}

const BuilderEntry& builder_of(const sim::Finding& finding) {
  static const std::vector<BuilderEntry> all = host_builders();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.name == finding.builder; });
  return found == all.end() ? all.front() : *found;
}

class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, HoldsWithoutItsFaultAndBreaksItsLawWithIt) {
  const sim::Finding finding = read(folder(), GetParam());
  ASSERT_FALSE(finding.note.empty());
  const auto fault = fault_by_name(finding.fault);
  ASSERT_TRUE(fault && *fault != Fault::none) << finding.fault;
  const BuilderEntry& builder = builder_of(finding);
  Trial sound(builder, Fault::none, all_laws());
  const auto met = sound.play(finding.scenario);
  EXPECT_FALSE(met) << sim::explain(finding.scenario, *met);
  Trial faulty(builder, *fault, all_laws());
  const auto violation = faulty.play(finding.scenario);
  ASSERT_TRUE(violation) << "holds with " << finding.fault;
  EXPECT_EQ(violation->law, finding.law);
}

class OwnCorpus : public testing::TestWithParam<std::string> {};

TEST_P(OwnCorpus, HoldsOnEveryHostBuilder) {
  const sim::Finding finding = read(own_folder(), GetParam());
  ASSERT_FALSE(finding.note.empty());
  EXPECT_EQ(finding.fault, "");
  for (const BuilderEntry& builder : host_builders()) {
    Trial trial(builder, Fault::none, all_laws());
    const auto met = trial.play(finding.scenario);
    EXPECT_FALSE(met) << sim::explain(finding.scenario, *met);
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Each, Corpus, testing::ValuesIn(names(folder())), test_name);
INSTANTIATE_TEST_SUITE_P(Each, OwnCorpus, testing::ValuesIn(names(own_folder())), test_name);

}  // namespace
}  // namespace pagestorm::props
