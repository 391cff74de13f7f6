// new-builder: what it writes compiles alone and keeps the contract.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "c_builder.hpp"
#include "props/laws.hpp"
#include "run.hpp"
#include "sim/player.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::cli {
namespace {

// The library that a skeleton in `folder` compiles to; `options` are the compiler's.
std::string compiled(const std::string& folder, const std::string& options = "") {
  const std::string library = folder + "/libmine.so";
  const std::string command = "cc -std=c99 -Wall -Wextra -Werror -pedantic -O2 -shared -fPIC " + options + " -I'" +
                              folder + "' -o '" + library + "' '" + folder + "/builder.c'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return library;
}

TEST(NewBuilder, WritesASkeletonThatKeepsTheContract) {
  const TempDir dir;
  const Ran ran = run({"new-builder", dir / "mine"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* file : {"builder.c", "meson.build", "README.md", "pagestorm/abi.h"})
    EXPECT_TRUE(std::filesystem::exists(dir / ("mine/" + std::string(file)))) << file;
  CBuilder builder(compiled(dir / "mine"));
  const auto peer = host_builders().front().make(Fault::none);
  const auto laws = props::all_laws();
  sim::Player player(builder, peer.get(), laws);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto violations = player.play(sim::draw(sim::sub_seed(91, i), {.length_high = 512}));
    ASSERT_TRUE(violations.empty()) << violations.front().law << ": " << violations.front().place.text << ", expected "
                                    << violations.front().expected << ", got " << violations.front().got;
  }
}

// With seed 1, case 26 has an edge call in which a sum of 32 bits overflows.
TEST(NewBuilder, ConformsInAProcessOfItsOwn) {
  const TempDir dir;
  ASSERT_EQ(run({"new-builder", dir / "mine"}).code, 0);
  const Ran page =
      run({"conform", "--builder", compiled(dir / "mine"), "--cases", "60", "--seed", "1", "--out", dir / "out"});
  EXPECT_EQ(page.code, 0) << page.out << page.err;
  EXPECT_NE(page.out.find(" 0 violated"), std::string::npos) << page.out;
}

TEST(NewBuilder, DescribesItselfAsTheWholeContract) {
  const TempDir dir;
  ASSERT_EQ(run({"new-builder", dir / "mine"}).code, 0);
  const CBuilder builder(compiled(dir / "mine"));
  EXPECT_EQ(builder.symbol<std::uint32_t()>("pagestorm_abi_version")(), PAGESTORM_ABI_VERSION);
  pagestorm_capabilities capabilities;
  std::memset(&capabilities, 0xa5, sizeof capabilities);
  capabilities.size = sizeof capabilities;
  EXPECT_EQ(builder.symbol<int(pagestorm_capabilities*)>("pagestorm_describe")(&capabilities), 0);
  EXPECT_STREQ(capabilities.name, "mine");
  EXPECT_EQ(capabilities.without, 0u);
  EXPECT_EQ(capabilities.modes, 0u);
  EXPECT_EQ(capabilities.rows_high, 0);
}

TEST(NewBuilder, WritesOverNothing) {
  const TempDir dir;
  ASSERT_EQ(run({"new-builder", dir / "mine"}).code, 0);
  std::filesystem::remove(dir / "mine/README.md");
  const std::string before = text_of(dir / "mine/builder.c");
  const Ran again = run({"new-builder", dir / "mine"});
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("mine/builder.c: exists already, and is not written over"), std::string::npos) << again.err;
  EXPECT_FALSE(std::filesystem::exists(dir / "mine/README.md"));
  EXPECT_EQ(text_of(dir / "mine/builder.c"), before);
  EXPECT_EQ(run({"new-builder", dir / "mine/builder.c"}).code, 2);
  EXPECT_EQ(run({"new-builder"}).code, 2);
}

}  // namespace
}  // namespace pagestorm::cli
