#pragma once
// Expanded rows of the FlashAttention family as attention walks them, key by key.

#include <cstdint>
#include <optional>
#include <string>

#include "causal_sets.hpp"
#include "sim/kv_store.hpp"
#include "sim/law.hpp"

namespace pagestorm::props {

/// Keys of an expanded row, and where each lies, as the builder says.
std::int64_t keys_said(const sim::FlashMoment& moment, const CausalSet& set);
std::int64_t queries_said(const sim::FlashMoment& moment, const CausalSet& set);

/// The slot of key `key`, or nothing where the table ends before it.
std::optional<std::int64_t> slot_said(const sim::FlashMoment& moment, const CausalSet& set, std::int64_t key);

/// The request that a causal set is of.
const sim::Request& request_of(const sim::FlashMoment& moment, const CausalSet& set);

/// A violation at a key of an expanded row, or at its lengths.
sim::Violation at_key(const sim::FlashMoment& moment, const CausalSet& set, std::int64_t key, std::string expected,
                      std::string got, std::string why);
sim::Violation at_lengths(const sim::FlashMoment& moment, const CausalSet& set, std::string expected, std::string got,
                          std::string why);

/// That an expanded row has as many keys and queries as its causal set.
std::optional<sim::Violation> judge_lengths(const sim::FlashMoment& moment, const CausalSet& set,
                                            const std::string& why);

/// The same, and that each key lies in the slot that the request owns for its position: each key is met once.
std::optional<sim::Violation> judge_slots(const sim::FlashMoment& moment, const CausalSet& set, const std::string& why);

/// That each key's slot holds the token that belongs there, in every model that takes part. Lost and unknown tokens are
/// passed over.
std::optional<sim::Violation> judge_tokens(const sim::FlashMoment& moment, const CausalSet& set,
                                           const sim::KvStore& store);

}  // namespace pagestorm::props
