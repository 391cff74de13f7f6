#pragma once
// Comparisons of images of the FlashAttention family, each ending in a violation or in none.

#include <optional>
#include <string>

#include "../law.hpp"
#include "moment.hpp"

namespace pagestorm::sim {

/// The first live word of `got` that differs from the reference; the status word is compared last.
std::optional<Violation> differs_from_reference(const FlashMoment& moment, const Image& got);

/// The first judged word where two images differ; `why` explains it. The status word is left out when asked.
std::optional<Violation> differs(const FlashMoment& moment, const Image& wanted, const Image& got, bool with_status,
                                 std::string why);

/// The first live word that `got`, an image of another layout for at least as many rows, has other than the first image
/// of the moment; the status word is compared last.
std::optional<Violation> differs_from_first(const FlashMoment& moment, const ImageLayout& layout, const Image& got,
                                            const std::string& why);

/// A violation at a word of an image, with a map of the row when the word is near a table row.
Violation at_word(const FlashMoment& moment, const Image& got, std::int64_t word, std::string expected,
                  std::string found, std::string why);

/// "member 2 of row 0 of draft_expand (A, 5 tokens)", for an expanded row.
std::string describe_row(const FlashMoment& moment, std::int64_t row);

}  // namespace pagestorm::sim
