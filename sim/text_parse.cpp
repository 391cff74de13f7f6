#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "names.hpp"
#include "text.hpp"
#include "text_fields.hpp"
#include "text_scan.hpp"

namespace pagestorm::sim {
using namespace text_form;

namespace {

template <class T>
bool read_number(std::string_view text, T& value, int base = 10) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  return error == std::errc{} && stop == end;
}

template <class Table>
std::string remedy_among(std::string_view word, const Table& fields) {
  std::vector<std::string_view> known;
  for (const auto& field : fields) known.push_back(field.name);
  return remedy(word, known);
}

template <class Table>
auto find_field(std::string_view name, const Table& fields) {
  return std::find_if(std::begin(fields), std::end(fields), [&](const auto& field) { return field.name == name; });
}

bool is_step_kind(std::string_view word) {
  StepKind kind;
  return by_name(word, kind);
}

class Parser {
 public:
  explicit Parser(std::string_view file) : file_(file) {}

  Finding parse(std::string_view text) {
    check_characters(text);
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    while (!text.empty()) {
      ++line_;
      take(next_line(text));
    }
    line_ = std::max<std::int64_t>(line_, 1);
    if (part_ == Part::schema) fail_schema();
    if (part_ == Part::header) fail("steps", "missing; end the header with a line \"steps:\"");
    check_config();
    return std::move(finding_);
  }

 private:
  enum class Part : std::uint8_t { schema, header, steps };

  [[noreturn]] void fail(std::string_view field, std::string_view problem) const {
    throw TextError(fmt::format("{}:{}: {}: {}", file_, line_, shown(field), problem));
  }

  [[noreturn]] void fail_schema() const {
    fail("schema", "missing; start the file with the line \"pagestorm scenario 1\"");
  }

  [[noreturn]] void fail_twice(std::string_view field, std::int64_t line) const {
    fail(field, fmt::format("given twice; remove this line or line {}", line));
  }

  void check_characters(std::string_view text) {
    line_ = 1;
    if (text.size() > max_text) {
      fail("text", fmt::format("{} bytes are too many for a scenario; use at most {}", text.size(), max_text));
    }
    while (!text.empty()) {
      const std::size_t size = character_size(text);
      if (size == 0) fail("text", fmt::format("byte 0x{:02x} is not UTF-8; save the file as UTF-8 text", first(text)));
      if (starts_with_control(text)) {
        fail("text", fmt::format("byte 0x{:02x} is a control character; save the file as plain text", first(text)));
      }
      if (text[0] == '\n') ++line_;
      text.remove_prefix(size);
    }
    line_ = 0;
  }

  static int first(std::string_view text) { return static_cast<unsigned char>(text[0]); }

  void take(std::string_view line) {
    const std::string_view body = trim(without_comment(line));
    if (body.empty()) return;
    if (part_ == Part::schema) return take_schema(body);
    if (part_ == Part::header) return take_header(line);
    take_step(body);
  }

  void take_schema(std::string_view rest) {
    if (next_word(rest) != "pagestorm" || next_word(rest) != "scenario") fail_schema();
    const std::string_view version = trim(rest);
    if (version != "1") fail("schema", fmt::format("{} is not a schema of scenarios; use 1", shown(version)));
    part_ = Part::header;
  }

  void take_header(std::string_view line) {
    const std::size_t colon = without_comment(line).find(':');
    if (colon == std::string_view::npos) fail_without_colon(without_comment(line));
    const std::string_view name = trim(line.substr(0, colon));
    line.remove_prefix(colon + 1);
    if (name == "steps") return start_steps(trim(without_comment(line)));
    const auto field = find_field(name, header_fields);
    if (field == std::end(header_fields)) fail(name, "unknown field; " + remedy_among(name, header_fields));
    std::int64_t& given = lines_[static_cast<std::size_t>(field - std::begin(header_fields))];
    if (given != 0) fail_twice(name, given);
    given = line_;
    std::visit([&](auto member) { read(*field, line, value_of(finding_, member)); }, field->member);
  }

  [[noreturn]] void fail_without_colon(std::string_view body) const {
    const std::string_view word = next_word(body);
    if (is_step_kind(word)) fail("steps", "missing before the first step; put a line \"steps:\" above it");
    fail(word, "no colon after the field name; write it as \"name: value\"");
  }

  void start_steps(std::string_view rest) {
    if (!rest.empty()) fail("steps", fmt::format("{} follows on the same line; start a new line", shown(rest)));
    steps_line_ = line_;
    part_ = Part::steps;
  }

  void take_step(std::string_view rest) {
    const std::string_view kind = next_word(rest);
    Step step;
    if (!by_name(kind, step.kind)) fail_kind(kind);
    if (finding_.scenario.steps.size() == max_steps) {
      fail("steps", fmt::format("more than {}; split the scenario", max_steps));
    }
    read_pairs(rest, step_fields, "step", step);
    finding_.scenario.steps.push_back(step);
  }

