// Long runs: they end when told to, go on after failures, and outlive their workers.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <sstream>
#include <thread>

#include "report.hpp"
#include "sim/text.hpp"

namespace pagestorm::cli {
namespace {

namespace fs = std::filesystem;

void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }

// Hundredths of a second that a process has computed; 0 when it is gone.
long ticks_of(pid_t pid) {
  const std::string stat = text_of("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  long ticks = 0;
  fields >> ticks;
  return ticks;
}

// Waits until every worker has played for a while, and returns them.
std::vector<pid_t> workers_at_play(const Process& process, std::size_t count) {
  std::vector<pid_t> workers;
  for (int i = 0; i < 3000; ++i, nap()) {
    workers = process.children();
    if (workers.size() == count &&
        std::all_of(workers.begin(), workers.end(), [](pid_t worker) { return ticks_of(worker) >= 5; }))
      break;
  }
  EXPECT_EQ(workers.size(), count);
  return workers;
}

std::vector<std::string> scenarios_in(const fs::path& folder) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    EXPECT_EQ(entry.path().extension(), ".scenario") << entry.path();
    files.push_back(entry.path().string());
  }
  return files;
}

TEST(Fuzz, HoldsUntilItsTimeIsOver) {
  const TempDir dir;
  const Ran ran = run({"fuzz", "--for", "2s", "--jobs", "2", "--seed", "1"}, {.folder = dir.path()});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("\nheld: 0 violations in "), std::string::npos) << ran.out;
  EXPECT_TRUE(scenarios_in(dir.path() / "failures").empty());
}

TEST(Fuzz, SavesEveryDistinctFailure) {
  const TempDir dir;
  const Reported reported =
      report_of(dir, {"fuzz", "--cases", "400", "--jobs", "2", "--seed", "1", "--fault", "tail_not_zeroed"});
  EXPECT_EQ(reported.ran.code, 1) << reported.ran.out << reported.ran.err;
  EXPECT_EQ(reported.json["coverage"]["scenarios"], 400);
  EXPECT_EQ(saved_by(reported.ran.out).problem, "");
  const std::vector<std::string> files = scenarios_in(dir.path() / "failures");
  ASSERT_FALSE(files.empty());
  std::set<std::string> texts;
  for (const auto& failure : reported.json["failures"]) {
    EXPECT_TRUE(fs::exists(dir / failure["file"].get<std::string>())) << failure;
    EXPECT_TRUE(texts.insert(failure["law"].get<std::string>() + failure["scenario"].get<std::string>()).second);
  }
  for (const std::string& file : files) {
    const Ran replayed = run({"replay", file, "--with-fault"});
    EXPECT_EQ(replayed.code, 1) << file << replayed.out << replayed.err;
  }
}

class FuzzToldToStop : public testing::TestWithParam<int> {};

TEST_P(FuzzToldToStop, EndsWithItsReport) {
  const TempDir dir;
  Process process({"fuzz", "--for", "60s", "--jobs", "2", "--seed", "1", "--json", dir / "report.json"},
                  {.folder = dir.path()});
  for (const pid_t worker : workers_at_play(process, 2)) kill(worker, GetParam());  // as a group of processes gets it
  process.send(GetParam());
  const Ran ran = process.wait(30);
  EXPECT_EQ(ran.signal, 0);
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("\nheld: 0 violations in "), std::string::npos) << ran.out;
  EXPECT_TRUE(ran.out.ends_with("(interrupted)\n")) << ran.out;
  EXPECT_NE(ran.out.find("\ncovered "), std::string::npos) << ran.out;
  const auto json = nlohmann::json::parse(text_of(dir / "report.json"));
  EXPECT_EQ(json["interrupted"], true);
  EXPECT_GT(json["cases"], 0);
}

INSTANTIATE_TEST_SUITE_P(BySignal, FuzzToldToStop, testing::Values(SIGINT, SIGTERM));

TEST(Fuzz, WhenItIsKilledItsWorkersEnd) {
  const TempDir dir;
  Process process({"fuzz", "--for", "60s", "--jobs", "2"}, {.folder = dir.path()});
  const std::vector<pid_t> workers = workers_at_play(process, 2);
  ASSERT_EQ(workers.size(), 2u);
  process.send(SIGKILL);
  EXPECT_EQ(process.wait().signal, SIGKILL);
  const auto alive = [](pid_t worker) {
    const std::string stat = text_of("/proc/" + std::to_string(worker) + "/stat");
    return !stat.empty() && stat.find(") Z ") == std::string::npos;
  };
  for (const pid_t worker : workers) {
    for (int i = 0; i < 1000 && alive(worker); ++i) nap();
    EXPECT_FALSE(alive(worker));
  }
}

// A worker that is killed between two scenarios played none; then another try is made.
Ran run_and_kill_a_worker(const Args& args, const TempDir& dir) {
  Ran ran;
  for (int attempt = 0; attempt < 20; ++attempt) {
    Process process(args, {.folder = dir.path()});
    const std::vector<pid_t> workers = workers_at_play(process, 1);
    if (workers.empty()) return process.wait(1);
    kill(workers.front(), SIGKILL);
    ran = process.wait(30);
    if (ran.code != 3) break;
    EXPECT_NE(ran.err.find("between two scenarios"), std::string::npos) << ran.err;
  }
  return ran;
}

TEST(Fuzz, AWorkerThatIsKilledIsAFailureOfItsScenario) {
  const TempDir dir;
  const Ran ran = run_and_kill_a_worker({"check", "--for", "60s", "--seed", "1"}, dir);
  ASSERT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("\ndoes_not_crash is VIOLATED by host"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("Killed"), std::string::npos) << ran.out;
  const Saved saved = saved_by(ran.out);
  ASSERT_EQ(saved.problem, "") << ran.out;
  const sim::Finding finding = sim::parse(text_of(dir / saved.file), saved.file);
  EXPECT_EQ(finding.law, "does_not_crash");
  EXPECT_FALSE(finding.scenario.steps.empty());
  // Nothing is wrong with the scenario itself.
  const Ran replayed = run(saved.replay, {.folder = dir.path()});
  EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
}

TEST(Fuzz, GoesOnAfterAWorkerIsKilled) {
  const TempDir dir;
  Process process({"fuzz", "--for", "60s", "--jobs", "2", "--seed", "1"}, {.folder = dir.path()});
  const std::vector<pid_t> workers = workers_at_play(process, 2);
  ASSERT_EQ(workers.size(), 2u);
  kill(workers.front(), SIGKILL);
  std::vector<pid_t> now = workers;
  for (int i = 0; i < 1000 && (now == workers || now.size() < 2); ++i) {
    nap();
    now = process.children();
  }
  EXPECT_EQ(now.size(), 2u);
  process.send(SIGINT);
  const Ran ran = process.wait(30);
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("does_not_crash is VIOLATED"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace pagestorm::cli
