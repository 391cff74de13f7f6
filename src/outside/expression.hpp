#pragma once
// Whole numbers from the shapes of a call, as a kernel file writes them: "cdiv(width, 128)".

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pagestorm::outside {

/// What is wrong with an expression, in a few words.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The value of a name; throws ExpressionError for a name that means nothing.
using NameValue = std::function<std::int64_t(std::string_view name)>;

/// Numbers, names (letters, digits, '_' and '.'), + - * / with the usual ranks, parentheses, and cdiv(a, b), min(a, b) and
/// max(a, b). Division rounds down, cdiv up. 64 bits; throws ExpressionError where that is too little, or for a division by 0.
std::int64_t evaluate(std::string_view expression, const NameValue& value_of);

}  // namespace pagestorm::outside
