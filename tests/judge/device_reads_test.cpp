// The law that reads as attention does, in its second form: bodies of kernels in the place of the host's walk, held against
// it on drawn scenarios and on every fault. Readers that are wrong are found out.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "host_reader.hpp"
#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "sim/player.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::judge {
namespace {

constexpr std::string_view law_name = "attention_reads_what_was_written";

// How often each law of a campaign was broken.
struct Broken {
  std::int64_t host = 0;
  std::int64_t device = 0;
  std::int64_t agreement = 0;
  std::string first_disagreement = {};
};

bool breaks(std::span<const sim::Violation> violations, std::string_view law) {
  return std::ranges::any_of(violations, [&](const sim::Violation& violation) { return violation.law == law; });
}

// Plays scenarios with the host's law and with the law that compares both readers.
Broken compare(HostReader& reader, Fault fault, const sim::Space& space, std::uint64_t scenarios,
               std::int64_t most = 1'000'000) {
  const auto builder = host_builders().front().make(fault_at(FaultSite::builder, fault));
  std::vector<std::unique_ptr<sim::Law>> laws;
  laws.push_back(props::attention_reads_what_was_written());
  laws.push_back(props::readers_agree(reader));
  sim::Player player(*builder, nullptr, laws);
  player.bend(fault);
  Broken broken;
  for (std::uint64_t i = 0; i < scenarios && broken.host < most; ++i) {
    const auto violations = player.play(sim::draw(sim::sub_seed(31, i), space));
    broken.host += breaks(violations, law_name) ? 1 : 0;
    if (!breaks(violations, props::readers_agree_name)) continue;
    const sim::Violation& found = violations.back();
    if (broken.agreement++ == 0)
      broken.first_disagreement = std::string(fault_name(fault)) + ": scenario " + std::to_string(i) + ", step " +
                                  std::to_string(found.step) + ", " + found.place.text + "\n" + found.expected + "\n" +
                                  found.got;
  }
  return broken;
}

// How many scenarios break the law where only the device reads.
std::int64_t broken_on_device(HostReader& reader, Fault fault, const sim::Space& space, std::uint64_t scenarios,
                              std::int64_t most) {
  const auto builder = host_builders().front().make(fault_at(FaultSite::builder, fault));
  std::vector<std::unique_ptr<sim::Law>> laws;
  laws.push_back(props::attention_reads_on_device(reader));
  sim::Player player(*builder, nullptr, laws);
  player.bend(fault);
  std::int64_t broken = 0;
  for (std::uint64_t i = 0; i < scenarios && broken < most; ++i)
    broken += player.play(sim::draw(sim::sub_seed(31, i), space)).empty() ? 0 : 1;
  return broken;
}

TEST(DeviceReads, AgreeWithTheHostOnASoundBuilder) {
  HostReader reader;
  const Broken broken = compare(reader, Fault::none, {.length_high = 600, .far = false}, 400);
  EXPECT_EQ(broken.host, 0);
  EXPECT_EQ(broken.agreement, 0) << broken.first_disagreement;
  EXPECT_EQ(reader.met, (std::set<MisreadKind>{MisreadKind::none}));
  EXPECT_GT(reader.unwritten, 0) << "odd rows and punctured pages have write slots that are none";
  HostReader alone;
  EXPECT_EQ(broken_on_device(alone, Fault::none, {.length_high = 600, .far = false}, 100, 1), 0);
}

TEST(DeviceReads, AgreeWithTheHostOnEveryFault) {
  HostReader reader;
  std::int64_t found = 0;
  for (const FaultEntry& entry : fault_catalogue()) {
    const sim::Space space = {.length_high = 300, .far = false};
    const Broken broken = compare(reader, entry.fault, space, 150, 5);
    EXPECT_EQ(broken.agreement, 0) << broken.first_disagreement;
    if (broken.host == 0) continue;
    ++found;
    HostReader alone;
    EXPECT_GT(broken_on_device(alone, entry.fault, space, 150, 1), 0) << entry.name;
  }
  EXPECT_GE(found, 20);
  EXPECT_EQ(reader.met.size(), 7u) << "every way to misread was met, and none";
}

TEST(DeviceReads, SayTheSameWithAnyNumberOfLanes) {
  for (const std::int32_t lanes : {1, 2, 64}) {
    HostReader reader({}, lanes);
    const Broken broken = compare(reader, Fault::translated_after_dividing, {.length_high = 300, .far = false}, 60, 20);
    EXPECT_GT(broken.host, 0);
    EXPECT_EQ(broken.agreement, 0) << broken.first_disagreement;
  }
}

TEST(DeviceReads, ThatAreWrongDoNotAgree) {
  const HostReader::Tamper wrong[] = {
      [](AttentionBatch& in) { in.window *= 2; },
      [](AttentionBatch& in) { in.swa = in.full; },
      [](AttentionBatch& in) { in.out.cache_seqlens.stride = 0; },
      [](AttentionBatch& in) { in.full.pages = 0; },
  };
  for (const HostReader::Tamper& tamper : wrong) {
    HostReader reader(tamper);
    const Broken broken = compare(reader, Fault::none, {.length_high = 600, .far = false}, 100);
    EXPECT_EQ(broken.host, 0);
    EXPECT_GT(broken.agreement, 0) << &tamper - wrong;
  }
}

// Behind a wrong table, the first key of the window is the first that is wrong.
TEST(DeviceReads, WhoseWindowIsOffByOneDoNotAgree) {
  for (const int off : {-1, 1}) {
    HostReader reader([off](AttentionBatch& in) { in.window += off; });
    const Broken broken = compare(reader, Fault::swa_table_untranslated, {.length_high = 300, .far = false}, 100);
    EXPECT_GT(broken.host, 0);
    EXPECT_GT(broken.agreement, 0);
  }
}

}  // namespace
}  // namespace pagestorm::judge
