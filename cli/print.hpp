#pragma once
// A campaign's result for people and for machines.

#include <string>

#include "options.hpp"
#include "result.hpp"

namespace pagestorm::cli {

/// "seed 0x… · builders host … · cuda-stream absent: …".
std::string print_header(const Campaign& campaign, const Result& result);

/// Laws by builders: cases, steps, rows, violations, time.
std::string print_table(const Result& result);

/// Laws that the judge of the campaign cannot judge by; empty when it can by all.
std::string print_not_run(const Campaign& campaign);

/// What each builder declared to be excused from, a line each; empty when none did.
std::string print_excuses(const Result& result);

/// What was reached: modes, classes, page sizes, no-ops; and what was not.
std::string print_coverage(const sim::Coverage& coverage);

/// One failure; its file and the replay command are the last two lines.
std::string print_failure(const Failure& failure);

/// Every figure, for plotting.
std::string print_json(const Campaign& campaign, const Result& result, int exit_code);

/// One test case for each law and builder.
std::string print_junit(const Campaign& campaign, const Result& result);

/// The exit code that a result amounts to.
int exit_code_of(const Result& result);

}  // namespace pagestorm::cli
