#pragma once
// What the readers of trace formats share: lines with their place, CSV fields, lengths, times of day, one way to fail.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace.hpp"

namespace pagestorm::sim::lines {

/// The longest request that a trace may hold: lengths are 32-bit integers everywhere below the trace.
inline constexpr std::int64_t tokens_max = 0x7fffffff;
inline constexpr std::string_view write_tokens = "write 0 to 2147483647 tokens";

/// Where in a trace something stands.
struct Place {
  std::string_view file;
  std::int64_t line = 0;  ///< from 1; 0 before the first
};

/// Throws the TraceError "file:line: field: problem; remedy".
[[noreturn]] void fail(const Place& place, std::string_view field, std::string_view problem, std::string_view remedy);

/// `value`, fit for a one-line message: cut when long, '?' for bytes that are not printable ASCII.
std::string printable(std::string_view value);
std::string quoted(std::string_view value);

/// The lines of a text that are not blank, without line ends and outer blanks. A UTF-8 byte order mark is skipped.
class Lines {
 public:
  Lines(std::string_view text, std::string_view file);

  /// Goes to the next line; false when there is none. Throws TraceError on a NUL byte.
  bool next();

  std::string_view line() const { return line_; }
  const Place& place() const { return place_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  Place place_;
};

/// The fields of a line of CSV, unquoted and without outer blanks. Throws TraceError when its quotes are wrong.
std::vector<std::string> split(std::string_view line, const Place& place);

/// True for digits with at most one sign in front.
bool is_integer(std::string_view text);

/// A length of 0 to tokens_max. Throws TraceError.
std::int64_t tokens(std::int64_t value, std::string_view field, const Place& place);
std::int64_t tokens(std::string_view text, std::string_view field, const Place& place);

/// Nanoseconds from 1970 to a time such as "2023-11-16 18:17:03.9799600", years 1970 to 2200. Throws TraceError.
std::int64_t nanoseconds(std::string_view text, std::string_view field, const Place& place);

/// What one line says. `arrival_ns` counts from the zero of the format; request.arrival_s is not set yet.
struct Row {
  std::int64_t arrival_ns = 0;
  TraceRequest request;
};

/// The request of one line of a mooncake trace. Throws TraceError.
Row mooncake_row(std::string_view line, const Place& place);

}  // namespace pagestorm::sim::lines
