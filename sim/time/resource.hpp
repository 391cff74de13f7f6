#pragma once
// What queued work reads and writes: shared memory, by name.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace pagestorm::sim::time {

enum class Kind : std::uint8_t {
  row,      ///< a row of req_to_token, by position
  map,      ///< the full-to-SWA map of a full page
  kv,       ///< the content of a full page
  swa_kv,   ///< the content of an SWA page
  table,    ///< a page-table buffer
  lengths,  ///< the lengths of a batch on the device
  relay,    ///< the committed length of a request row, as the device publishes it
  staging,  ///< a pinned buffer that a copy to the device reads
  mirror,   ///< pinned memory that committed lengths are copied to
  outputs,  ///< pinned memory that a forward's tokens are copied to
};

inline constexpr int kind_count = 10;

/// One piece of shared memory.
struct Resource {
  Kind kind = Kind::row;
  std::int32_t id = 0;

  bool operator==(const Resource&) const = default;
};

/// Positions [first, end) of a resource; all of it unless it is a row.
struct Span {
  std::int32_t first = 0;
  std::int32_t end = std::numeric_limits<std::int32_t>::max();

  bool meets(const Span& other) const { return first < other.end && other.first < end; }
  bool covers(const Span& other) const { return first <= other.first && other.end <= end; }
  bool empty() const { return first >= end; }
  bool operator==(const Span&) const = default;
};

/// One operation touches one resource.
struct Access {
  Resource resource;
  Span span = {};
  std::int32_t owner = -1;  ///< the request whose row it is; -1 = nobody's
  bool writes = false;
  bool again = false;  ///< reads once more what the operation's forward has taken a copy of
};

/// "row 1 of req_to_token, positions 0 to 4", "page-table buffer 0".
std::string name_of(const Resource& resource, const Span& span = {});

}  // namespace pagestorm::sim::time
