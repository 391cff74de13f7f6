#pragma once
// A campaign by clauses, as one page.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "options.hpp"
#include "props/conform/clauses.hpp"
#include "result.hpp"

namespace pagestorm::cli {

/// Stands for the law of a failure about shapes (C2.6): no scenario leads to it, and none that fails explains it.
inline constexpr std::string_view refuses_wrong_shapes = "refuses_wrong_shapes";

/// What became of a clause.
enum class ClauseStatus : std::uint8_t { held, violated, excused, not_tried };

/// "held", "violated", "excused", "not tried".
std::string_view name_of(ClauseStatus status);

/// One clause of one builder.
struct ClauseLine {
  ClauseStatus status = ClauseStatus::not_tried;
  std::int64_t tried = 0;                      ///< forward passes
  const Failure* failure = nullptr;            ///< the first that does not flicker, of an edge call if scenarios hold
  std::vector<const ExcuseRow*> excuses = {};  ///< declared ones that bear on it
};

/// Every clause, in the order of the contract; points into `result`.
std::array<ClauseLine, props::clause_count> clause_lines(const Result& result);

/// The whole page; `colour` for terminals. Its last line is `command`.
std::string print_page(const Campaign& campaign, const Result& result, bool colour);

/// Every clause and figure, and one test case for each clause.
std::string print_page_json(const Campaign& campaign, const Result& result, int exit_code);
std::string print_page_junit(const Campaign& campaign, const Result& result);

/// The command that comes to the same page.
std::string conform_command(const Campaign& campaign, const Result& result);

}  // namespace pagestorm::cli
