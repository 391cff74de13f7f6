#include "expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pagestorm::outside {
namespace {

constexpr int deepest = 64;  // parentheses within each other

std::int64_t fitting(bool overflowed, std::int64_t value) {
  if (overflowed) throw ExpressionError("is too large for 64 bits");
  return value;
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  const bool overflowed = __builtin_add_overflow(a, b, &sum);
  return fitting(overflowed, sum);
}

std::int64_t minus(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  const bool overflowed = __builtin_sub_overflow(a, b, &difference);
  return fitting(overflowed, difference);
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  const bool overflowed = __builtin_mul_overflow(a, b, &product);
  return fitting(overflowed, product);
}

std::int64_t divided(std::int64_t a, std::int64_t b) {
  if (b == 0) throw ExpressionError("divides by 0");
  if (b == -1) return minus(0, a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

class Reader {
 public:
  Reader(std::string_view text, const NameValue& value_of) : rest_(text), value_of_(value_of) {}

  std::int64_t all() {
    const std::int64_t value = sum();
    if (!rest_.empty()) throw ExpressionError(fmt::format("has '{}' where an operator is expected", rest_.front()));
    return value;
  }

 private:
  std::int64_t sum() {
    if (++depth_ > deepest) throw ExpressionError("is nested too deeply");
    std::int64_t value = product();
    for (;;) {
      if (take('+'))
        value = plus(value, product());
      else if (take('-'))
        value = minus(value, product());
      else
        break;
    }
    --depth_;
    return value;
  }

  std::int64_t product() {
    std::int64_t value = factor();
    for (;;) {
      if (take('*'))
        value = times(value, factor());
      else if (take('/'))
        value = divided(value, factor());
      else
        return value;
    }
  }

  std::int64_t factor() {
    if (take('(')) return closed(sum());
    skip_blanks();
    const std::string_view word = take_word();
    if (word.empty())
      throw ExpressionError(rest_.empty()
                                ? "ends where a number or a name is expected"
                                : fmt::format("has '{}' where a number or a name is expected", rest_.front()));
    if (word.front() >= '0' && word.front() <= '9') return number(word);
    return take('(') ? function(word) : value_of_(word);
  }

  std::int64_t function(std::string_view name) {
    const std::int64_t a = sum();
    if (!take(',')) throw ExpressionError(fmt::format("gives {} one argument; it takes two", name));
    const std::int64_t b = closed(sum());
    if (name == "cdiv") return minus(0, divided(minus(0, a), b));
    if (name == "min") return std::min(a, b);
    if (name == "max") return std::max(a, b);
    throw ExpressionError(fmt::format("calls {}, which is no function; use cdiv, min or max", name));
  }

  std::int64_t closed(std::int64_t value) {
    if (!take(')')) throw ExpressionError("lacks a ')'");
    return value;
  }

  static std::int64_t number(std::string_view word) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
      throw ExpressionError(fmt::format("has {}, which is no whole number of 64 bits", word));
    return value;
  }

  std::string_view take_word() {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    const std::string_view word = rest_.substr(0, std::min(rest_.find_first_not_of(letters), rest_.size()));
    rest_.remove_prefix(word.size());
    skip_blanks();
    return word;
  }

  bool take(char wanted) {
    skip_blanks();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    skip_blanks();
    return true;
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  std::string_view rest_;
  const NameValue& value_of_;
  int depth_ = 0;
};

}  // namespace

std::int64_t evaluate(std::string_view expression, const NameValue& value_of) {
  return Reader(expression, value_of).all();
}

}  // namespace pagestorm::outside
