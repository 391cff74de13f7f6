#include "trace_json.hpp"

#include <nlohmann/json.hpp>

#define PAGESTORM_TALLY_FIELDS                                                                                 \
  requests, steps, forwards, rows, cells, mode_steps, mode_rows, prefilled, accepted, verified, prompt_tokens, \
      hit_tokens, prompt_blocks, hit_blocks, retractions, readmissions, reclaimed, tombstones, window_freed,   \
      rows_peak, pages_peak, pages_sum, running_peak, running_sum, virtual_s, live_share
#define PAGESTORM_PROGRESS_FIELDS requests, forwards, rows

namespace pagestorm::sim {

void to_json(nlohmann::json& nlohmann_json_j, const DriveTally& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, PAGESTORM_TALLY_FIELDS))
}
void from_json(const nlohmann::json& nlohmann_json_j, DriveTally& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, PAGESTORM_TALLY_FIELDS))
}

}  // namespace pagestorm::sim

namespace pagestorm::cli {

void to_json(nlohmann::json& nlohmann_json_j, const EngineProgress& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, PAGESTORM_PROGRESS_FIELDS))
}
void from_json(const nlohmann::json& nlohmann_json_j, EngineProgress& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, PAGESTORM_PROGRESS_FIELDS))
}

}  // namespace pagestorm::cli
