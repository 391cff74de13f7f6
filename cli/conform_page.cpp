#include "conform_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "props/conform/clauses.hpp"
#include "sim/report.hpp"

namespace pagestorm::cli {
namespace {

using sim::grouped;

bool bears_on(const ExcuseRow& excuse, std::string_view clause) {
  return fmt::format(" {} ", excuse.clauses).find(fmt::format(" {} ", clause)) != std::string::npos;
}

std::string painted(ClauseStatus status, bool colour) {
  constexpr std::string_view marks[] = {"✓", "✗", "—", "?"};
  constexpr int colours[] = {32, 31, 33, 90};
  const auto at = static_cast<std::size_t>(status);
  return colour ? fmt::format("\033[{}m{}\033[0m", colours[at], marks[at]) : std::string(marks[at]);
}

std::string excused_by(const ClauseLine& line) {
  std::string text;
  for (const ExcuseRow* excuse : line.excuses)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", excuse->excuse, excuse->what);
  return text;
}

// "where …", "expected …" and "got …" of an explanation, on one line.
std::string in_one_line(const std::string& explanation) {
  std::string text;
  for (const std::string_view word : {"where", "expected", "got"}) {
    const std::string start = fmt::format("\n  {:<10}", word);
    const std::size_t at = ("\n" + explanation).find(start);
    if (at == std::string::npos) continue;
    const std::size_t from = at + start.size() - 1;
    const std::string value = explanation.substr(from, explanation.find('\n', from) - from);
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", word == "where" ? "" : std::string(word) + " ", value);
  }
  return text;
}

std::string said_of(const ClauseLine& line, const props::ClauseEntry& entry) {
  switch (line.status) {
    case ClauseStatus::held: {
      const std::string partly = line.excuses.empty() ? "" : "; in part excused by " + excused_by(line);
      if (entry.laws == refuses_wrong_shapes) return fmt::format("{} wrong shapes{}", grouped(line.tried), partly);
      return fmt::format("{} {}{}", grouped(line.tried), line.tried == 1 ? "pass" : "passes", partly);
    }
    case ClauseStatus::violated: return "VIOLATED";
    case ClauseStatus::excused: return "excused by " + excused_by(line);
    default: return fmt::format("not tried: {}", entry.tried);
  }
}

// No scenario leads to it: what it was, and the command whose last case comes with it.
std::string details_of_call(const Failure& failure) {
  return fmt::format("           {}, by an edge call, which is no scenario:\n           {}\n           {}\n",
                     in_one_line(failure.explanation), failure.call, failure.replay);
}

std::string details(const Failure& failure) {
  std::string text = fmt::format("           {}, by {}{}\n", in_one_line(failure.explanation), failure.law,
                                 failure.steps_after == 0 ? ""
                                                          : fmt::format(" in {} step{}", failure.steps_after,
                                                                        failure.steps_after == 1 ? "" : "s"));
  if (!failure.replay.empty()) return text + fmt::format("           {}\n", failure.replay);
  return failure.save_error.empty() ? text : text + fmt::format("           not saved: {}\n", failure.save_error);
}

}  // namespace

std::string_view name_of(ClauseStatus status) {
  constexpr std::string_view names[] = {"held", "violated", "excused", "not tried"};
  return names[static_cast<std::size_t>(status)];
}

std::array<ClauseLine, props::clause_count> clause_lines(const Result& result) {
  std::array<ClauseLine, props::clause_count> lines;
  const auto catalogue = props::clause_catalogue();
  // What scenarios find is at the edges, too, and looks like another clause there.
  const bool broken = std::ranges::any_of(
      result.failures, [](const Failure& f) { return !f.flaky && f.call.empty() && f.law != refuses_wrong_shapes; });
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ClauseLine& line = lines[i];
    if (i < result.clauses.size()) line.tried = result.clauses[i];
    for (const Failure& failure : result.failures) {
      if (failure.flaky || failure.clause != catalogue[i].id) continue;
      if (broken && !failure.call.empty())
        line.tried = 0;
      else if (line.failure == nullptr)
        line.failure = &failure;
    }
    for (const ExcuseRow& excuse : result.excused)
      if (bears_on(excuse, catalogue[i].id)) line.excuses.push_back(&excuse);
    line.status = line.failure != nullptr ? ClauseStatus::violated
                  : line.tried > 0        ? ClauseStatus::held
                  : !line.excuses.empty() ? ClauseStatus::excused
                                          : ClauseStatus::not_tried;
  }
  return lines;
}

std::string conform_command(const Campaign& campaign, const Result& result) {
  std::string text = "pagestorm conform";
  for (const std::string& builder : campaign.builders)
    text += builder.find(' ') == std::string::npos ? fmt::format(" --builder {}", builder)
                                                   : fmt::format(" --builder '{}'", builder);
  if (campaign.fault != Fault::none) text += fmt::format(" --fault {}", fault_name(campaign.fault));
  text += campaign.outside.typed;
  return text + fmt::format(" --seed {:#x} --cases {}", campaign.seed, std::max<std::int64_t>(1, result.cases));
}

std::string print_page(const Campaign& campaign, const Result& result, bool colour) {
  const auto lines = clause_lines(result);
  const auto catalogue = props::clause_catalogue();
  std::string text = fmt::format(
      "conformance of {}{} · {} cases · {} passes · {} edge calls · {}\n\n", fmt::join(campaign.builders, " "),
      campaign.fault == Fault::none ? "" : fmt::format(" + {}", fault_name(campaign.fault)), grouped(result.cases),
      grouped(result.coverage.batches), grouped(result.edge_calls), show_seconds(result.seconds));
  std::array<std::int64_t, 4> counts{};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ++counts[static_cast<std::size_t>(lines[i].status)];
    text += fmt::format("  {} {:<6} {:<58} {}\n", painted(lines[i].status, colour), catalogue[i].id, catalogue[i].title,
                        said_of(lines[i], catalogue[i]));
    if (const Failure* failure = lines[i].failure)
      text += failure->call.empty() ? details(*failure) : details_of_call(*failure);
  }
  text += "\n";
  for (const Failure& failure : result.failures)
    if (failure.flaky)
      text += fmt::format("flaky     {} ({}): seen once, and not again\n", failure.clause, failure.law);
  text += fmt::format("{} of {} clauses held, {} violated, {} excused, {} not tried\n", counts[0], lines.size(),
                      counts[1], counts[2], counts[3]);
  return text + conform_command(campaign, result) + "\n";
}

}  // namespace pagestorm::cli
