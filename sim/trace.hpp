#pragma once
// Real serving traces: arrivals and lengths, read from the formats in which they are published.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pagestorm::sim {

/// One request of a trace.
struct TraceRequest {
  double arrival_s = 0;                     ///< seconds since the first request
  std::int64_t input_tokens = 0;            ///< 0 or more
  std::int64_t output_tokens = 0;           ///< 0 or more
  std::vector<std::int64_t> prefix_blocks;  ///< ids of its 512-token prefix blocks; empty when the format has none
};

enum class TraceFormat : std::uint8_t {
  mooncake,  ///< JSON lines: timestamp (ms), input_length, output_length, hash_ids
  azure,     ///< CSV with header TIMESTAMP,ContextTokens,GeneratedTokens
  lengths,   ///< CSV with a header that has num_prefill_tokens and num_decode_tokens, or two bare columns of lengths
};

/// A malformed trace. what() reads "file:line: field: problem; remedy".
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The format that the first lines of `text` look like. Throws TraceError when they look like none.
TraceFormat guess_format(std::string_view text, std::string_view file);

/// All requests of `text`, or its first `limit`, in file order. Throws TraceError, also when there is no request.
std::vector<TraceRequest> read_trace(std::string_view text, std::string_view file, TraceFormat format,
                                     std::int64_t limit);

std::string_view name_of(TraceFormat format);
bool by_name(std::string_view name, TraceFormat& format);

}  // namespace pagestorm::sim
