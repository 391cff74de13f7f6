// What a run came to, as a number: the same for every right builder and any number of workers.

#include "cli/run_hash.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "run.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::cli {
namespace {

std::uint64_t hash_on(const BuilderEntry& entry, Fault fault, std::uint64_t seed) {
  const auto builder = entry.make(fault);
  HashingPlayer player(*builder, nullptr, law_names({}), fault, {});
  return player.hash_of(sim::draw(seed, {}));
}

TEST(RunHash, IsTheSameOnEveryRightBuilder) {
  const std::vector<BuilderEntry> entries = host_builders();
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const BuilderEntry& entry : entries)
      EXPECT_EQ(hash_on(entry, Fault::none, seed), hash_on(entries.front(), Fault::none, seed)) << entry.name << seed;
}

TEST(RunHash, DiffersBetweenScenariosAndWhereAFaultShows) {
  const BuilderEntry host = host_builders().front();
  EXPECT_NE(hash_on(host, Fault::none, 1), hash_on(host, Fault::none, 2));
  EXPECT_NE(hash_on(host, Fault::none, 1), hash_on(host, Fault::cumulative_sum_off_by_a_row, 1));
}

/// The host builder, which raises a status bit in every fifth call.
class Moody final : public Builder {
 public:
  std::string_view name() const override { return "moody"; }
  Capabilities capabilities() const override { return {}; }
  void enqueue(const Call& call) override {
    status_ = call.out.status;
    host_->enqueue(call);
  }
  void complete() override {
    host_->complete();
    if (++calls_ % 5 == 0) *status_ |= 1u << 8;
  }

 private:
  std::unique_ptr<Builder> host_ = host_builders().front().make(Fault::none);
  std::uint32_t* status_ = nullptr;
  int calls_ = 0;
};

TEST(RunHash, TellsABuilderThatDoesNotRepeatItself) {
  Moody moody;
  HashingPlayer player(moody, nullptr, law_names({"swa_slots_are_valid"}), Fault::none, {});
  std::uint64_t hash = 0;
  std::optional<sim::Violation> difference;
  for (std::uint64_t seed = 0; seed < 20 && !difference; ++seed)
    difference = player.difference(sim::draw(seed, {}), hash);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->law, repeats_itself);
  EXPECT_EQ(difference->builder, "moody");
}

nlohmann::json checked(const char* seed, const Args& more) {
  const TempDir dir;
  Args args = {"check", "--cases", "300", "--seed", seed, "--json", dir / "report.json"};
  args.insert(args.end(), more.begin(), more.end());
  const Ran ran = run(args);
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  return nlohmann::json::parse(text_of(dir / "report.json"), nullptr, false);
}

TEST(RunHash, OfACampaignDependsOnItsSeedAlone) {
  const nlohmann::json one = checked("7", {"--builder", "host", "--jobs", "1"});
  EXPECT_EQ(one["repeated"], 6);
  EXPECT_EQ(one["run_hash"], checked("7", {"--builder", "host", "--jobs", "2"})["run_hash"]);
  EXPECT_EQ(one["run_hash"], checked("7", {"--builder", "host-audited", "--jobs", "2"})["run_hash"]);
  EXPECT_NE(one["run_hash"], checked("8", {"--builder", "host"})["run_hash"]);
}

TEST(RunHash, IsPrintedByReplay) {
  const TempDir dir;
  const std::string file =
      dir.write("a.scenario", "pagestorm scenario 1\npage_size: 4\ncontext: 32\nsteps:\n  admit amount=7\n  decode\n");
  const Ran ran = run({"replay", "--hash", file, "--builder", "host", "--builder", "host-audited"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::vector<std::string> lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 5u) << ran.out;
  EXPECT_EQ(lines[1].substr(0, 27), lines[3].substr(0, 27));
  EXPECT_TRUE(lines[1].starts_with("run hash 0x") && lines[1].ends_with(" on host")) << ran.out;
}

}  // namespace
}  // namespace pagestorm::cli
