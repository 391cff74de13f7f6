#include "outside/command.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "pagestorm/outside_builder.hpp"

namespace pagestorm::outside {
namespace {

using Words = std::vector<std::string>;

TEST(Command, WordsAreSeparatedByBlanks) {
  EXPECT_EQ(words_of("python3 mine.py"), (Words{"python3", "mine.py"}));
  EXPECT_EQ(words_of("  a\tb  c "), (Words{"a", "b", "c"}));
}

TEST(Command, QuotesHoldTogether) {
  EXPECT_EQ(words_of("'a b' \"c d\" e'f 'g"), (Words{"a b", "c d", "ef g"}));
  EXPECT_EQ(words_of("''"), (Words{""}));
}

TEST(Command, ABackslashTakesTheNextCharacter) {
  EXPECT_EQ(words_of(R"(a\ b "c\"d" 'e\f')"), (Words{"a b", "c\"d", "e\\f"}));
}

TEST(Command, NothingElseIsSpecial) { EXPECT_EQ(words_of("$HOME *.so ~"), (Words{"$HOME", "*.so", "~"})); }

TEST(Command, AnOpenQuoteIsRefused) {
  for (const char* line : {"'a", "\"a", "a\\", "", "  "}) EXPECT_THROW(words_of(line), std::invalid_argument) << line;
}

TEST(Spec, HasASlashABlankOrTheSuffixOfALibrary) {
  for (const char* spec : {"./libmine.so", "libmine.so", "/opt/mine", "python3 mine.py"}) EXPECT_TRUE(is_outside(spec));
  for (const char* name : {"host", "cuda-stream", "libmine", ""}) EXPECT_FALSE(is_outside(name));
}

TEST(Spec, ALibraryWithoutAFolderIsInThisOne) {
  EXPECT_EQ(server_of("libmine.so").back(), "./libmine.so");
  EXPECT_EQ(server_of("a/libmine.so").back(), "a/libmine.so");
}

}  // namespace
}  // namespace pagestorm::outside
