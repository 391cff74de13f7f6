#pragma once
// Sample traces, and an engine under all laws that they drive.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "sim/trace_drive.hpp"
#include "tests/source_root.hpp"

namespace pagestorm::sim {

inline std::vector<TraceRequest> sample(const std::string& name, TraceFormat format) {
  const std::string path = source_root() / "tests/data/traces" / name;
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return read_trace(std::string(std::istreambuf_iterator<char>(file), {}), path, format, 0);
}

inline std::vector<TraceRequest> mooncake() { return sample("mooncake_sample.jsonl", TraceFormat::mooncake); }
inline std::vector<TraceRequest> azure() { return sample("azure_sample.csv", TraceFormat::azure); }
inline std::vector<TraceRequest> lengths() { return sample("lengths_sample.csv", TraceFormat::lengths); }

// An engine under laws, and what it did.
class Rig {
 public:
  Rig(const std::vector<TraceRequest>& requests, const DriveOptions& options, Fault fault = Fault::none)
      : plan_(plan_drive(requests, options)),
        builder_(host_builders().front().make(fault_at(FaultSite::builder, fault))),
        fault_(fault),
        laws_(props::all_laws()) {
    player_ = std::make_unique<Player>(*builder_, nullptr, laws_);
    player_->bend(fault);
    drive_ = std::make_unique<TraceDrive>(*player_, plan_.requests, options);
  }

  const DriveTally& run() {
    while (drive_->advance()) {
    }
    return drive_->tally();
  }

  const DrivePlan& plan() const { return plan_; }
  TraceDrive& drive() { return *drive_; }
  Player& player() { return *player_; }

  bool breaks(const Scenario& scenario, const std::string& law) {
    Player fresh(*builder_, nullptr, laws_);
    fresh.bend(fault_);
    const auto violations = fresh.play(scenario);
    return !violations.empty() && violations.front().law == law;
  }

 private:
  DrivePlan plan_;
  std::unique_ptr<Builder> builder_;
  Fault fault_;
  std::vector<std::unique_ptr<Law>> laws_;
  std::unique_ptr<Player> player_;
  std::unique_ptr<TraceDrive> drive_;
};

inline DriveOptions fitting(const std::vector<TraceRequest>& requests) { return {.context = context_for(requests)}; }

inline std::int64_t rows_of(const DriveTally& tally, Mode mode) {
  return tally.mode_rows[static_cast<std::size_t>(mode)];
}

}  // namespace pagestorm::sim
