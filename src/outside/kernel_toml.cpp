#include "kernel_toml.hpp"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace pagestorm::outside {

struct TomlTable::Node {
  std::string path;
  std::shared_ptr<const toml::table> file;  ///< keeps what `table` points into
  const toml::table* table;
};

namespace {

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

[[noreturn]] void refuse(const std::string& path, int line, std::string_view field, std::string_view what) {
  throw std::invalid_argument(fmt::format("{}:{}: {}: {}", path, line, field, what));
}

TomlWord word_of(const toml::node& node, const std::string& path, const char* field) {
  if (const auto text = node.value_exact<std::string>()) return {*text, line_of(node)};
  if (const auto number = node.value_exact<std::int64_t>()) return {std::to_string(*number), line_of(node)};
  refuse(path, line_of(node), field, "is neither a text in quotes nor a whole number");
}

}  // namespace

TomlTable TomlTable::read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  if (!stream) throw std::invalid_argument(fmt::format("{}: cannot be read", path));
  try {
    auto file = std::make_shared<const toml::table>(toml::parse(text.str(), path));
    const toml::table* table = file.get();
    return TomlTable(std::make_shared<const Node>(Node{path, std::move(file), table}));
  } catch (const toml::parse_error& error) {
    throw std::invalid_argument(fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
  }
}

int TomlTable::line() const { return line_of(*node_->table); }

void TomlTable::allow(std::initializer_list<std::string_view> fields) const {
  for (const auto& [key, value] : *node_->table)
    if (std::find(fields.begin(), fields.end(), key.str()) == fields.end())
      fail(static_cast<int>(key.source().begin.line), key.str(),
           fmt::format("is no field here; use {}", fmt::join(fields, ", ")));
}

std::optional<TomlWord> TomlTable::word(const char* field) const {
  const toml::node* node = node_->table->get(field);
  return node == nullptr ? std::nullopt : std::optional(word_of(*node, node_->path, field));
}

TomlWord TomlTable::required(const char* field) const {
  if (const auto found = word(field)) return *found;
  fail(line(), field, "is missing");
}

std::vector<TomlWord> TomlTable::words(const char* field) const {
  const toml::node* node = node_->table->get(field);
  if (node == nullptr) return {};
  const toml::array* list = node->as_array();
  if (list == nullptr) return {word_of(*node, node_->path, field)};
  std::vector<TomlWord> words;
  for (const toml::node& one : *list) words.push_back(word_of(one, node_->path, field));
  return words;
}

bool TomlTable::flag(const char* field) const {
  const toml::node* node = node_->table->get(field);
  if (node == nullptr) return false;
  if (const auto value = node->value_exact<bool>()) return *value;
  fail(line_of(*node), field, "is neither true nor false");
}

std::int64_t TomlTable::number(const char* field, std::int64_t low, std::int64_t high) const {
  const toml::node* node = node_->table->get(field);
  if (node == nullptr) return 0;
  const auto value = node->value_exact<std::int64_t>();
  if (!value || *value < low || *value > high)
    fail(line_of(*node), field, fmt::format("is no whole number from {} to {}", low, high));
  return *value;
}

std::optional<TomlTable> TomlTable::table(const char* field) const {
  const toml::node* node = node_->table->get(field);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) fail(line_of(*node), field, fmt::format("is no table; write it as [{}]", field));
  return TomlTable(std::make_shared<const Node>(Node{node_->path, node_->file, node->as_table()}));
}

std::vector<TomlTable> TomlTable::tables(const char* field) const {
  const toml::node* node = node_->table->get(field);
  if (node == nullptr) return {};
  if (node->is_table()) return {*table(field)};
  const toml::array* list = node->as_array();
  std::vector<TomlTable> found;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
    if (const toml::table* one = list->get(i)->as_table())
      found.push_back(TomlTable(std::make_shared<const Node>(Node{node_->path, node_->file, one})));
  if (list == nullptr || found.size() != list->size())
    fail(line_of(*node), field, fmt::format("is no list of tables; write each as [[{}]]", field));
  return found;
}

void TomlTable::fail(int line, std::string_view field, std::string_view what) const {
  refuse(node_->path, line, field, what);
}

}  // namespace pagestorm::outside
