#pragma once
// A CUDA builder, and a judge that lives where its images do.

#include <memory>
#include <span>
#include <vector>

#include "pagestorm/device_judge.hpp"
#include "sim/pack.hpp"
#include "stand.hpp"

namespace pagestorm::cli {

class DeviceStand {
 public:
  /// `stand` must outlive this.
  DeviceStand(Stand& stand, Fault fault, const sim::PackOptions& options);

  Builder& builder() const { return *stand_.builder; }
  sim::Pack& pack() { return pack_; }
  std::span<const std::unique_ptr<sim::Law>> laws() const { return stand_.laws; }

 private:
  Stand& stand_;
  std::unique_ptr<DeviceJudge> judge_;
  sim::Pack pack_;
};

/// Plays one scenario on a device stand that compares judges; the first law that is broken, judges_agree among them, or none.
std::vector<sim::Violation> compared(DeviceStand& stand, const sim::Scenario& scenario);

}  // namespace pagestorm::cli
