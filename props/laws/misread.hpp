#pragma once
// A misread in the words of people.

#include <string>

#include "pagestorm/device_reader.hpp"
#include "sim/law.hpp"

namespace pagestorm::props {

/// The violation that a misread of the moment's first image is, at the word that misled the reader.
sim::Violation violation_of(const sim::Moment& moment, const KvMisread& misread);

/// One line: "nothing misread", "row 0, key 5 of page_table, draft model: wanted 100, got 7".
std::string describe(const KvMisread& misread);

}  // namespace pagestorm::props
