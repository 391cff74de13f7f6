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

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder()))
    if (entry.path().extension() == ".scenario") found.push_back(entry.path().stem());
  std::sort(found.begin(), found.end());
  return found;
}

sim::Finding read(const std::string& name) {
  const fs::path path = folder() / (name + ".scenario");
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
  const sim::Finding finding = read(GetParam());
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

INSTANTIATE_TEST_SUITE_P(Each, Corpus, testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace pagestorm::props
