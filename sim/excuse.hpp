#pragma once
// What a builder's promises excuse it from, and how often that mattered.

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "pagestorm/builder.hpp"
#include "reference.hpp"

namespace pagestorm::sim {

/// One thing that a builder can be excused from, after a field of Promise or Capabilities.
enum class Excuse : std::uint8_t {
  modes,
  page_sizes,
  rows,
  types,
  swa,
  clamps,
  bad_indices,
  bad_lengths,
  empty_batch,
  input_strides,
  output_strides,
  own_swa_stride,
  padded_tables,
  far_rows,
  absent,
  tombstone,
  builds,
  status,
  element_zero,
  write_slots,
  tail_zeros,
  full_width,
  ahead,
  orders,
  captures,
  refusals,
};

inline constexpr std::size_t excuse_count = 26;

using Excuses = std::bitset<excuse_count>;

inline bool has(const Excuses& excuses, Excuse excuse) { return excuses[static_cast<std::size_t>(excuse)]; }

/// What an excuse is called and means.
struct ExcuseEntry {
  Excuse excuse;
  std::string_view name;
  std::string_view what;     ///< what the builder does not do, for people
  std::string_view clauses;  ///< of the contract, by spaces
};

/// Every excuse, in the order of the enumeration.
std::span<const ExcuseEntry, excuse_count> excuse_catalogue();

/// What a builder declares to be excused from; none by the defaults of a host builder.
Excuses declared(const Capabilities& capabilities);

/// Why a builder is not given this call; nothing where it is. `expected` is the reference of the call.
std::optional<Excuse> not_given(const Batch& batch, Reference& expected);

/// Which of `declared` made the judgement of this call, which was given, milder. `write_room` elements of the write slots
/// were there.
Excuses milder(const Excuses& declared, const Batch& batch, Reference& expected, std::int64_t write_room);

/// How often each excuse mattered.
struct ExcuseTally {
  std::array<std::int64_t, excuse_count> cases{};      ///< scenarios that were fitted to the builder
  std::array<std::int64_t, excuse_count> not_given{};  ///< forward passes that it was not given
  std::array<std::int64_t, excuse_count> milder{};     ///< and that were judged more mildly

  static void note(std::array<std::int64_t, excuse_count>& counts, const Excuses& excuses);
  ExcuseTally& operator+=(const ExcuseTally& other);
  bool operator==(const ExcuseTally&) const = default;
};

}  // namespace pagestorm::sim
