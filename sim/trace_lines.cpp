#include "trace_lines.hpp"

#include <charconv>
#include <system_error>

namespace pagestorm::sim::lines {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes `digits` digits and, unless it is 0, the separator after them off the front of `text`; -1 when not there.
std::int64_t take(std::string_view& text, std::size_t digits, char separator) {
  if (text.size() < digits + (separator != 0)) return -1;
  std::int64_t value = 0;
  for (const char c : text.substr(0, digits)) {
    if (!is_digit(c)) return -1;
    value = value * 10 + (c - '0');
  }
  if (separator != 0 && text[digits] != separator) return -1;
  text.remove_prefix(digits + (separator != 0));
  return value;
}

// Takes ".9799600", 1 to 9 digits, off the front of `text`: nanoseconds, 0 without a fraction, -1 when malformed.
std::int64_t take_fraction(std::string_view& text) {
  if (text.empty() || text.front() != '.') return 0;
  text.remove_prefix(1);
  std::int64_t value = 0;
  int digits = 0;
  for (; !text.empty() && is_digit(text.front()); ++digits, text.remove_prefix(1)) {
    if (digits == 9) return -1;
    value = value * 10 + (text.front() - '0');
  }
  if (digits == 0) return -1;
  for (; digits < 9; ++digits) value *= 10;
  return value;
}

std::int64_t days_in_month(std::int64_t year, std::int64_t month) {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

std::int64_t days_from_civil(std::int64_t year, std::int64_t month, std::int64_t day) {
  // Years start in March here, so that the leap day is the last of its year.
  const std::int64_t y = month > 2 ? year : year - 1;
  const std::int64_t day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
  return y * 365 + y / 4 - y / 100 + y / 400 + day_of_year - 719468;
}

}  // namespace

void fail(const Place& place, std::string_view field, std::string_view problem, std::string_view remedy) {
  std::string what(place.file);
  what.append(":").append(std::to_string(place.line > 0 ? place.line : 1)).append(": ");
  what.append(field).append(": ").append(problem).append("; ").append(remedy);
  throw TraceError(what);
}

std::string printable(std::string_view value) {
  constexpr std::size_t longest = 40;
  std::string shown;
  for (const char c : value.substr(0, longest)) shown += c >= ' ' && c <= '~' ? c : '?';
  return value.size() > longest ? shown + "..." : shown;
}

std::string quoted(std::string_view value) { return std::string("\"").append(printable(value)).append("\""); }

Lines::Lines(std::string_view text, std::string_view file) : rest_(text), place_{file, 0} {
  if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
}

bool Lines::next() {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    const std::string_view whole = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++place_.line;
    if (whole.find('\0') != std::string_view::npos) {
      fail(place_, "text", "has a NUL byte", "save the trace as plain UTF-8 text");
    }
    line_ = trim(whole);
    if (!line_.empty()) return true;
  }
  return false;
}

std::vector<std::string> split(std::string_view line, const Place& place) {
  std::vector<std::string> fields;
  std::size_t at = 0;
  for (;;) {
    at = line.find_first_not_of(blanks, at);
    if (at == std::string_view::npos) at = line.size();
    std::string field;
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size()) fail(place, "quotes", "a quoted field has no end", "close it on the same line");
        if (line[at] != '"') {
          field += line[at];
        } else if (at + 1 < line.size() && line[at + 1] == '"') {
          field += line[++at];
        } else {
          break;
        }
      }
      at = line.find_first_not_of(blanks, at + 1);
      if (at != std::string_view::npos && line[at] != ',') {
        fail(place, "quotes", "text follows a quoted field", "put a comma after the closing quote");
      }
      field = trim(field);
    } else {
      const std::size_t first = at;
      at = line.find(',', first);
      field = trim(line.substr(first, at == std::string_view::npos ? at : at - first));
    }
    fields.push_back(field);
    if (at == std::string_view::npos) return fields;
    ++at;
  }
}

bool is_integer(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::int64_t tokens(std::int64_t value, std::string_view field, const Place& place) {
  if (value < 0) fail(place, field, std::to_string(value) + " is negative", write_tokens);
  if (value > tokens_max) fail(place, field, std::to_string(value) + " is too large", write_tokens);
  return value;
}

std::int64_t tokens(std::string_view text, std::string_view field, const Place& place) {
  if (!is_integer(text)) fail(place, field, quoted(text) + " is not an integer", write_tokens);
  if (text.front() == '+') text.remove_prefix(1);
  std::int64_t value = 0;
  const std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{}) {
    fail(place, field, quoted(text) + (text.front() == '-' ? " is negative" : " is too large"), write_tokens);
  }
  return tokens(value, field, place);
}

std::int64_t nanoseconds(std::string_view text, std::string_view field, const Place& place) {
  std::string_view rest = text;
  const std::int64_t year = take(rest, 4, '-');
  const std::int64_t month = take(rest, 2, '-');
  const std::int64_t day = take(rest, 2, ' ');
  const std::int64_t hour = take(rest, 2, ':');
  const std::int64_t minute = take(rest, 2, ':');
  const std::int64_t second = take(rest, 2, 0);
  const std::int64_t fraction = take_fraction(rest);
  // Later traces of the same origin name the zone, always UTC.
  if (rest == "+00:00") rest = {};
  const bool date = year >= 1970 && year <= 2200 && month >= 1 && month <= 12 && day >= 1;
  if (!date || day > days_in_month(year, month) || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
      second > 59 || fraction < 0 || !rest.empty()) {
    fail(place, field, quoted(text) + " is not a time", "write it like 2023-11-16 18:17:03.9799600");
  }
  const std::int64_t seconds = ((days_from_civil(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
  return seconds * 1'000'000'000 + fraction;
}

}  // namespace pagestorm::sim::lines
