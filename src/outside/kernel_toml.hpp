#pragma once
// Tables of a TOML file, with errors that name file, line and field.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pagestorm::outside {

/// A word, or a number as it would be written.
struct TomlWord {
  std::string text;
  int line = 0;
};

/// One table. Everything throws std::invalid_argument with "file:line: field: what", for what is of another kind.
class TomlTable {
 public:
  static TomlTable read(const std::string& path);

  int line() const;

  /// Refuses fields that are not among these.
  void allow(std::initializer_list<std::string_view> fields) const;

  std::optional<TomlWord> word(const char* field) const;
  TomlWord required(const char* field) const;
  std::vector<TomlWord> words(const char* field) const;  ///< one word or a list of them; none where absent
  bool flag(const char* field) const;                    ///< false where absent
  std::int64_t number(const char* field, std::int64_t low, std::int64_t high) const;  ///< 0 where absent
  std::optional<TomlTable> table(const char* field) const;
  std::vector<TomlTable> tables(const char* field) const;  ///< one table or a list of them; none where absent

  [[noreturn]] void fail(int line, std::string_view field, std::string_view what) const;

 private:
  struct Node;
  explicit TomlTable(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

}  // namespace pagestorm::outside
