#include "command.hpp"

#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <stdexcept>

namespace pagestorm::outside {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

class Splitter {
 public:
  explicit Splitter(std::string_view line) : rest_(line) {}

  std::vector<std::string> words() {
    for (skip_blanks(); !rest_.empty(); skip_blanks()) words_.push_back(word());
    if (words_.empty()) throw std::invalid_argument("the command is empty; write a program and its arguments");
    return std::move(words_);
  }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) take();
  }

  std::string word() {
    std::string text;
    while (!rest_.empty() && !is_blank(rest_.front())) {
      const char c = take();
      if (c == '\'' || c == '"')
        quoted(c, text);
      else
        text += c == '\\' ? escaped() : c;
    }
    return text;
  }

  void quoted(char quote, std::string& text) {
    while (!rest_.empty()) {
      const char c = take();
      if (c == quote) return;
      text += c == '\\' && quote == '"' ? escaped() : c;
    }
    throw std::invalid_argument(std::string("a quote ") + quote + " is not closed in the command");
  }

  char escaped() {
    if (rest_.empty()) throw std::invalid_argument("the command ends with a backslash, which takes nothing");
    return take();
  }

  std::string_view rest_;
  std::vector<std::string> words_;
};

// Some other program may link this library; started again it would not serve.
std::string this_program() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  const std::string_view name(path, size > 0 ? static_cast<std::size_t>(size) : 0);
  if (name.ends_with("/pagestorm") || name.ends_with("/pagestorm (deleted)")) return "/proc/self/exe";
  const char* named = std::getenv("PAGESTORM_PROGRAM");
  return named != nullptr ? named : "pagestorm";
}

}  // namespace

std::vector<std::string> words_of(std::string_view line) { return Splitter(line).words(); }

std::vector<std::string> server_of(const std::string& library) {
  return {this_program(), "serve-builder", library.find('/') == std::string::npos ? "./" + library : library};
}

}  // namespace pagestorm::outside
