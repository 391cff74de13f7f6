#pragma once
// Tokens go where the call's write slots say, as the oracle sees it.

#include <optional>

#include "sim/kv_store.hpp"
#include "sim/law.hpp"

namespace pagestorm::props {

inline constexpr sim::Model both_models[] = {sim::Model::target, sim::Model::draft};

/// Whether a model takes part in a pass: it writes what is new, and reads.
inline bool runs(const sim::Forward& forward, sim::Model model) {
  return model == sim::Model::target ? forward.writes_target : forward.writes_draft;
}

inline const sim::Request& request_of(const sim::Moment& moment, const sim::ForwardRow& row) {
  return moment.world().requests()[static_cast<std::size_t>(row.request)];
}

inline const sim::Content& content_of(const sim::Request& request, sim::Model model) {
  return model == sim::Model::target ? request.target : request.draft;
}

/// Whether the slot of a column was taken from req_to_token.
bool punctured(const sim::Request& request, std::int64_t column);

/// Write slot `write` of the pass, as the device is told.
std::int64_t full_write_slot(const sim::Moment& moment, std::int64_t write);

/// What the builder made of it; nothing where it had no room for it.
std::optional<std::int64_t> swa_write_slot(const sim::Moment& moment, std::int64_t write);

/// Brings the slots up to what the engine did in its last step: pages that went back hold poison, loaded ones their
/// tokens.
void follow_engine(const sim::World& world, sim::KvSlots& slots);

/// Stores the tokens of all rows through out_cache_loc and swa_out_cache_loc; what cannot arrive leaves KvStore::lost.
/// The first slot that its request does not own for the token, or that is not the sink's in a padded row, is a violation.
std::optional<sim::Violation> write_all(sim::Moment& moment, sim::KvSlots& slots);

}  // namespace pagestorm::props
