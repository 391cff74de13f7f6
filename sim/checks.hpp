#pragma once
// Comparisons of images, each ending in a violation or in none.

#include <optional>
#include <string>

#include "law.hpp"

namespace pagestorm::sim {

/// The first live word of `got` that differs from the reference, as a violation with a map of its row. Lengths, sums and
/// write slots are compared when the call wanted them; the status word is.
std::optional<Violation> differs_from_reference(const Moment& moment, const Image& got);

/// The first word in `zone` where two images differ; `why` explains it. The status word is left out when asked.
std::optional<Violation> differs(const Moment& moment, const Zone& zone, const Image& wanted, const Image& got,
                                 bool with_status, std::string why);

/// The first live word of `zone` where two images differ.
std::optional<Violation> differs_in_live(const Moment& moment, const Zone& zone, const Image& wanted, const Image& got,
                                         std::string why);

/// Whether all words of a range, which is not empty, hold `value`.
bool all_are(std::int32_t value, const std::int32_t* words, const Range& range);

/// A violation at a word of an image, with a map of the row when the word is near a table row.
Violation at_word(const Moment& moment, const Image& got, std::int64_t word, std::string expected, std::string found,
                  std::string why);

/// A value of an image as people read it: "7", "untouched poison", ...
std::string show(std::int32_t word);

/// Which request, and how long, stands in a row of the batch: "row 0 (A, length 2,044, K 2,052)".
std::string describe_row(const Moment& moment, std::int64_t row);

/// "A", "B", ..., "Z", "AA", ... for the serial number of a request.
std::string letter(std::int64_t serial);

}  // namespace pagestorm::sim
