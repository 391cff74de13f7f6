#pragma once
// Figures of a trace's engines as JSON.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "sim/trace_drive.hpp"

namespace pagestorm::cli {

/// How far one engine is.
struct EngineProgress {
  std::int64_t requests = 0;  ///< finished
  std::int64_t forwards = 0;
  std::int64_t rows = 0;
};

void to_json(nlohmann::json& json, const EngineProgress& progress);
void from_json(const nlohmann::json& json, EngineProgress& progress);

}  // namespace pagestorm::cli

namespace pagestorm::sim {

void to_json(nlohmann::json& json, const DriveTally& tally);
void from_json(const nlohmann::json& json, DriveTally& tally);

}  // namespace pagestorm::sim
