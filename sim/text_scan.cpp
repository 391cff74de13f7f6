#include "text_scan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pagestorm::sim::text_form {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::size_t longest_shown = 48;
constexpr std::size_t longest_name = 32;

struct Lead {
  std::size_t size;
  std::uint32_t bits;      // of the code point
  std::uint32_t smallest;  // code point of this size; smaller ones are overlong
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1, byte, 0};
  if (byte >= 0xc2 && byte < 0xe0) return {2, byte & 0x1fu, 0x80};
  if (byte >= 0xe0 && byte < 0xf0) return {3, byte & 0x0fu, 0x800};
  if (byte >= 0xf0 && byte < 0xf5) return {4, byte & 0x07u, 0x10000};
  return {0, 0, 0};
}

// Both words are at most longest_name long.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::array<std::size_t, longest_name + 1> row;
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::size_t character_size(std::string_view text) {
  if (text.empty()) return 0;
  const Lead lead = lead_of(static_cast<unsigned char>(text[0]));
  if (lead.size == 0 || lead.size > text.size()) return 0;
  std::uint32_t code = lead.bits;
  for (std::size_t i = 1; i < lead.size; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0u) != 0x80u) return 0;
    code = code << 6 | (byte & 0x3fu);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < lead.smallest || surrogate || code > 0x10ffff ? 0 : lead.size;
}

bool starts_with_control(std::string_view text) {
  if (text.empty()) return false;
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte == '\t' || byte == '\n') return false;
  // Carriage returns are half of a line end, nothing else.
  if (byte == '\r') return text.size() > 1 && text[1] != '\n';
  return byte < 0x20 || byte == 0x7f;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view next_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
  rest.remove_prefix(word.size());
  return word;
}

std::string_view next_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  return line;
}

std::string_view without_comment(std::string_view line, bool after_blank) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    const bool begins_word = at == 0 || blanks.find(line[at - 1]) != std::string_view::npos;
    if (begins_word || !after_blank) return line.substr(0, at);
  }
  return line;
}

std::string shown(std::string_view text) {
  if (text.empty()) return "\"\"";
  std::size_t size = 0;
  while (size < text.size() && size < longest_shown)
    size += std::max<std::size_t>(character_size(text.substr(size)), 1);
  std::string out(text.substr(0, size));
  std::replace(out.begin(), out.end(), '\t', ' ');
  return size < text.size() ? out + "…" : out;
}

std::string remedy(std::string_view word, std::span<const std::string_view> names) {
  std::string_view nearest;
  std::size_t least = 3;
  for (const std::string_view name : names) {
    if (word.size() > longest_name || name.size() > longest_name) continue;
    const std::size_t distance = edit_distance(word, name);
    // A third of the letters: of short words, almost any two are near.
    if (distance < least && distance * 3 <= std::max(word.size(), name.size())) {
      nearest = name;
      least = distance;
    }
  }
  if (!nearest.empty()) return fmt::format("did you mean {}?", nearest);
  return fmt::format("use {}{}", names.size() > 1 ? "one of " : "", fmt::join(names, ", "));
}

}  // namespace pagestorm::sim::text_form
