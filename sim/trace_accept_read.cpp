#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "trace_accept.hpp"
#include "trace_lines.hpp"

namespace pagestorm::sim {
namespace {

using lines::fail;
using lines::Lines;
using lines::Place;
using Fields = std::vector<std::string>;

std::optional<double> as_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

double number(std::string_view text, std::string_view field, const Place& place) {
  if (const auto value = as_number(text)) return *value;
  fail(place, field, lines::quoted(text) + " is not a number", "write a decimal number");
}

double weight(std::string_view text, std::string_view field, const Place& place) {
  const double value = number(text, field, place);
  if (value < 0) fail(place, field, lines::quoted(text) + " is negative", "write 0 or more");
  return value;
}

double tokens(std::string_view text, std::string_view field, std::int64_t draft_tokens, const Place& place) {
  const double value = number(text, field, place);
  const std::string range = "1 to " + std::to_string(draft_tokens);
  if (value < 1) fail(place, field, lines::quoted(text) + " is below 1", "write " + range + ": the bonus token counts");
  if (value > static_cast<double>(draft_tokens))
    fail(place, field, lines::quoted(text) + " is more than the draft tokens",
         "write " + range + ", or raise the draft tokens");
  return value;
}

// How a table says what was accepted.
struct Form {
  std::string_view length;
  std::string_view weight;
  double more_weight = 0;
  std::string_view draft_tokens;
};

constexpr Form forms[] = {
    {.length = "length", .weight = "weight"},
    {.length = "mean_tokens_per_step", .weight = "verify_steps_minus1", .more_weight = 1},
    {.length = "accept_length", .weight = "", .draft_tokens = "num_draft_tokens"},
};

std::optional<std::size_t> column(const Fields& header, std::string_view name) {
  const auto found = std::ranges::find(header, name);
  if (name.empty() || found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

class Table {
 public:
  Table(const Fields& header, std::int64_t draft_tokens, const Place& place)
      : columns_(header.size()), draft_tokens_(draft_tokens) {
    for (const Form& form : forms) {
      const auto found = column(header, form.length);
      if (!found) continue;
      form_ = form;
      length_ = *found;
      weight_ = column(header, form.weight);
      drafted_ = column(header, form.draft_tokens);
      return;
    }
    fail(place, "header", "has no column of accept lengths",
         "name one length, mean_tokens_per_step or accept_length, or give one number a line");
  }

  // Nothing for a line that speaks of something else.
  std::optional<AcceptLengths::Entry> entry(std::string_view line, const Place& place) const {
    const Fields fields = lines::split(line, place);
    if (fields.size() != columns_)
      fail(place, "columns", "there are " + std::to_string(fields.size()),
           "write " + std::to_string(columns_) + " as in the header");
    if (drafted_) {
      const double drafted = number(fields[*drafted_], form_.draft_tokens, place);
      const bool counts = drafted == static_cast<double>(draft_tokens_) && as_number(fields[length_]) != 1.0;
      if (!counts) return std::nullopt;
    }
    AcceptLengths::Entry entry{.tokens = tokens(fields[length_], form_.length, draft_tokens_, place)};
    if (weight_) entry.weight = weight(fields[*weight_], form_.weight, place) + form_.more_weight;
    return entry;
  }

 private:
  std::size_t columns_;
  std::int64_t draft_tokens_;
  Form form_;
  std::size_t length_ = 0;
  std::optional<std::size_t> weight_;
  std::optional<std::size_t> drafted_;
};

}  // namespace

AcceptLengths read_accept_lengths(std::string_view text, std::string_view file, std::int64_t draft_tokens) {
  Lines at(text, file);
  AcceptLengths lengths;
  double sum = 0;
  const auto add = [&](const AcceptLengths::Entry& entry) {
    sum += entry.weight;
    lengths.entries.push_back(entry);
  };
  if (at.next() && as_number(at.line())) {
    do {
      add({.tokens = tokens(at.line(), "length", draft_tokens, at.place())});
    } while (at.next());
  } else if (!at.line().empty()) {
    const Table table(lines::split(at.line(), at.place()), draft_tokens, at.place());
    while (at.next())
      if (const auto entry = table.entry(at.line(), at.place())) add(*entry);
  }
  if (!(sum > 0) || !std::isfinite(sum))
    fail(at.place(), "lengths", "none counts for " + std::to_string(draft_tokens) + " draft tokens",
         "give at least one of a weight above 0");
  return lengths;
}

}  // namespace pagestorm::sim
