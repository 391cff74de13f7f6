#pragma once
// Characters, words and near misses: what printing and parsing of scenario files share.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace pagestorm::sim::text_form {

/// Bytes of the UTF-8 character that `text` starts with; 0 when it starts with none.
std::size_t character_size(std::string_view text);

/// True when `text` starts with a control character that has no place in a scenario file. Tabs and line ends have.
bool starts_with_control(std::string_view text);

/// Without blanks, tabs and carriage returns at both ends.
std::string_view trim(std::string_view text);

/// The first word of `rest`, which then starts behind it; empty when there is none.
std::string_view next_word(std::string_view& rest);

/// The first line of `rest`, without its end, which `rest` then starts behind.
std::string_view next_line(std::string_view& rest);

/// Without the comment. `after_blank`: a '#' within a word starts none.
std::string_view without_comment(std::string_view line, bool after_blank = false);

/// A piece of a line for a message: cut when long, tabs as blanks, "" when empty.
std::string shown(std::string_view text);

/// What to use instead of `word`: the name that is nearly the same, else any of them.
std::string remedy(std::string_view word, std::span<const std::string_view> names);

}  // namespace pagestorm::sim::text_form
