#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace_lines.hpp"

namespace pagestorm::sim {
namespace {

using lines::fail;
using lines::Lines;
using lines::Place;
using lines::Row;
using Fields = std::vector<std::string>;

constexpr std::string_view azure_header = "TIMESTAMP,ContextTokens,GeneratedTokens";
constexpr std::string_view prefill_name = "num_prefill_tokens";
constexpr std::string_view decode_name = "num_decode_tokens";

Fields split_into(std::size_t columns, std::string_view line, const Place& place) {
  Fields fields = lines::split(line, place);
  if (fields.size() != columns) {
    fail(place, "columns", "there are " + std::to_string(fields.size()),
         "write " + std::to_string(columns) + " as in the first line");
  }
  return fields;
}

Row azure_row(std::string_view line, const Place& place) {
  const Fields fields = split_into(3, line, place);
  Row row;
  row.arrival_ns = lines::nanoseconds(fields[0], "TIMESTAMP", place);
  row.request.input_tokens = lines::tokens(fields[1], "ContextTokens", place);
  row.request.output_tokens = lines::tokens(fields[2], "GeneratedTokens", place);
  return row;
}

// Where the two lengths stand in a line.
struct Columns {
  std::size_t count = 2;
  std::size_t prefill = 0;
  std::size_t decode = 1;
};

std::size_t column(const Fields& header, std::string_view name, const Place& place) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) fail(place, name, "is no column of the header", "name it there, or give two bare columns");
  if (std::find(found + 1, header.end(), name) != header.end()) {
    fail(place, name, "is two columns of the header", "name it once");
  }
  return static_cast<std::size_t>(found - header.begin());
}

bool is_bare(const Fields& fields) {
  return fields.size() == 2 && lines::is_integer(fields[0]) && lines::is_integer(fields[1]);
}

std::optional<TraceFormat> format_of(std::string_view line, const Place& place) {
  if (line.starts_with('{')) return TraceFormat::mooncake;
  const Fields fields = lines::split(line, place);
  const auto has = [&](std::string_view name) { return std::find(fields.begin(), fields.end(), name) != fields.end(); };
  if (fields.size() == 3 && fields[0] + "," + fields[1] + "," + fields[2] == azure_header) return TraceFormat::azure;
  if (is_bare(fields) || (has(prefill_name) && has(decode_name))) return TraceFormat::lengths;
  return std::nullopt;
}

[[noreturn]] void fail_empty(const Place& place) {
  fail(place, "requests", "there are none", "give a trace with at least one request");
}

// Reads from the current line on; arrivals are told from the earliest one that is read.
template <class Parse>
std::vector<TraceRequest> read_rows(Lines& at, std::int64_t limit, Parse parse) {
  std::vector<Row> rows;
  do {
    rows.push_back(parse(at.line(), at.place()));
  } while ((limit <= 0 || static_cast<std::int64_t>(rows.size()) < limit) && at.next());
  std::int64_t first = rows.front().arrival_ns;
  for (const Row& row : rows) first = std::min(first, row.arrival_ns);
  std::vector<TraceRequest> requests;
  requests.reserve(rows.size());
  for (Row& row : rows) {
    row.request.arrival_s = static_cast<double>(row.arrival_ns - first) / 1e9;
    requests.push_back(std::move(row.request));
  }
  return requests;
}

std::vector<TraceRequest> read_azure(Lines& at, std::int64_t limit) {
  if (format_of(at.line(), at.place()) != TraceFormat::azure) {
    fail(at.place(), "header", "is " + lines::quoted(at.line()), "write " + std::string(azure_header));
  }
  if (!at.next()) fail_empty(at.place());
  return read_rows(at, limit, azure_row);
}

std::vector<TraceRequest> read_lengths(Lines& at, std::int64_t limit) {
  Columns columns;
  const Fields header = lines::split(at.line(), at.place());
  if (!is_bare(header)) {
    columns = {header.size(), column(header, prefill_name, at.place()), column(header, decode_name, at.place())};
    if (!at.next()) fail_empty(at.place());
  }
  return read_rows(at, limit, [columns](std::string_view line, const Place& place) {
    const Fields fields = split_into(columns.count, line, place);
    Row row;
    row.request.input_tokens = lines::tokens(fields[columns.prefill], prefill_name, place);
    row.request.output_tokens = lines::tokens(fields[columns.decode], decode_name, place);
    return row;
  });
}

}  // namespace

TraceFormat guess_format(std::string_view text, std::string_view file) {
  Lines at(text, file);
  if (!at.next()) fail_empty(at.place());
  const std::optional<TraceFormat> format = format_of(at.line(), at.place());
  if (!format) {
    fail(at.place(), "format", lines::quoted(at.line()) + " starts no known format",
         "give JSON lines (mooncake) or a CSV with the header of azure or lengths");
  }
  return *format;
}

std::vector<TraceRequest> read_trace(std::string_view text, std::string_view file, TraceFormat format,
                                     std::int64_t limit) {
  Lines at(text, file);
  if (!at.next()) fail_empty(at.place());
  // JSON that is damaged at its start is told as JSON: its quotes mean nothing to the CSV formats.
  const bool comparable = format != TraceFormat::mooncake || at.line().find('"') == std::string_view::npos;
  const std::optional<TraceFormat> seen = comparable ? format_of(at.line(), at.place()) : std::nullopt;
  if (seen && *seen != format) {
    fail(at.place(), "format",
         "this is a trace of " + std::string(name_of(*seen)) + ", not " + std::string(name_of(format)),
         "read it as " + std::string(name_of(*seen)));
  }
  switch (format) {
    case TraceFormat::mooncake: return read_rows(at, limit, lines::mooncake_row);
    case TraceFormat::azure: return read_azure(at, limit);
    case TraceFormat::lengths: return read_lengths(at, limit);
  }
  fail(at.place(), "format", "is unknown", "name mooncake, azure or lengths");
}

std::string_view name_of(TraceFormat format) {
  switch (format) {
    case TraceFormat::mooncake: return "mooncake";
    case TraceFormat::azure: return "azure";
    case TraceFormat::lengths: return "lengths";
  }
  return "unknown";
}

bool by_name(std::string_view name, TraceFormat& format) {
  for (const TraceFormat each : {TraceFormat::mooncake, TraceFormat::azure, TraceFormat::lengths}) {
    if (name != name_of(each)) continue;
    format = each;
    return true;
  }
  return false;
}

}  // namespace pagestorm::sim
