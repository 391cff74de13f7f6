#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text.hpp"
#include "text_fields.hpp"
#include "text_scan.hpp"

namespace pagestorm::sim {
using namespace text_form;

namespace {

std::string written(const Domain&, std::int64_t value) { return std::to_string(value); }
std::string written(const Domain&, std::uint64_t value) { return fmt::format("0x{:016x}", value); }
std::string written(const Domain& domain, bool value) { return std::string(domain.words[value ? 1 : 0]); }
std::string written(const Domain&, const std::vector<std::int64_t>& values) {
  return fmt::format("{}", fmt::join(values, " "));
}

template <class E>
requires std::is_enum_v<E> std::string written(const Domain&, E value) { return std::string(name_of(value)); }

// The fields that differ from their defaults, each with a blank before it.
template <class T, class... Members, std::size_t count>
std::string pairs(const T& owner, const Field<Members...> (&fields)[count]) {
  const T plain{};
  std::string out;
  for (const auto& field : fields) {
    const auto add = [&](auto member) {
      const auto& value = value_of(owner, member);
      if (value == value_of(plain, member)) return;
      const bool bare = is_bare(field.domain, value);
      fmt::format_to(std::back_inserter(out), " {}{}{}", field.name, bare ? "" : "=",
                     bare ? "" : written(field.domain, value));
    };
    std::visit(add, field.member);
  }
  return out;
}

std::string without_first_blank(const std::string& all) { return all.substr(std::min<std::size_t>(all.size(), 1)); }

std::string written(const Domain&, const Timing& timing) { return without_first_blank(pairs(timing, timing_fields)); }
std::string written(const Domain&, const Layout& layout) { return without_first_blank(pairs(layout, layout_fields)); }

// One line of UTF-8, whatever the text was.
std::string one_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const bool space = starts_with_control(text) || text[0] == '\n' || text[0] == '\r';
    out += space ? " " : size == 0 ? "?" : text.substr(0, size);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

struct Printer {
  const HeaderField& field;
  const Finding& finding;
  std::string& out;

  void put(std::string_view value) const { fmt::format_to(std::back_inserter(out), "{}: {}\n", field.name, value); }

  void operator()(std::string Finding::*member) const {
    const std::string line = one_line(finding.*member);
    const std::string_view value = trim(field.habit == Habit::to_line_end ? line : without_comment(line, true));
    if (!value.empty()) put(value);
  }

  template <class T>
  void operator()(T Config::*member) const {
    const T& value = finding.scenario.config.*member;
    if (field.habit == Habit::always_printed || value != Config{}.*member) put(written(field.domain, value));
  }
};

}  // namespace

std::string print(const Step& step) { return fmt::format("{}{}", name_of(step.kind), pairs(step, step_fields)); }

std::string print(const Finding& finding) {
  std::string out = "pagestorm scenario 1\n";
  for (const HeaderField& field : header_fields) std::visit(Printer{field, finding, out}, field.member);
  out += "steps:\n";
  for (const Step& step : finding.scenario.steps) out += fmt::format("  {}\n", print(step));
  return out;
}

}  // namespace pagestorm::sim