  [[noreturn]] void fail_kind(std::string_view word) const {
    const std::string_view name = word.substr(0, word.find(':'));
    if (word == "steps:") fail_twice(name, steps_line_);
    if (name != word && find_field(name, header_fields) != std::end(header_fields)) {
      fail(name, "a header field among the steps; move it above the line \"steps:\"");
    }
    fail(word, "unknown step kind; " + remedy(word, names<StepKind>));
  }

  // Words of the form name=value, or a bare name, into the members of `owner`.
  template <class Table, class T>
  void read_pairs(std::string_view rest, const Table& fields, std::string_view what, T& owner) {
    std::array<bool, std::extent_v<Table>> seen{};
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      const std::size_t equals = word.find('=');
      const std::string_view name = word.substr(0, equals);
      const auto field = find_field(name, fields);
      if (field == std::end(fields)) fail(name, fmt::format("unknown {} field; {}", what, remedy_among(name, fields)));
      bool& again = seen[static_cast<std::size_t>(field - std::begin(fields))];
      if (again) fail(name, "given twice; keep one");
      again = true;
      word.remove_prefix(name.size());
      std::visit([&](auto member) { read_pair(*field, word, value_of(owner, member)); }, field->member);
    }
  }

  // `tail` is what follows the name: nothing, or an equals sign and the value.
  template <class F, class T>
  void read_pair(const F& field, std::string_view tail, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      if (is_bare(field.domain, value)) {
        if (!tail.empty()) fail(field.name, fmt::format("takes no value; write {} alone", field.name));
        value = true;
        return;
      }
    }
    if (tail.empty()) fail(field.name, fmt::format("no value; write {}=VALUE", field.name));
    read_value(field, tail.substr(1), value);
  }

  void read(const HeaderField& field, std::string_view text, std::string& value) {
    value = trim(field.habit == Habit::to_line_end ? text : without_comment(text, true));
    if (value.empty()) fail_empty(field);
  }

  template <class T>
  void read(const HeaderField& field, std::string_view text, T& value) {
    const std::string_view body = trim(without_comment(text));
    if (body.empty()) fail_empty(field);
    read_value(field, body, value);
  }

  [[noreturn]] void fail_empty(const HeaderField& field) const {
    fail(field.name, fmt::format("no value; give {} or leave the line out", field.domain.noun));
  }

  template <class F>
  void read_value(const F& field, std::string_view text, std::int64_t& value) {
    if (!read_number(text, value) || value < field.domain.low || value > field.domain.high) {
      fail(field.name, out_of_range(shown(text), field.domain));
    }
  }

  void read_value(const HeaderField& field, std::string_view text, std::uint64_t& value) {
    const bool hex = text.starts_with("0x");
    if (read_number(hex ? text.substr(2) : text, value, hex ? 16 : 10)) return;
    fail(field.name, fmt::format("{} is not a seed; use 0 to 0xffffffffffffffff", shown(text)));
  }

  template <class F, class E>
  requires std::is_enum_v<E>
  void read_value(const F& field, std::string_view text, E& value) {
    if (!by_name(text, value)) fail_name(field.name, field.domain, text, names<E>);
  }

  template <class F>
  void read_value(const F& field, std::string_view text, bool& value) {
    const auto& words = field.domain.words;
    if (text != words[0] && text != words[1]) fail_name(field.name, field.domain, text, words);
    value = text == words[1];
  }

  [[noreturn]] void fail_name(std::string_view name, const Domain& domain, std::string_view text,
                              std::span<const std::string_view> known) const {
    fail(name, fmt::format("{} is not {}; {}", shown(text), domain.noun, remedy(text, known)));
  }

  void read_value(const HeaderField& field, std::string_view text, std::vector<std::int64_t>& values) {
    for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
      std::int64_t value = 0;
      read_value(field, word, value);
      if (!values.empty() && value <= values.back()) fail(field.name, not_ascending(values.back(), value));
      values.push_back(value);
    }
  }

  void read_value(const HeaderField&, std::string_view text, Timing& timing) {
    read_pairs(text, timing_fields, "timing", timing);
  }

  void read_value(const HeaderField&, std::string_view text, Layout& layout) {
    read_pairs(text, layout_fields, "layout", layout);
  }

  // Ranges of single fields were checked where they stand; what is left are limits on several fields together.
  void check_config() {
    const std::string problem = complaint(finding_.scenario.config);
    if (problem.empty()) return;
    const std::string_view name = std::string_view(problem).substr(0, problem.find(':'));
    const auto field = find_field(name, header_fields);
    const bool known = field != std::end(header_fields);
    line_ = known ? lines_[static_cast<std::size_t>(field - std::begin(header_fields))] : 0;
    if (line_ == 0) line_ = steps_line_;
    throw TextError(fmt::format("{}:{}: {}", file_, line_, problem));
  }

  std::string_view file_;
  std::int64_t line_ = 0;
  std::int64_t steps_line_ = 0;
  Part part_ = Part::schema;
  std::array<std::int64_t, std::size(header_fields)> lines_{};
  Finding finding_;
};

}  // namespace

Finding parse(std::string_view text, std::string_view file) { return Parser(file).parse(text); }

}  // namespace pagestorm::sim
