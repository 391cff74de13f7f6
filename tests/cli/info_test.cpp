// What the program says that it has is what it has.

#include <gtest/gtest.h>

#include "pagestorm/builder.hpp"
#include "pagestorm/device_reader.hpp"
#include "pagestorm/fault.hpp"
#include "props/laws.hpp"
#include "run.hpp"

namespace pagestorm::cli {
namespace {

std::vector<std::string> law_names_here() {
  std::vector<std::string> names;
  for (const props::LawEntry& entry : props::law_catalogue()) names.emplace_back(entry.name);
  return names;
}

std::vector<std::string> fault_names_here() {
  std::vector<std::string> names;
  for (const FaultEntry& entry : fault_catalogue()) names.emplace_back(entry.name);
  return names;
}

TEST(Info, ListsEveryLawFaultAndBuilder) {
  const Ran ran = run({"info"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(ran.out.starts_with("pagestorm " PAGESTORM_VERSION " ")) << ran.out;
  for (const auto& names : {law_names_here(), fault_names_here()})
    for (const std::string& name : names) EXPECT_NE(ran.out.find("\n  " + name + " "), std::string::npos) << name;
  for (const BuilderEntry& entry : builders()) {
    const std::size_t at = ran.out.find("\n  " + std::string(entry.name) + " ");
    ASSERT_NE(at, std::string::npos) << entry.name;
    const std::string line = ran.out.substr(at + 1, ran.out.find('\n', at + 1) - at - 1);
    const std::string says = entry.absent_because.empty() ? " present" : "absent: " + std::string(entry.absent_because);
    EXPECT_TRUE(line.ends_with(says)) << line;
  }
}

TEST(Info, SaysWhetherADeviceCanRead) {
  const std::string absent = device_reader_absent_because();
  const Ran ran = run({"info"});
  EXPECT_NE(ran.out.find("\nreaders\n  host            present\n  device          " +
                         (absent.empty() ? "present\n" : "absent: " + absent + "\n")),
            std::string::npos)
      << ran.out;
}

TEST(Info, LawsAndFaultsStandOneALine) {
  EXPECT_EQ(lines_of(run({"info", "--laws"}).out), law_names_here());
  EXPECT_EQ(lines_of(run({"info", "--faults"}).out), fault_names_here());
}

}  // namespace
}  // namespace pagestorm::cli
