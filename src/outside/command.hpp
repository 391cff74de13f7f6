#pragma once
// Command lines.

#include <string>
#include <string_view>
#include <vector>

namespace pagestorm::outside {

/// The words of a command line as a shell reads them: blanks separate, quotes of both kinds hold together, a backslash
/// takes the next character as it is, but not within single quotes. Nothing else is special: no variables, no patterns.
/// Throws std::invalid_argument when a quote is open at the end, or there is no word.
std::vector<std::string> words_of(std::string_view line);

/// What starts the process of a shared library: this program, or where it is another one, $PAGESTORM_PROGRAM or
/// the pagestorm that PATH finds.
std::vector<std::string> server_of(const std::string& library);

}  // namespace pagestorm::outside
