#include "print.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "props/laws.hpp"
#include "reruns.hpp"
#include "sim/report.hpp"

namespace pagestorm::cli {
namespace {

using sim::grouped;

std::string share(std::int64_t part, std::int64_t whole) {
  if (whole == 0 || part == 0) return "0 %";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return percent < 1 ? fmt::format("{:.2f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string print_page_sizes(const sim::Coverage& coverage) {
  const auto& sizes = coverage.page_sizes;
  if (sizes.empty()) return "none";
  std::string text = fmt::format("{} different, {} to {}", sizes.size(), sizes.begin()->first, sizes.rbegin()->first);
  std::vector<std::pair<std::int64_t, std::int64_t>> common(sizes.begin(), sizes.end());
  std::stable_sort(common.begin(), common.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  common.resize(std::min<std::size_t>(common.size(), 6));
  text += "; most often";
  for (const auto& [size, count] : common) text += fmt::format(" {}", size);
  return text;
}

}  // namespace

std::string print_header(const Campaign& campaign, const Result& result) {
  std::string text = fmt::format("seed {:#018x} · builders {}", campaign.seed, fmt::join(result.builders, " "));
  if (campaign.fault != Fault::none) text += fmt::format(" · fault {}", fault_name(campaign.fault));
  if (campaign.judge != JudgedBy::host) text += fmt::format(" · judged by {}", name_of(campaign.judge));
  if (campaign.reader != ReadBy::host) text += fmt::format(" · read by {}", name_of(campaign.reader));
  std::string why;
  for (const AbsentBuilder& absent : result.absent) {
    if (absent.why != why)
      text += fmt::format("{}{}", why.empty() ? " · absent: " : fmt::format(" ({}), ", why), absent.name);
    else
      text += " " + absent.name;
    why = absent.why;
  }
  if (!why.empty()) text += fmt::format(" ({})", why);
  return text + "\n";
}

std::string print_table(const Result& result) {
  std::string text = fmt::format("{:<41} {:<14} {:>10} {:>12} {:>12} {:>9} {:>9}\n", "law", "builder", "cases", "steps",
                                 "rows", "violated", "time");
  for (const LawRow& row : result.rows)
    text += fmt::format("{:<41} {:<14} {:>10} {:>12} {:>12} {:>9} {:>9}\n", row.law, row.builder, grouped(row.cases),
                        row.steps == 0 ? "not reached" : grouped(row.steps), grouped(row.rows), grouped(row.violated),
                        show_seconds(row.seconds));
  return text + fmt::format("{:<41} {:<14} {:>57} {:>9}\n", "(runs that all laws share)", "", "",
                            show_seconds(result.shared_seconds));
}

std::string print_excuses(const Result& result) {
  std::string text;
  for (const ExcuseRow& row : result.excused) {
    text += fmt::format("excused   {} from {}{}: {}", row.builder, row.excuse,
                        row.clauses.empty() ? "" : " (" + row.clauses + ")", row.what);
    if (row.cases > 0) text += fmt::format(" · {} scenarios fitted", grouped(row.cases));
    if (row.not_given > 0) text += fmt::format(" · {} passes not given", grouped(row.not_given));
    if (row.milder > 0) text += fmt::format(" · {} passes judged without", grouped(row.milder));
    text += row.cases + row.not_given + row.milder == 0 ? " · never mattered\n" : "\n";
  }
  return text;
}

std::string print_not_run(const Campaign& campaign) {
  std::vector<std::string> of_the_family, others;
  for (const std::string& name : campaign.not_run)
    (props::is_flash_only(name) ? of_the_family : others).push_back(name);
  std::string text;
  if (!others.empty())
    text += fmt::format("not run   {}: they need more than images (--judge host)\n", fmt::join(others, ", "));
  if (!of_the_family.empty())
    text += fmt::format("not run   {}: they judge the family flash (--family flash)\n", fmt::join(of_the_family, ", "));
  const bool anywhere =
      campaign.reruns == Reruns::one || std::ranges::any_of(campaign.builders, [&](const std::string& spec) {
        return draws_reruns(campaign.reruns, spec);
      });
  if (anywhere && !campaign.by_clauses)
    text += fmt::format("reruns    {}of the laws that run it again, one judges each pass; --reruns all: every one\n",
                        campaign.reruns == Reruns::one ? "" : "a builder in a process of its own: ");
  return text;
}

namespace {

// "family     draft_expand 12 8 3 9 · ...", at top-k 1, 2, 4, 8; nothing where no pass asked for the family.
std::string print_asks(const sim::Coverage& coverage) {
  std::string text;
  bool any = false;
  for (int op = 0; op < flash_op_count; ++op) {
    const auto& row = coverage.asks[static_cast<std::size_t>(op)];
    any = any || std::any_of(row.begin(), row.end(), [](std::int64_t count) { return count > 0; });
    text += fmt::format("{} {} {} {} {} {}", op == 0 ? "" : " ·", sim::name_of(static_cast<FlashOp>(op)),
                        grouped(row[1]), grouped(row[2]), grouped(row[4]), grouped(row[8]));
  }
  std::string lines = any ? fmt::format("family   {} (at top-k 1, 2, 4, 8)\n", text) : "";
  if (coverage.asks_not_tried > 0)
    lines += fmt::format("not tried  {} operations of the family, on builders that lack it\n",
                         grouped(coverage.asks_not_tried));
  return lines;
}

}  // namespace

std::string print_coverage(const sim::Coverage& coverage) {
  std::string text = print_asks(coverage);
  text += "covered  ";
  for (int i = 0; i < mode_count; ++i)
    text += fmt::format(" {} {} ·", sim::name_of(static_cast<Mode>(i)),
                        share(coverage.modes[static_cast<std::size_t>(i)], coverage.batches));
  text += fmt::format(" no-op steps {}\n", share(coverage.no_ops, coverage.steps));
  text += fmt::format("page sizes {}\n", print_page_sizes(coverage));
  std::string missed;
  text += "steps    ";
  for (int i = 0; i < sim::step_kind_count; ++i)
    text += fmt::format(" {} {} ·", sim::name_of(static_cast<sim::StepKind>(i)),
                        share(coverage.kinds[static_cast<std::size_t>(i)], coverage.steps));
  text.resize(text.size() - std::string_view(" ·").size());
  text += "\nreached  ";
  for (int i = 0; i < sim::class_count; ++i) {
    const std::int64_t count = coverage.cases[static_cast<std::size_t>(i)];
    const std::string_view name = sim::name_of(static_cast<sim::Class>(i));
    if (count == 0)
      missed += fmt::format("{}{}", missed.empty() ? "" : ", ", name);
    else
      text += fmt::format(" {} {} ·", name, share(count, coverage.scenarios));
  }
  if (text.ends_with(" ·")) text.resize(text.size() - std::string_view(" ·").size());
  text += "\n";
  if (!missed.empty()) text += fmt::format("not reached  {}\n", missed);
  return text;
}

namespace {

const char* how_sure(const Failure& failure) {
  if (!failure.flaky) return "VIOLATED";
  return failure.law == sim::does_not_crash ? "VIOLATED, once in four plays," : "FLAKY, violated once";
}

}  // namespace

std::string print_failure(const Failure& failure) {
  const std::string how = failure.tries == 0 ? fmt::format("{} steps", failure.steps_after)
                                             : fmt::format("{} steps shrunk to {} in {}", failure.steps_before,
                                                           failure.steps_after, show_seconds(failure.shrink_s));
  std::string text = fmt::format("{} is {} by {}{}   (case {}, {}; {})\n", failure.law, how_sure(failure),
                                 failure.builder, failure.fault.empty() ? "" : " + " + failure.fault,
                                 grouped(failure.case_index), show_seconds(failure.found_after_s), how);
  if (!failure.also.empty()) text += fmt::format("in the same way by {}\n", fmt::join(failure.also, ", "));
  text += "\n" + failure.explanation;
  if (failure.file.empty())
    return text + fmt::format("  not saved {}\n  the scenario:\n\n{}", failure.save_error, failure.unsaved);
  return text + fmt::format("  saved     {}\n  replay    {}\n", failure.file, failure.replay);
}

int exit_code_of(const Result& result) {
  // A crash is a fact, even where the same scenario in a fresh process holds.
  const auto stable = [](const Failure& failure) { return !failure.flaky || failure.law == sim::does_not_crash; };
  if (std::any_of(result.failures.begin(), result.failures.end(), stable)) {
    const auto lost = [](const Failure& failure) { return !failure.save_error.empty(); };
    const bool unsaved = std::any_of(result.failures.begin(), result.failures.end(), lost);
    return unsaved ? environment : violated;
  }
  if (!result.error.empty()) return environment;
  if (!result.failures.empty()) return undecided;
  const auto judged = [](const LawRow& row) { return row.steps > 0; };
  return std::any_of(result.rows.begin(), result.rows.end(), judged) ? held : undecided;
}

}  // namespace pagestorm::cli
