#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/prompts.hpp"
#include "trace_lines.hpp"

namespace pagestorm::sim::lines {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t tokens_per_block = 512;
// As many as 63 bits of nanoseconds hold: epoch times up to the year 2255.
constexpr double milliseconds_max = 9e12;

const Json& member(const Json& object, const char* field, const Place& place) {
  const auto found = object.find(field);
  if (found == object.end()) fail(place, field, "is missing", "give it in every request");
  return *found;
}

// Only scalars are printed: printing recurses, and the input decides how deep.
std::string shown(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "an array" : "an object";
  return printable(value.dump(-1, ' ', true));
}

std::optional<std::int64_t> integer(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  return value.get<std::int64_t>();
}

std::int64_t length(const Json& object, const char* field, const Place& place) {
  const Json& value = member(object, field, place);
  if (const std::optional<std::int64_t> number = integer(value)) return tokens(*number, field, place);
  // The parser makes a floating-point number of an integer beyond 64 bits.
  const bool large = value.is_number() && value.get<double>() > static_cast<double>(tokens_max);
  fail(place, field, shown(value) + (large ? " is too large" : " is not an integer"), write_tokens);
}

std::int64_t arrival_ns(const Json& object, const Place& place) {
  const Json& value = member(object, "timestamp", place);
  const double milliseconds = value.is_number() ? value.get<double>() : -1;
  if (!(milliseconds >= 0 && milliseconds <= milliseconds_max)) {
    fail(place, "timestamp", shown(value) + " is not a time", "write milliseconds, 0 to 9e12");
  }
  return value.is_number_integer() ? value.get<std::int64_t>() * 1'000'000 : std::llround(milliseconds * 1e6);
}

std::vector<std::int64_t> blocks_of(const Json& object, std::int64_t input_tokens, const Place& place) {
  std::vector<std::int64_t> blocks;
  const auto found = object.find("hash_ids");
  if (found == object.end()) return blocks;
  if (!found->is_array()) fail(place, "hash_ids", shown(*found) + " is not an array", "write an array of integers");
  blocks.reserve(found->size());
  for (const Json& value : *found) {
    const std::optional<std::int64_t> id = integer(value);
    if (!id) fail(place, "hash_ids", shown(value) + " is not a 64-bit integer", "write an array of integers");
    if (*id < 0 || *id >= prefix_blocks_end)
      fail(place, "hash_ids", shown(value) + " is out of range", "number the blocks from 0 to 4194303");
    blocks.push_back(*id);
  }
  const std::int64_t due = (input_tokens + tokens_per_block - 1) / tokens_per_block;
  if (!blocks.empty() && static_cast<std::int64_t>(blocks.size()) != due) {
    fail(place, "hash_ids", "length is " + std::to_string(blocks.size()) + ", not " + std::to_string(due),
         "give one per 512 input tokens, rounded up, or none");
  }
  return blocks;
}

Json parse(std::string_view line, const Place& place) {
  constexpr std::string_view remedy = "write one JSON object per line";
  try {
    Json object = Json::parse(line);
    if (object.is_object()) return object;
    fail(place, "json", shown(object) + " is not an object", remedy);
  } catch (const Json::parse_error& error) {
    fail(place, "json", "does not parse at byte " + std::to_string(error.byte), remedy);
  } catch (const Json::exception&) {
    fail(place, "json", "has a number out of range", remedy);
  }
}

}  // namespace

Row mooncake_row(std::string_view line, const Place& place) {
  const Json object = parse(line, place);
  Row row;
  row.arrival_ns = arrival_ns(object, place);
  row.request.input_tokens = length(object, "input_length", place);
  row.request.output_tokens = length(object, "output_length", place);
  row.request.prefix_blocks = blocks_of(object, row.request.input_tokens, place);
  return row;
}

}  // namespace pagestorm::sim::lines
